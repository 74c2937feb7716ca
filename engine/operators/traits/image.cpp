// Operators on images that are neither convolution nor pooling.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "Resize", .family = Family::kNormalization, .flops = {.rule = resize}, .image = ImageRole::kReads},
    {.opType = "Upsample", .family = Family::kNormalization, .flops = {.rule = resize}, .image = ImageRole::kReads},
    {.opType = "GridSample",
     .family = Family::kNormalization,
     .flops = {.rule = gridSample},
     .image = ImageRole::kReads},
    {.opType = "AffineGrid", .flops = {.rule = affineGrid}},
    {.opType = "ImageDecoder", .flops = {.rule = unknown}},
    {.opType = "DepthToSpace",
     .family = Family::kMovement,
     .relation = Relation::kMovement,
     .image = ImageRole::kReads},
    {.opType = "SpaceToDepth",
     .family = Family::kMovement,
     .relation = Relation::kMovement,
     .image = ImageRole::kReads},
    {.opType = "CenterCropPad", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Crop", .relation = Relation::kMovement, .traffic = Traffic::kPicks},
};

}  // namespace

OperatorRows traits_image() {
  return kRows;
}

}  // namespace cutaway::operators

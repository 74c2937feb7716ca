// Pooling, and regions of images.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "MaxPool",
     .family = Family::kNormalization,
     .relation = Relation::kWindow,
     .flops = {.rule = pooling},
     .image = ImageRole::kReads},
    {.opType = "AveragePool",
     .family = Family::kNormalization,
     .relation = Relation::kWindow,
     .flops = {.rule = pooling},
     .image = ImageRole::kReads},
    {.opType = "LpPool",
     .family = Family::kNormalization,
     .relation = Relation::kWindow,
     .flops = {.rule = lpPooling},
     .image = ImageRole::kReads},
    {.opType = "NhwcMaxPool", .domain = kMicrosoft, .relation = Relation::kWindow, .flops = {.rule = pooling}},
    {.opType = "QLinearAveragePool",
     .domain = kMicrosoft,
     .relation = Relation::kWindow,
     .flops = {.rule = pooling},
     .image = ImageRole::kReads},
    {.opType = "GlobalMaxPool",
     .family = Family::kNormalization,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1},
     .image = ImageRole::kReads},
    {.opType = "GlobalAveragePool",
     .family = Family::kNormalization,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1},
     .image = ImageRole::kReads},
    {.opType = "GlobalLpPool",
     .family = Family::kNormalization,
     .relation = Relation::kReduction,
     .flops = {.rule = globalLpPooling},
     .image = ImageRole::kReads},
    {.opType = "QLinearGlobalAveragePool",
     .domain = kMicrosoft,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1},
     .image = ImageRole::kReads},
    {.opType = "MaxUnpool", .family = Family::kNormalization},
    {.opType = "MaxRoiPool", .family = Family::kNormalization, .flops = {.rule = unknown, .atMost = roiPoolAtMost}},
    {.opType = "RoiAlign", .family = Family::kNormalization, .flops = {.rule = roiAlign, .atMost = unbounded}},
    {.opType = "CropAndResize", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "NonMaxSuppression", .flops = {.rule = unknown}, .piecewiseConstant = true},
};

}  // namespace

OperatorRows traits_pooling() {
  return kRows;
}

}  // namespace cutaway::operators

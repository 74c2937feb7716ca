// Operators that move elements, give them another shape, or make constants.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr int kDequantize = 2;  // offset, scale

constexpr OperatorTraits kRows[] = {
    {.opType = "Identity",
     .family = Family::kMovement,
     .relation = Relation::kView,
     .image = ImageRole::kFollows,
     .overInputs = kFirstAsView},
    {.opType = "Reshape", .family = Family::kMovement, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "Flatten", .family = Family::kMovement, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "Squeeze", .family = Family::kMovement, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "Unsqueeze", .family = Family::kMovement, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "Dropout", .family = Family::kNormalization, .relation = Relation::kView, .image = ImageRole::kFollows},
    {.opType = "BitCast", .family = Family::kType, .relation = Relation::kView, .overInputs = kFirst},
    {.opType = "ExpandDims", .domain = kMicrosoft, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "Shape", .family = Family::kMovement, .traffic = Traffic::kShapeOnly, .piecewiseConstant = true},
    {.opType = "Size", .family = Family::kMovement, .traffic = Traffic::kShapeOnly, .piecewiseConstant = true},
    {.opType = "EyeLike", .family = Family::kMovement, .traffic = Traffic::kShapeOnly, .piecewiseConstant = true},
    {.opType = "Slice", .family = Family::kMovement, .relation = Relation::kMovement, .traffic = Traffic::kPicks},
    {.opType = "DynamicSlice", .relation = Relation::kMovement, .traffic = Traffic::kPicks},
    {.opType = "Gather", .family = Family::kMovement, .relation = Relation::kMovement, .traffic = Traffic::kPicks},
    {.opType = "GatherElements",
     .family = Family::kMovement,
     .relation = Relation::kMovement,
     .traffic = Traffic::kPicks},
    {.opType = "GatherND", .family = Family::kMovement, .relation = Relation::kMovement, .traffic = Traffic::kPicks},
    {.opType = "GatherBlockQuantized",
     .domain = kMicrosoft,
     .flops = {.perOutput = kDequantize},
     .traffic = Traffic::kPicks},
    {.opType = "Constant", .family = Family::kMovement, .piecewiseConstant = true},
    {.opType = "ConstantOfShape", .family = Family::kMovement, .piecewiseConstant = true},
    {.opType = "Range", .family = Family::kMovement},
    {.opType = "Transpose", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Concat", .family = Family::kMovement, .relation = Relation::kJoin, .image = ImageRole::kFollows},
    {.opType = "Split", .family = Family::kMovement, .relation = Relation::kSplit, .image = ImageRole::kFollows},
    {.opType = "Expand", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Tile", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Pad", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Scatter", .family = Family::kMovement, .relation = Relation::kMovement, .overInputs = kFirst},
    {.opType = "ScatterElements", .family = Family::kMovement, .relation = Relation::kMovement, .overInputs = kFirst},
    {.opType = "ScatterND", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "TensorScatter", .relation = Relation::kMovement, .overInputs = kFirst},
    {.opType = "OneHot", .family = Family::kMovement, .piecewiseConstant = true},
    {.opType = "Trilu", .family = Family::kMovement, .relation = Relation::kMovement, .overInputs = kFirst},
    {.opType = "Compress", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "ReverseSequence", .family = Family::kMovement, .relation = Relation::kMovement},
    {.opType = "Unique", .family = Family::kMovement, .flops = {.rule = unknown, .linear = true}},
};

}  // namespace

OperatorRows traits_movement() {
  return kRows;
}

}  // namespace cutaway::operators

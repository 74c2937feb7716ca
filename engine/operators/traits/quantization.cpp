// Changes of the element type, and operators on quantized values.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;
using enum ElementFunction;

constexpr int kDequantize = 2;  // offset, scale
constexpr int kQuantize = 3;    // scale, round, offset
constexpr int kRequantize = kDequantize + kQuantize;

constexpr OperatorTraits kRows[] = {
    inPlace(inFamily(Family::kType, elementwise("Cast", kCast, 1))),
    {.opType = "CastLike", .family = Family::kType, .relation = Relation::kElementwise, .flops = {.perOutput = 1}},
    {.opType = "QuantizeLinear",
     .family = Family::kType,
     .relation = Relation::kQuantize,
     .flops = {.perOutput = kQuantize},
     .image = ImageRole::kFollows,
     .piecewiseConstant = true},
    {.opType = "DequantizeLinear",
     .family = Family::kType,
     .relation = Relation::kQuantize,
     .flops = {.perOutput = kDequantize},
     .image = ImageRole::kFollows},
    {.opType = "DynamicQuantizeLinear",
     .family = Family::kType,
     .flops = {.perOutput = 2 + kQuantize},
     .piecewiseConstant = true},
    {.opType = "QLinearAdd",
     .domain = kMicrosoft,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = kDequantize + kRequantize + 1}},
    {.opType = "QLinearMul",
     .domain = kMicrosoft,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = kDequantize + kRequantize + 1}},
    {.opType = "QLinearSigmoid",
     .domain = kMicrosoft,
     .relation = Relation::kElementwise,
     .flops = {.perOutput = kRequantize + kSigmoidFlops}},
    {.opType = "QLinearLeakyRelu",
     .domain = kMicrosoft,
     .relation = Relation::kElementwise,
     .flops = {.perOutput = kRequantize + 2}},
    {.opType = "QLinearWhere",
     .domain = kMicrosoft,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = kRequantize}},
    {.opType = "QLinearConcat", .domain = kMicrosoft, .flops = {.perOutput = kRequantize}},
};

}  // namespace

OperatorRows traits_quantization() {
  return kRows;
}

}  // namespace cutaway::operators

// Comparisons, logic and bits of elements, and the choice between two.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using enum ElementFunction;

constexpr OperatorTraits kRows[] = {
    piecewiseConstant(elementwise("Not", kNot, 1)),
    piecewiseConstant(elementwise("IsNaN", kIsNaN, 1)),
    piecewiseConstant(elementwise("IsInf", kIsInf, 1)),
    piecewiseConstant(elementwise("BitwiseNot", kBitwiseNot, 1)),
    piecewiseConstant(broadcast("And", kAnd, 1)),
    piecewiseConstant(broadcast("Or", kOr, 1)),
    piecewiseConstant(broadcast("Xor", kXor, 1)),
    {.opType = "BitwiseAnd",
     .family = Family::kArithmetic,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = 1},
     .piecewiseConstant = true},
    {.opType = "BitwiseOr",
     .family = Family::kArithmetic,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = 1},
     .piecewiseConstant = true},
    {.opType = "BitwiseXor",
     .family = Family::kArithmetic,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = 1},
     .piecewiseConstant = true},
    {.opType = "BitShift",
     .family = Family::kArithmetic,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = 1},
     .piecewiseConstant = true},
    piecewiseConstant(broadcast("Equal", kEqual, 1)),
    piecewiseConstant(broadcast("Greater", kGreater, 1)),
    piecewiseConstant(broadcast("GreaterOrEqual", kGreaterOrEqual, 1)),
    piecewiseConstant(broadcast("Less", kLess, 1)),
    piecewiseConstant(broadcast("LessOrEqual", kLessOrEqual, 1)),
    broadcast("Where", kWhere, 1),
};

}  // namespace

OperatorRows traits_logic() {
  return kRows;
}

}  // namespace cutaway::operators

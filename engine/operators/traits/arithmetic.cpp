// Arithmetic on elements, of one operand and of several that are broadcast.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;
using enum ElementFunction;

constexpr OperatorTraits kRows[] = {
    elementwise("Abs", kAbs, 1),
    elementwise("Neg", kNeg, 1),
    piecewiseConstant(elementwise("Sign", kSign, 1)),
    piecewiseConstant(elementwise("Ceil", kCeil, 1)),
    piecewiseConstant(elementwise("Floor", kFloor, 1)),
    piecewiseConstant(elementwise("Round", kRound, 1)),
    elementwise("Reciprocal", kReciprocal, kDivide),
    elementwise("Sqrt", kSqrt, kDivide),
    elementwise("Exp", kExp, kTranscendental),
    elementwise("Log", kLog, kTranscendental),
    inFamily(Family::kActivation, elementwise("Erf", kErf, kTranscendental)),
    elementwise("Sin", kSin, kTranscendental),
    elementwise("Cos", kCos, kTranscendental),
    elementwise("Tan", kTan, kTranscendental),
    elementwise("Asin", kAsin, kTranscendental),
    elementwise("Acos", kAcos, kTranscendental),
    elementwise("Atan", kAtan, kTranscendental),
    elementwise("Sinh", kSinh, kTranscendental),
    elementwise("Cosh", kCosh, kTranscendental),
    inFamily(Family::kNone, elementwise("Asinh", kAsinh, kTranscendental)),
    inFamily(Family::kNone, elementwise("Acosh", kAcosh, kTranscendental)),
    inFamily(Family::kNone, elementwise("Atanh", kAtanh, kTranscendental)),
    broadcast("Add", kAdd, 1),
    broadcast("Sub", kSub, 1),
    broadcast("Mul", kMul, 1),
    broadcast("Div", kDiv, kDivide),
    broadcast("Mod", kMod, kDivide),
    broadcast("Pow", kPow, kPower),
    folded("Sum", kSum),
    folded("Max", kMax),
    folded("Min", kMin),
    folded("Mean", kMean),
    {.opType = "BiasAdd", .domain = kMicrosoft, .flops = {.perOutput = 2}},
    {.opType = "GatedAdd", .domain = kMicrosoft, .flops = {.perOutput = 2}},
    {.opType = "Affine", .relation = Relation::kElementwise, .flops = {.perOutput = 2}},
    {.opType = "ImageScaler", .flops = {.perOutput = 2}},
    {.opType = "Scale", .relation = Relation::kElementwise, .flops = {.perOutput = 1}},
};

}  // namespace

OperatorRows traits_arithmetic() {
  return kRows;
}

}  // namespace cutaway::operators

// Reductions along axes, running sums, softmax and losses.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr int kDequantize = 2;  // offset, scale
constexpr int kQuantize = 3;    // scale, round, offset
constexpr int kRequantize = kDequantize + kQuantize;

constexpr OperatorTraits kRows[] = {
    {.opType = "ReduceSum", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ReduceMean", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ReduceMax", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ReduceMin", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ReduceProd", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ReduceL1", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 2}},
    {.opType = "ReduceL2", .family = Family::kArithmetic, .relation = Relation::kReduction, .flops = {.perInput = 2}},
    {.opType = "ReduceSumSquare",
     .family = Family::kArithmetic,
     .relation = Relation::kReduction,
     .flops = {.perInput = 2}},
    {.opType = "ReduceLogSum",
     .family = Family::kArithmetic,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1}},
    {.opType = "ReduceLogSumExp",
     .family = Family::kArithmetic,
     .relation = Relation::kReduction,
     .flops = {.perInput = 3 + kTranscendental}},
    {.opType = "QLinearReduceMean", .domain = kMicrosoft, .relation = Relation::kReduction, .flops = {.perInput = 1}},
    {.opType = "ArgMax",
     .family = Family::kArithmetic,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1},
     .piecewiseConstant = true},
    {.opType = "ArgMin",
     .family = Family::kArithmetic,
     .relation = Relation::kReduction,
     .flops = {.perInput = 1},
     .piecewiseConstant = true},
    {.opType = "CumSum", .family = Family::kArithmetic, .flops = {.perInput = 1}},
    {.opType = "CumProd", .flops = {.perInput = 1}},
    {.opType = "TopK", .family = Family::kArithmetic, .flops = {.rule = topK}},
    {.opType = "NonZero", .family = Family::kMovement, .flops = {.perInput = 1}, .piecewiseConstant = true},
    {.opType = "Softmax", .family = Family::kActivation, .flops = {.perOutput = kSoftmaxFlops}, .overInputs = kFirst},
    {.opType = "LogSoftmax",
     .family = Family::kActivation,
     .flops = {.perOutput = kSoftmaxFlops},
     .overInputs = kFirst},
    {.opType = "BiasSoftmax", .domain = kMicrosoft, .flops = {.perOutput = kSoftmaxFlops + 1}},
    {.opType = "Hardmax", .family = Family::kActivation, .flops = {.perOutput = 1}, .piecewiseConstant = true},
    {.opType = "QLinearSoftmax", .domain = kMicrosoft, .flops = {.perOutput = kRequantize + kSoftmaxFlops}},
    {.opType = "NegativeLogLikelihoodLoss", .flops = {.rule = unknown, .linear = true}},
    {.opType = "SoftmaxCrossEntropyLoss", .flops = {.rule = unknown, .linear = true}},
};

}  // namespace

OperatorRows traits_reduction() {
  return kRows;
}

}  // namespace cutaway::operators

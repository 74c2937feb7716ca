// Gradients and optimizers.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "Adagrad", .domain = kTraining, .flops = {.rule = unknown}},
    {.opType = "Adam", .domain = kTraining, .flops = {.rule = unknown}},
    {.opType = "Gradient", .domain = kTraining, .flops = {.rule = unknown}},
    {.opType = "Momentum", .domain = kTraining, .flops = {.rule = unknown}},
    {.opType = "ReluGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SigmoidGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "TanhGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "LeakyReluGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "GeluGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "FastGeluGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "QuickGeluGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BiasGeluGrad_dX", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BiasFastGeluGrad_dX", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SoftmaxGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SoftmaxGrad_13", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "LogSoftmaxGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "LogSoftmaxGrad_13", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SoftmaxCrossEntropyLossGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SoftmaxCrossEntropyLossInternalGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "AveragePoolGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "MaxPoolGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "GatherGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "DropoutGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BitmaskDropout", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BitmaskDropoutGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "LayerNormalizationGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BatchNormalizationGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "ConvGrad", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "InPlaceAccumulatorV2", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "AdamWOptimizer", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "SGDOptimizerV2", .domain = kMicrosoft, .flops = {.rule = unknown}},
};

}  // namespace

OperatorRows traits_training() {
  return kRows;
}

}  // namespace cutaway::operators

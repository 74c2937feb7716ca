// Activations: elementwise functions with their parameters.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;
using enum ElementFunction;

constexpr int kGeluFlops = 4 + kTranscendental;      // halve, scale, add one, multiply, erf
constexpr int kFastGeluFlops = 7 + kTranscendental;  // the cubic inside tanh

constexpr OperatorTraits activation(std::string_view opType, ElementFunction function, int flops, Parameter a = {},
                                    Parameter b = {}) {
  return inFamily(Family::kActivation, elementwise(opType, function, flops, a, b));
}

constexpr OperatorTraits kRows[] = {
    inPlace(activation("Relu", kRelu, 1)),
    inPlace(activation("LeakyRelu", kLeakyRelu, 2, {"alpha", 0.01f})),
    since(7, inFamily(Family::kActivation, broadcast("PRelu", kPRelu, 2))),
    inPlace(activation("ThresholdedRelu", kThresholdedRelu, 1, {"alpha", 1.0f})),
    inPlace(activation("Elu", kElu, 2 + kTranscendental, {"alpha", 1.0f})),
    inPlace(activation("Celu", kCelu, 3 + kTranscendental, {"alpha", 1.0f})),
    inPlace(before({{{"alpha", 1.6732f}, {"gamma", 1.0507f}}},
                   since(6, activation("Selu", kSelu, 3 + kTranscendental, {"alpha", 1.67326319217681884765625f},
                                       {"gamma", 1.05070102214813232421875f})))),
    inPlace(activation("Sigmoid", kSigmoid, kSigmoidFlops)),
    inPlace(activation("HardSigmoid", kHardSigmoid, 4, {"alpha", 0.2f}, {"beta", 0.5f})),
    activation("HardSwish", kHardSwish, 5),
    activation("Swish", kSwish, 2 + kSigmoidFlops, {"alpha", 1.0f}),
    activation("Mish", kMish, 2 + 3 * kTranscendental),
    inPlace(activation("Tanh", kTanh, kTranscendental)),
    inPlace(activation("Softplus", kSoftplus, 1 + 2 * kTranscendental)),
    inPlace(activation("Softsign", kSoftsign, 2 + kDivide)),
    inPlace(activation("Shrink", kShrink, 2, {"lambd", 0.5f}, {"bias", 0.0f})),
    inPlace(activation("Clip", kClip, 2)),
    activation("Gelu", kGelu, kGeluFlops),
    contributed(activation("Gelu", kGelu, kGeluFlops)),
    contributed(activation("QuickGelu", kSwish, 2 + kSigmoidFlops, {"alpha", 1.702f})),
    {.opType = "FastGelu",
     .domain = kMicrosoft,
     .family = Family::kActivation,
     .relation = Relation::kElementwise,
     .flops = {.perOutput = kFastGeluFlops},
     .function = ElementFunction::kGeluTanh},
    {.opType = "BiasGelu",
     .domain = kMicrosoft,
     .family = Family::kActivation,
     .relation = Relation::kBroadcast,
     .flops = {.perOutput = 1 + kGeluFlops}},
    {.opType = "BiasSplitGelu", .domain = kMicrosoft, .flops = {.perOutput = 2 + kGeluFlops}},
    {.opType = "SwiGLU", .flops = {.perOutput = 2 + kSigmoidFlops}},
    {.opType = "ScaledTanh",
     .relation = Relation::kElementwise,
     .flops = {.perOutput = 2 + kTranscendental},
     .function = kScaledTanh,
     .parameters = {{{"alpha", 1.0f}, {"beta", 1.0f}}},
     .overInputs = kFirst},
    {.opType = "ParametricSoftplus",
     .relation = Relation::kElementwise,
     .flops = {.perOutput = 3 + 2 * kTranscendental},
     .function = kScaledSoftplus,
     .parameters = {{{"alpha", 1.0f}, {"beta", 1.0f}}},
     .overInputs = kFirst},
};

}  // namespace

OperatorRows traits_activation() {
  return kRows;
}

}  // namespace cutaway::operators

// Source: onnxruntime's kernel registrations (MayInplace, Alias) and onnxruntime/core/framework/allocation_planner.cc.

#include "engine/stages/allocate/reference_hints.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace cutaway {
namespace {

struct Declaration {
  std::string_view opType;
  int input = 0;
  int output = 0;
};

constexpr Declaration kViews[] = {
    {"Reshape"},
    {"Squeeze"},
    {"Unsqueeze"},
    {"Flatten"},
    {"Identity"},
    {"ExpandDims"},
    {"Optional"},
    {"OptionalGetElement"},
    // Running statistics of training.
    {"BatchNormalization", 3, 1},
    {"BatchNormalization", 4, 2},
};

constexpr Declaration kInPlace[] = {
    {"Relu"},
    {"Sigmoid"},
    {"Tanh"},
    {"Elu"},
    {"LeakyRelu"},
    {"Selu"},
    {"Celu"},
    {"HardSigmoid"},
    {"Softplus"},
    {"Softsign"},
    {"ThresholdedRelu"},
    {"ParametricSoftplus"},
    {"ScaledTanh"},
    {"Clip"},
    {"Softmax"},
    {"LogSoftmax"},
    {"Cast"},
    {"BitCast"},
    {"Shrink"},
    {"Trilu"},
    {"DFT"},
    {"Scatter"},
    {"ScatterElements"},
    {"ScatterND"},
    {"TensorScatter"},
    {"Normalizer"},
    {"Scaler"},
    {"MoE"},
    // A fused convolution adds its residual (input 3) in place.
    {"FusedConv", 3, 0},
    {"Conv", 3, 0},
    // Caches of the decoder's attention.
    {"DecoderMaskedMultiHeadAttention", 5, 1},
    {"DecoderMaskedMultiHeadAttention", 6, 2},
};

}  // namespace

std::vector<InplaceHint> referenceDeclarations(const Node& node, const std::vector<InplaceHint>& hints) {
  std::vector<InplaceHint> kept;
  std::copy_if(hints.begin(), hints.end(), std::back_inserter(kept), [&](const InplaceHint& hint) {
    const auto declared = [&](const Declaration& each) {
      return each.opType == node.opType && each.input == hint.input && each.output == hint.output;
    };
    if (hint.kind == AliasKind::kAlias) return std::any_of(std::begin(kViews), std::end(kViews), declared);
    return hint.kind == AliasKind::kMayInplace && std::any_of(std::begin(kInPlace), std::end(kInPlace), declared);
  });
  return kept;
}

}  // namespace cutaway

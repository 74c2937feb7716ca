// A BatchNormalization behind a Conv goes into the Conv's weights: W' = W g / sqrt(v + e), B' = (B - m) g / sqrt(v + e)
// + b (Ioffe and Szegedy, 2015, at inference).

#include <cmath>

#include "engine/stages/optimize/constant_values.h"
#include "engine/stages/optimize/conv_weights.h"

namespace cutaway::optimize {

namespace {

constexpr float kDefaultEpsilon = 1e-5f;

// Only the normalised result is used, with the statistics given.
bool isInference(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.attributeOr<int64_t>("training_mode", 0) != 0 || node.attributeOr<int64_t>("spatial", 1) != 1) return false;
  if (node.opsetVersion < 7 && node.attributeOr<int64_t>("is_test", 0) == 0) return false;
  for (size_t slot = 1; slot < node.outputs.size(); ++slot) {
    const ValueId output = node.outputs[slot];
    if (output.valid() && (!context.graph().value(output).uses.empty() || context.isOutput(output))) return false;
  }
  return true;
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (!context.is(id, "BatchNormalization") || !isInference(context, id) || !context.input(id, 0).valid() ||
      !context.output(id, 0).valid())
    return std::nullopt;
  const auto conv = constantConv(context, context.input(id, 0));
  if (!conv) return std::nullopt;
  std::vector<std::vector<double>> parameters;  // scale, bias, mean, variance
  for (size_t slot = 1; slot <= 4; ++slot) {
    const ValueId input = context.input(id, slot);
    const Tensor* constant = input.valid() ? context.constant(input) : nullptr;
    auto values = constant == nullptr ? std::nullopt : numbers(*constant);
    if (!values || values->size() != conv->channels()) return std::nullopt;
    parameters.push_back(*std::move(values));
  }
  const double epsilon = context.node(id).attributeOr<float>("epsilon", kDefaultEpsilon);
  std::vector<double> scale(conv->channels());
  std::vector<double> shift(conv->channels());
  for (size_t m = 0; m < scale.size(); ++m) {
    const double variance = parameters[3][m] + epsilon;
    if (!(variance > 0)) return std::nullopt;
    scale[m] = parameters[0][m] / std::sqrt(variance);
    shift[m] = parameters[1][m] - parameters[2][m] * scale[m];
  }
  return foldIntoConv(context, *conv, id, scale, shift,
                      fmt::format("{} goes into the weights of {}", context.label(id), context.label(conv->id)));
}

constexpr GraphPass kPass{
    .name = "ConvBNFusion", .purpose = "folds BatchNormalization into the Conv before it", .level = 1, .match = match};

}  // namespace

const GraphPass& pass_fold_batch_normalization() {
  return kPass;
}

}  // namespace cutaway::optimize

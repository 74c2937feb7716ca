#include "engine/stages/optimize/conv_weights.h"

#include "engine/stages/optimize/constant_values.h"

namespace cutaway::optimize {

std::optional<ConstantConv> constantConv(const PassContext& context, ValueId value) {
  const NodeId id = context.producer(value);
  if (!context.is(id, "Conv") || !context.onlyReader(value).valid()) return std::nullopt;
  const ValueId weightId = context.input(id, 1);
  const ValueId biasId = context.input(id, 2);
  const Tensor* weights = weightId.valid() ? context.constant(weightId) : nullptr;
  const Tensor* bias = biasId.valid() ? context.constant(biasId) : nullptr;
  if (weights == nullptr || weights->rank() < 3 || (biasId.valid() && bias == nullptr)) return std::nullopt;
  ConstantConv conv{id, weights->type(), *weights, std::vector<double>(static_cast<size_t>(weights->dims()[0]))};
  if (bias != nullptr) {
    auto biasNumbers = numbers(*bias);
    if (!biasNumbers || biasNumbers->size() != conv.channels()) return std::nullopt;
    conv.bias = *std::move(biasNumbers);
  }
  if (conv.channels() == 0) return std::nullopt;
  return conv;
}

std::optional<GraphPatch> foldIntoConv(const PassContext& context, const ConstantConv& conv, NodeId next,
                                       const std::vector<double>& scale, const std::vector<double>& shift,
                                       std::string note) {
  const size_t channels = conv.channels();
  std::vector<double> bias(channels);
  for (size_t m = 0; m < channels; ++m) {
    bias[m] = conv.bias[m] * scale[m] + shift[m];
    if (!staysFinite(bias[m], conv.type)) return std::nullopt;
  }
  const int64_t biasDims[] = {static_cast<int64_t>(channels)};
  Tensor newWeights = scaledSlices(conv.weights, scale);
  Tensor newBias = tensorOf(conv.type, biasDims, bias);
  if (!newWeights.valid() || !newBias.valid()) return std::nullopt;

  // The result's name is unique in the graph, so names made of it are too.
  const Graph& graph = context.graph();
  const std::string& result = graph.value(context.output(next, 0)).name;
  const std::string weightName = graph.freshName(result + "_weights");
  const std::string biasName = graph.freshName(result + "_bias");
  GraphPatch patch;
  patch.note = std::move(note);
  patch.removeNodes = {conv.id, next};
  patch.addInitializers = {{weightName, std::move(newWeights)}, {biasName, std::move(newBias)}};
  NewNode fused;
  const Node& old = context.node(conv.id);
  fused.node.name = old.name;
  fused.node.opType = old.opType;
  fused.node.domain = old.domain;
  fused.node.attributes = old.attributes;
  fused.node.opsetVersion = old.opsetVersion;
  fused.inputs = {graph.value(context.input(conv.id, 0)).name, weightName, biasName};
  fused.outputs = {result};
  patch.addNodes.push_back(std::move(fused));
  return patch;
}

}  // namespace cutaway::optimize

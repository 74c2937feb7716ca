// Conv followed by BatchNormalization is one Conv: W' = W * s and b' = (b - mean) * s + bias, with s = scale / sqrt(variance + epsilon) per output channel; in double.
#include <cmath>

#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

std::optional<std::vector<double>> numbersOf(const Tensor* tensor, int64_t count) {
  if (tensor == nullptr || tensor->elementCount() != count) return std::nullopt;
  std::vector<double> numbers(static_cast<size_t>(count));
  if (tensor->type() == ElementType::kFloat) {
    std::copy_n(tensor->span<float>().begin(), count, numbers.begin());
  } else if (tensor->type() == ElementType::kDouble) {
    std::copy_n(tensor->span<double>().begin(), count, numbers.begin());
  } else {
    return std::nullopt;
  }
  return numbers;
}

struct Normalization {
  std::vector<double> factor;  // per output channel
  std::vector<double> shift;
};

std::optional<Normalization> normalizationOf(const Graph& graph, const Node& batchNorm, int64_t channels) {
  const auto scale = numbersOf(constantInput(graph, batchNorm, 1), channels);
  const auto bias = numbersOf(constantInput(graph, batchNorm, 2), channels);
  const auto mean = numbersOf(constantInput(graph, batchNorm, 3), channels);
  const auto variance = numbersOf(constantInput(graph, batchNorm, 4), channels);
  if (!scale || !bias || !mean || !variance) return std::nullopt;
  const double epsilon = batchNorm.attributeOr<float>("epsilon", 1e-5f);
  Normalization result;
  for (size_t c = 0; c < static_cast<size_t>(channels); ++c) {
    const double spread = std::sqrt((*variance)[c] + epsilon);
    if (!(spread > 0) || !std::isfinite(spread)) return std::nullopt;
    result.factor.push_back((*scale)[c] / spread);
    result.shift.push_back((*bias)[c] - (*mean)[c] * result.factor.back());
  }
  return result;
}

template <typename T>
Result<Tensor> scaledWeights(const Tensor& weights, const std::vector<double>& factor) {
  CUTAWAY_TRY(Tensor scaled, Tensor::create(weights.type(), weights.dims()));
  const std::span<const T> from = weights.span<T>();
  const std::span<T> to = scaled.span<T>();
  const size_t perChannel = from.size() / factor.size();
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(from[i] * factor[i / perChannel]);
  return scaled;
}

template <typename T>
Tensor foldedBias(const std::vector<double>& bias, const Normalization& normalization) {
  std::vector<T> folded(normalization.factor.size());
  for (size_t c = 0; c < folded.size(); ++c) folded[c] = static_cast<T>((bias.empty() ? 0.0 : bias[c]) * normalization.factor[c] + normalization.shift[c]);
  return Tensor::of<T>(std::span<const T>(folded));
}

bool isInference(const Graph& graph, const Node& batchNorm) {
  if (batchNorm.attributeOr<int64_t>("training_mode", 0) != 0 || (batchNorm.sinceVersion < 7 && batchNorm.attributeOr<int64_t>("is_test", 0) == 0)) return false;
  if (batchNorm.sinceVersion < 9 && batchNorm.attributeOr<int64_t>("spatial", 1) == 0) return false;
  for (size_t slot = 1; slot < batchNorm.outputs.size(); ++slot) {
    if (isUsed(graph, batchNorm, slot)) return false;
  }
  return true;
}

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& conv = graph.node(id);
  if (!isOnnxOperator(conv, "Conv") || conv.outputs.empty() || !conv.outputs[0].valid()) return std::nullopt;
  const NodeId next = onlyConsumer(graph, conv.outputs[0]);
  if (!next.valid() || !isOnnxOperator(graph.node(next), "BatchNormalization")) return std::nullopt;
  const Node& batchNorm = graph.node(next);
  const Tensor* weights = constantInput(graph, conv, 1);
  if (weights == nullptr || weights->rank() < 3 || weights->dims()[0] <= 0 || weights->elementCount() == 0 || batchNorm.inputs[0] != conv.outputs[0] || !isInference(graph, batchNorm)) return std::nullopt;
  const int64_t channels = weights->dims()[0];
  const auto normalization = normalizationOf(graph, batchNorm, channels);
  if (!normalization) return std::nullopt;
  const bool hasBias = conv.inputs.size() > 2 && conv.inputs[2].valid();
  const auto bias = numbersOf(hasBias ? constantInput(graph, conv, 2) : nullptr, channels);
  if (hasBias && !bias) return std::nullopt;

  const bool isFloat = weights->type() == ElementType::kFloat;
  if (!isFloat && weights->type() != ElementType::kDouble) return std::nullopt;
  CUTAWAY_TRY(Tensor scaled, isFloat ? scaledWeights<float>(*weights, normalization->factor) : scaledWeights<double>(*weights, normalization->factor));
  Tensor shifted = isFloat ? foldedBias<float>(bias.value_or(std::vector<double>()), *normalization) : foldedBias<double>(bias.value_or(std::vector<double>()), *normalization);

  // Shared weights are not touched: the folded ones are new initializers.
  const std::string weightName = graph.freshName(graph.value(conv.inputs[1]).name + "_folded");
  const std::string biasName = graph.freshName(graph.value(conv.outputs[0]).name + "_bias");
  NewNode fused{.node = conv, .inputs = {graph.value(conv.inputs[0]).name, weightName, biasName}, .outputs = {graph.value(batchNorm.outputs[0]).name}, .outputTypes = {graph.value(batchNorm.outputs[0]).type}};
  fused.node.inputs.clear();
  fused.node.outputs.clear();
  fused.node.origins.clear();
  fused.node.rewrite.clear();
  GraphPatch patch{.note = "the normalisation is a scale and a shift per output channel, folded into weights and bias", .removeNodes = {id, next}};
  patch.addNodes.push_back(std::move(fused));
  patch.addInitializers.emplace_back(weightName, std::move(scaled));
  patch.addInitializers.emplace_back(biasName, std::move(shifted));
  return patch;
}

}  // namespace

Pass pass_fold_batch_normalization() { return {.name = "ConvBatchNormalizationFusion", .purpose = "fold BatchNormalization into the Conv before it", .level = 1, .propose = propose}; }

}  // namespace cutaway

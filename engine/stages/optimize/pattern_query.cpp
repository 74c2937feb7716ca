#include "engine/stages/optimize/pattern_query.h"

#include <algorithm>

namespace cutaway {

bool isOnnxOperator(const Node& node, std::string_view opType) { return node.domain.empty() && node.opType == opType; }

NodeId onlyConsumer(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  if (value.uses.size() != 1 || value.outputCount > 0) return {};
  const Use use = value.uses.front();
  return use.slot < graph.node(use.node).inputs.size() ? use.node : NodeId{};
}

const Tensor* constantOf(const Graph& graph, ValueId value) {
  if (!value.valid() || !graph.isConstant(value)) return nullptr;
  const std::optional<Tensor>& tensor = graph.value(value).initializer;
  return tensor ? &*tensor : nullptr;
}

const Tensor* constantInput(const Graph& graph, const Node& node, size_t slot) { return slot < node.inputs.size() ? constantOf(graph, node.inputs[slot]) : nullptr; }

namespace {

template <typename T>
bool allAre(const Tensor& tensor, double wanted) {
  const std::span<const T> values = tensor.span<T>();
  return std::all_of(values.begin(), values.end(), [&](T value) { return static_cast<double>(value) == wanted; });
}

}  // namespace

bool isFilledWith(const Tensor& tensor, double wanted) {
  switch (tensor.type()) {
    case ElementType::kFloat: return allAre<float>(tensor, wanted);
    case ElementType::kDouble: return allAre<double>(tensor, wanted);
    case ElementType::kInt64: return allAre<int64_t>(tensor, wanted);
    case ElementType::kInt32: return allAre<int32_t>(tensor, wanted);
    case ElementType::kUint8: return allAre<uint8_t>(tensor, wanted);
    case ElementType::kInt8: return allAre<int8_t>(tensor, wanted);
    case ElementType::kFloat16: {
      const std::span<const Float16> values = tensor.span<Float16>();
      return std::all_of(values.begin(), values.end(), [&](Float16 value) { return static_cast<double>(value.toFloat()) == wanted; });
    }
    default: return false;
  }
}

bool mayForward(const Graph& graph, ValueId input, ValueId output) {
  const Value& from = graph.value(input);
  if (graph.value(output).outputCount == 0) return true;
  // The producer of the input would have to give its output the graph output's name.
  return from.producer.valid() && from.outputCount == 0 && !from.outerScope && !from.isInput && !from.initializer;
}

bool isUsed(const Graph& graph, const Node& node, size_t outputSlot) {
  if (outputSlot >= node.outputs.size() || !node.outputs[outputSlot].valid()) return false;
  const Value& value = graph.value(node.outputs[outputSlot]);
  return !value.uses.empty() || value.outputCount > 0;
}

std::optional<std::vector<int64_t>> integersOf(const Tensor& tensor) {
  if (tensor.type() == ElementType::kInt64) {
    const std::span<const int64_t> values = tensor.span<int64_t>();
    return std::vector<int64_t>(values.begin(), values.end());
  }
  if (tensor.type() == ElementType::kInt32) {
    const std::span<const int32_t> values = tensor.span<int32_t>();
    return std::vector<int64_t>(values.begin(), values.end());
  }
  return std::nullopt;
}

}  // namespace cutaway

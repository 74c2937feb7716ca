#include "providers/onnxruntime/plugin/whole_session.h"

#include <algorithm>

#include <onnx/onnx_pb.h>

#include "engine/base/hash.h"
#include "engine/schema/proto_writer.h"

namespace cutaway::onnxruntime {

namespace {

constexpr int64_t kLargeBytes = int64_t{1} << 16;
constexpr const char* kBorderOption = "offload_graph_io_quantization";  // of QNN; 1 where nothing is said

uint64_t meaningOfConstant(const Value& value) {
  const Tensor& tensor = *value.initializer;
  const uint64_t head =
      hash64(fmt::format("{} {} {}", value.name, elementTypeName(tensor.type()), dimsToText(tensor.dims())));
  if (tensor.type() == ElementType::kString) {
    uint64_t sum = head;
    for (const std::string& text : tensor.span<std::string>())
      sum = hash64(text, sum);
    return sum;
  }
  if (tensor.sizeBytes() <= kLargeBytes) return hash64(tensor.bytes(), head);
  return hash64(fmt::format("{} {}", tensor.data(), tensor.sizeBytes()), head);
}

uint64_t meaningOfNode(const Graph& graph, const Node& node) {
  onnx::NodeProto message;
  writeNode(graph, node, message, true);
  message.clear_name();
  message.clear_doc_string();
  uint64_t sum = hash64(message.SerializeAsString());
  for (const std::span<const ValueId> values :
       {std::span<const ValueId>(node.inputs), std::span<const ValueId>(node.implicitInputs)}) {
    for (const ValueId id : values) {
      if (id.valid() && graph.isConstant(id)) sum ^= meaningOfConstant(graph.value(id));
    }
  }
  return sum;
}

}  // namespace

std::vector<uint64_t> meaningOf(const Graph& graph, std::span<const NodeId> nodes) {
  std::vector<uint64_t> meaning;
  for (const NodeId id : nodes)
    meaning.push_back(meaningOfNode(graph, graph.node(id)));
  std::ranges::sort(meaning);
  return meaning;
}

bool leavesBorder(const PluginLibrary& plugin, const PluginSettings& settings, const Graph& graph) {
  const TextPairs& given = settings.session.providers.front().options;
  const auto has = [](const TextPairs& options) {
    return std::ranges::find(options, kBorderOption, &TextPairs::value_type::first);
  };
  if (has(plugin.groupOptions) == plugin.groupOptions.end()) return false;
  if (const auto option = has(given); option != given.end() && option->second == "0") return false;
  const auto quantises = [&](ValueId input) {
    return std::ranges::any_of(graph.value(input).uses, [&](const Use& use) {
      return use.node.valid() && graph.node(use.node).opType == "QuantizeLinear";
    });
  };
  const auto dequantises = [&](ValueId output) {
    const NodeId producer = graph.value(output).producer;
    return producer.valid() && graph.node(producer).opType == "DequantizeLinear";
  };
  return std::ranges::any_of(graph.inputs(), quantises) || std::ranges::any_of(graph.outputs(), dequantises);
}

std::unique_ptr<HostedSession> WholeSession::takeFor(const Graph& group) {
  std::unique_ptr<HostedSession> kept = std::move(m_session);
  const std::vector<uint64_t> meaning = std::exchange(m_meaning, {});
  const std::vector<NodeId> nodes = group.nodeIds();
  if (kept == nullptr || meaning.size() != nodes.size() || meaning != meaningOf(group, nodes)) return nullptr;
  return kept;
}

std::optional<AskedModel> EarlyAnswer::takeFor(const SessionRequest& order, std::vector<LogLine>* log) {
  if (!m_kept) return std::nullopt;
  std::optional<Kept> kept = std::exchange(m_kept, std::nullopt);
  if (kept->print != printOf(order)) return std::nullopt;
  if (log != nullptr) *log = std::move(kept->log);
  return std::move(kept->asked);
}

}  // namespace cutaway::onnxruntime

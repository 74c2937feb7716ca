// Writes through proto_writer, reads through proto_reader; what ONNX has no field for (an operator version of one node)
// rides in the node's metadata.
#include "engine/schema/graph_message.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/base/progress.h"
#include "engine/schema/function_body.h"
#include "engine/schema/proto_reader.h"
#include "engine/schema/proto_writer.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway {

namespace {

constexpr int64_t kIrVersion = 13;
constexpr int64_t kMaxMessageBytes = 2'000'000'000;
constexpr int64_t kMostVersion = 1'000'000;
constexpr const char* kVersionKey = "cutaway.opset";
constexpr const char* kPlaceKey = "location";

using Versions = std::map<std::string, int32_t>;

// Of every domain the version that most of its nodes have: nodes that came out of functions may have others than the
// model imports.
Versions usualVersions(const Graph& root) {
  std::map<std::string, std::map<int32_t, int64_t>> counted;
  forEachGraph(root, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (graph.node(id).opsetVersion > 0) ++counted[graph.node(id).domain][graph.node(id).opsetVersion];
    }
  });
  Versions usual;
  for (const auto& [domain, versions] : counted)
    usual[domain] = std::ranges::max_element(versions, {}, [](const auto& each) { return each.second; })->first;
  return usual;
}

bool isUnusual(const Node& node, const Versions& usual) {
  return node.opsetVersion > 0 && usual.at(node.domain) != node.opsetVersion;
}

bool hasUnusual(const Graph& root, const Versions& usual) {
  bool found = false;
  forEachGraph(root, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds())
      found = found || isUnusual(graph.node(id), usual);
  });
  return found;
}

Graph withVersions(Graph root, const Versions& usual) {
  forEachGraph(root, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      Node& node = graph.mutableNode(id);
      if (isUnusual(node, usual)) node.metadata.emplace_back(kVersionKey, std::to_string(node.opsetVersion));
    }
  });
  return root;
}

bool writeElsewhere(const Tensor& tensor, const std::string& name, const WeightPlace& place, onnx::TensorProto& proto) {
  if (!place || tensor.type() == ElementType::kString || isSixBit(tensor.type())) return false;
  const std::optional<std::string> where = place(tensor);
  if (!where) return false;
  proto.set_name(name);
  proto.set_data_type(static_cast<int32_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    proto.add_dims(dim);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = proto.add_external_data();
  entry->set_key(kPlaceKey);
  entry->set_value(*where);
  return true;
}

// Takes the version out of the metadata again. INVALID_GRAPH when it is no version.
Result<void> takeVersion(Node& node) {
  const auto entry = std::ranges::find(node.metadata, kVersionKey, [](const auto& each) { return each.first; });
  if (entry == node.metadata.end()) return {};
  int64_t version = 0;
  const std::string& text = entry->second;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (problem != std::errc() || end != text.data() + text.size() || version < 1 || version > kMostVersion) {
    return fail(atNode({ErrorCode::kInvalidGraph, "the operator version of a node is not a number", {}}, node.name));
  }
  node.opsetVersion = static_cast<int32_t>(version);
  node.metadata.erase(entry);
  return {};
}

Result<void> finishGraph(Model& model) {
  Result<void> result;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (result) result = takeVersion(graph.mutableNode(id));
    }
    graph.loadedFromFile = false;  // its inputs and outputs are what they are: no rule has to find them
  });
  CUTAWAY_CHECK(result);
  assignOpsetVersions(model.graph, model.opsets, {});
  const std::vector<std::string> missing = connectScopes(model.graph);
  if (!missing.empty())
    return fail(
        atValue({ErrorCode::kInvalidGraph, "nothing in the stored graph gives this value", {}}, missing.front()));
  return {};
}

struct MessageParts {
  ByteSpan graph;
  bool hasGraph = false;
  std::vector<OpsetImport> opsets;
};

Result<MessageParts> splitMessage(ByteSpan bytes) {
  WireReader reader(bytes);
  MessageParts parts;
  while (reader.next()) {
    if (reader.number() == 7 && reader.isBytes()) {
      parts.graph = reader.bytes();
      parts.hasGraph = true;
    }
    if (reader.number() != 8 || !reader.isBytes()) continue;
    CUTAWAY_TRY(OpsetImport import, readOpsetImport(reader.bytes()));
    if (import.version < 1 || import.version > kMostVersion)
      return fail(ErrorCode::kInvalidGraph, "the stored graph imports version {} of '{}'", import.version,
                  import.domain);
    parts.opsets.push_back(std::move(import));
  }
  CUTAWAY_CHECK(reader.status());
  if (!parts.hasGraph) return fail(ErrorCode::kInvalidGraph, "the message has no graph");
  return parts;
}

}  // namespace

Result<std::string> writeGraphMessage(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                      const WeightPlace& place) {
  Versions usual = usualVersions(graph);
  onnx::ModelProto proto;
  proto.set_ir_version(kIrVersion);
  const ExternalWriter external = [&](const Tensor& tensor, const std::string& name, onnx::TensorProto& target) {
    return writeElsewhere(tensor, name, place, target);
  };
  if (hasUnusual(graph, usual)) {
    writeGraph(withVersions(graph, usual), *proto.mutable_graph(), external);
  } else {
    writeGraph(graph, *proto.mutable_graph(), external);
  }
  for (const OpsetImport& import : opsets)
    usual.try_emplace(import.domain, static_cast<int32_t>(import.version));
  for (const auto& [domain, version] : usual) {
    auto* import = proto.add_opset_import();
    import->set_domain(domain);
    import->set_version(version);
  }
  if (proto.ByteSizeLong() > static_cast<size_t>(kMaxMessageBytes))
    return fail(ErrorCode::kFail,
                "the group's graph has {} bytes without its large weights, more than a message may have",
                proto.ByteSizeLong());
  std::string bytes;
  if (!proto.SerializeToString(&bytes))
    return fail(ErrorCode::kFail, "the group's graph cannot be written as a message");
  return bytes;
}

Result<Model> readGraphMessage(ByteSpan bytes, const GraphMessageReading& reading) {
  CUTAWAY_TRY(MessageParts parts, splitMessage(bytes));
  Model model;
  model.irVersion = kIrVersion;
  model.opsets = std::move(parts.opsets);
  const auto external = [&](const ExternalReference& wanted) -> Result<Tensor> {
    const auto place = std::ranges::find(wanted.entries, kPlaceKey, [](const auto& entry) { return entry.first; });
    if (place == wanted.entries.end() || !reading.weight)
      return fail(ErrorCode::kInvalidGraph, "the stored graph does not say where the bytes of '{}' are",
                  wanted.tensorName);
    return reading.weight(place->second, wanted.type, wanted.dims);
  };
  ProtoReader reader(
      {.keepAlive = reading.keepAlive, .irVersion = kIrVersion, .external = external, .cancelled = reading.cancelled});
  CUTAWAY_CHECK(reader.readGraph(parts.graph, "", model.graph));
  CUTAWAY_CHECK(finishGraph(model));
  return model;
}

}  // namespace cutaway

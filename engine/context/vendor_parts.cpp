#include "engine/context/vendor_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/quote.h"
#include "engine/context/context_files.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/context_node.h"
#include "engine/provider/vendor_contexts.h"
#include "engine/stages/load/load.h"

namespace cutaway::context {
namespace {

constexpr std::string_view kBinaryEnding = ".bin";

bool isLetterOrDigit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

std::set<std::string> namesOf(const Graph& graph, const std::vector<ValueId>& values) {
  std::set<std::string> names;
  for (const ValueId id : values) {
    if (id.valid()) names.insert(graph.value(id).name);
  }
  return names;
}

const Graph* graphAt(const Model& model, size_t index) {
  const Graph* found = nullptr;
  size_t number = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    if (number++ == index) found = &graph;
  });
  return found;
}

// Errors say why it is not of this form.
Result<VendorPart> partOf(const context_binary::ContextPartition& partition, const Graph& outer, const Node& stands,
                          const Progress& progress) {
  const context_binary::ContextSection* const section = partition.find(kVendorModelSection);
  if (section == nullptr) return fail(ErrorCode::kEpFail, "its section '{}' is missing", kVendorModelSection);
  Progress quiet(progress.token());
  CUTAWAY_TRY(load::LoadResult loaded,
              load::load(load::ModelSource::memory(section->bytes, section->keepAlive), {}, quiet));
  const Graph& graph = loaded.model.graph;
  const std::vector<NodeId> nodes = graph.nodeIds();
  if (nodes.size() != 1 || !context_binary::isContextNode(graph.node(nodes.front())))
    return fail(ErrorCode::kEpFail, "the provider made {} nodes of it, and not one EPContext node alone", nodes.size());
  const Node& node = graph.node(nodes.front());
  CUTAWAY_TRY(const context_binary::ContextNode context, context_binary::readContextNode(node));
  if (!context.isMain || !context.isEmbedded)
    return fail(ErrorCode::kEpFail, "the provider's EPContext node does not carry its bytes");
  // The vendor's library joins tensors by name.
  if (namesOf(graph, node.inputs) != namesOf(outer, stands.inputs) ||
      namesOf(graph, node.outputs) != namesOf(outer, stands.outputs))
    return fail(ErrorCode::kEpFail, "the provider's EPContext node has other inputs or outputs than the group");
  VendorPart part{.attributes = {}, .bytes = std::string(context.cache)};
  std::ranges::copy_if(node.attributes, std::back_inserter(part.attributes),
                       [](const Attribute& each) { return each.name != context_binary::kContextCache; });
  for (const auto& [key, value] : loaded.model.metadata) {
    if (key.starts_with(kCompatibilityKey)) part.metadata.emplace_back(key, value);
  }
  return part;
}

}  // namespace

std::vector<std::optional<VendorPart>> vendorPartsOf(const PendingExport& made, std::vector<std::string>& warnings,
                                                     const Progress& progress) {
  std::vector<std::optional<VendorPart>> parts(made.partitions.size());
  std::map<std::string, std::string> objections;  // by provider
  for (size_t i = 0; i < parts.size(); ++i) {
    const context_binary::ContextPartition& partition = made.partitions[i];
    if (partition.find(kVendorFormSection) == nullptr || objections.contains(partition.source)) continue;
    const Graph* const graph = graphAt(made.model, made.nodes[i].graph);
    if (graph == nullptr) continue;
    Result<VendorPart> part = partOf(partition, *graph, graph->node(made.nodes[i].node), progress);
    if (part)
      parts[i] = *std::move(part);
    else
      objections.emplace(partition.source, fmt::format("group {}: {}", partition.name, part.error().message));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (objections.contains(made.partitions[i].source)) parts[i].reset();
  }
  for (const auto& [source, objection] : objections)
    warnings.push_back(fmt::format("the contexts of {} are kept in a container that ONNX Runtime does not read: {}",
                                   source, objection));
  return parts;
}

void placeVendorPart(Model& model, const NodePlace& place, VendorPart part, const VendorFile& file) {
  size_t number = 0;
  forEachGraph(model.graph, [&](Graph& graph) {
    if (number++ != place.graph) return;
    Node& node = graph.mutableNode(place.node);
    for (Attribute& each : part.attributes)
      node.setAttribute(each.name, std::move(each.value));
    const uint64_t sum = context_binary::checksumOf(std::as_bytes(std::span(part.bytes)));
    std::erase_if(node.metadata, [](const auto& entry) { return entry.first == kVendorChecksumKey; });
    node.metadata.emplace_back(kVendorChecksumKey, context_binary::checksumText(sum));
    node.setAttribute("main_context", int64_t{1});
    node.setAttribute("embed_mode", int64_t{file.isEmbedded ? 1 : 0});
    node.setAttribute(context_binary::kContextCache, file.isEmbedded ? std::move(part.bytes) : file.name);
  });
  for (auto& [key, value] : part.metadata)
    model.metadata[key] = std::move(value);
}

std::string vendorFileName(const std::string& stem, const std::string& provider, size_t number) {
  return binaryName(modelStem(stem), provider, number == 1 ? std::string() : fmt::format("_{}", number));
}

bool isVendorFileOf(const std::string& stem, const std::string& name) {
  const std::string start = fmt::format("{}_", modelStem(stem));
  if (!name.starts_with(start) || !name.ends_with(kBinaryEnding) || name.size() <= start.size() + kBinaryEnding.size())
    return false;
  const std::string_view middle =
      std::string_view(name).substr(start.size(), name.size() - start.size() - kBinaryEnding.size());
  const size_t split = std::min(middle.find('_'), middle.size());
  const std::string_view provider = middle.substr(0, split), number = middle.substr(std::min(split + 1, middle.size()));
  return !provider.empty() && std::ranges::all_of(provider, isLetterOrDigit) &&
         (split == middle.size() ||
          (!number.empty() && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; })));
}

}  // namespace cutaway::context

#include "engine/stages/partition/vendor_nodes.h"

#include <algorithm>

#include "engine/base/contained_file.h"
#include "engine/base/quote.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/context_node.h"

namespace cutaway::partition {

namespace {

std::vector<context_binary::ContextPort> portsOf(const Graph& graph, const std::vector<ValueId>& values) {
  std::vector<context_binary::ContextPort> ports;
  for (const ValueId id : values) {
    if (id.valid()) ports.push_back({graph.value(id).name, graph.value(id).type});
  }
  return ports;
}

VendorContext contextOf(const Graph& graph, const Node& node) {
  VendorContext context{.nodeName = node.name,
                        .attributes = {},
                        .inputs = portsOf(graph, node.inputs),
                        .outputs = portsOf(graph, node.outputs),
                        .bytes = {},
                        .keepAlive = {}};
  std::ranges::copy_if(node.attributes, std::back_inserter(context.attributes),
                       [](const Attribute& each) { return each.name != context_binary::kContextCache; });
  return context;
}

std::string checksumOf(const Node& node) {
  const auto told = std::ranges::find(node.metadata, kVendorChecksumKey, &std::pair<std::string, std::string>::first);
  return told == node.metadata.end() ? std::string() : told->second;
}

// Bytes of a main node. A text in the attribute is copied: who restores may look at it longer than the graph lives.
Result<void> fillBytes(const Node& main, const context_binary::ContextNode& attributes,
                       const std::filesystem::path& folder, VendorPlace& place) {
  place.checksum = checksumOf(main);
  if (!attributes.isEmbedded) {
    place.title = std::string(attributes.cache);
    auto file = openContained(folder, place.title);
    if (!file) {
      Error error = std::move(file).error();
      error.message = fmt::format("EPContext node '{}': {}", main.name, error.message);
      return fail(atNode(std::move(error), main.name));
    }
    place.context.bytes = (*file)->bytes();
    place.context.keepAlive = *std::move(file);
    return {};
  }
  place.title = "inside node " + identifierOrQuoted(main.name);
  const Attribute* const attribute = main.findAttribute(context_binary::kContextCache);
  if (const auto* const tensor = heldAs<Tensor>(attribute->value); tensor != nullptr) {
    place.context.bytes = tensor->bytes();
    place.context.keepAlive = tensor->keepAlive();
    return {};
  }
  const auto copy = std::make_shared<const std::string>(attributes.cache);
  place.context.bytes = std::as_bytes(std::span(*copy));
  place.context.keepAlive = copy;
  return {};
}

}  // namespace

Result<std::vector<VendorPlace>> vendorPlaces(const Model& model, const Graph& graph, NodeId id,
                                              const std::filesystem::path& folder) {
  const Node& node = graph.node(id);
  CUTAWAY_TRY(const context_binary::ContextNode attributes, context_binary::readContextNode(node));
  std::vector<VendorPlace> places;
  const auto add = [&](const Node& main, const context_binary::ContextNode& of) -> Result<void> {
    VendorPlace place{.context = contextOf(graph, node), .title = {}, .checksum = {}};
    CUTAWAY_CHECK(fillBytes(main, of, folder, place));
    if (!context_binary::ContextBinary::isOurs(place.context.bytes)) places.push_back(std::move(place));
    return {};
  };
  if (attributes.isMain) {
    CUTAWAY_CHECK(add(node, attributes));
    return places;
  }
  Result<void> done;
  forEachGraph(model.graph, [&](const Graph& each) {
    for (const NodeId other : each.nodeIds()) {
      if (!done || !context_binary::isContextNode(each.node(other))) continue;
      const auto main = context_binary::readContextNode(each.node(other));
      if (!main || !main->isMain || !context_binary::sameSource(main->source, attributes.source)) continue;
      done = add(each.node(other), *main);
    }
  });
  if (!done) return fail(std::move(done).error());
  return places;
}

Result<void> checkVendorBytes(const VendorPlace& place, const Progress& progress) {
  if (place.checksum.empty()) return {};
  const std::optional<uint64_t> sum = context_binary::checksumOf(place.context.bytes, progress);
  if (!sum) return fail(cancelledError());
  const std::string here = context_binary::checksumText(*sum);
  if (here == place.checksum) return {};
  return fail(
      ErrorCode::kEpFail,
      "the context '{}' was changed: its {} bytes have checksum {}, and those that were written had {}; make it "
      "again from the original model",
      place.title, place.context.bytes.size(), here, quotedText(place.checksum));
}

std::string compatibilityOf(const Model& model, const std::string& source) {
  for (const auto& [key, value] : model.metadata) {
    if (key.starts_with(kCompatibilityKey) &&
        context_binary::sameSource(std::string_view(key).substr(std::string_view(kCompatibilityKey).size()), source))
      return value;
  }
  return {};
}

}  // namespace cutaway::partition

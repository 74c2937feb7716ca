#include "engine/context_binary/context_catalog.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "engine/base/contained_file.h"
#include "engine/context_binary/shared_contexts.h"

namespace cutaway::context_binary {
namespace {

constexpr size_t kMostSearched = 5;  // binaries that a message lists
constexpr size_t kMostSources = 16;  // whose partitions are kept at a time

// The bytes of a text as a tensor that graphs share, at a place in memory from which sections can be used as they lie.
// An empty tensor: no memory.
Tensor asTensor(const std::string& text) {
  constexpr std::align_val_t kAlignment{kContextPageAlignment};
  void* const copy = ::operator new(text.size(), kAlignment, std::nothrow);
  if (copy == nullptr) return {};
  std::memcpy(copy, text.data(), text.size());
  const std::shared_ptr<const void> owner(copy, [](void* data) { ::operator delete(data, kAlignment); });
  const int64_t size = static_cast<int64_t>(text.size());
  return Tensor::wrapConst(ElementType::kUint8, std::span(&size, 1), copy, owner);
}

void shareEmbedded(Node& node) {
  const auto context = readContextNode(node);
  if (!context || !context->isMain || !context->isEmbedded) return;
  const auto attribute = std::ranges::find(node.attributes, kContextCache, &Attribute::name);
  const auto* const text = std::get_if<std::string>(&attribute->value);
  if (text == nullptr) return;  // it is one already
  if (Tensor tensor = asTensor(*text); tensor.valid()) attribute->value = std::move(tensor);
}

std::string namesIn(const ContextBinary& binary) {
  constexpr size_t kMostNames = 5;
  std::string text;
  const auto all = binary.partitions();
  for (size_t i = 0; i < std::min(all.size(), kMostNames); ++i)
    text += fmt::format("{}'{}' of {}", i == 0 ? "" : ", ", all[i].name, all[i].source);
  if (all.size() > kMostNames) text += fmt::format(" and {} more", all.size() - kMostNames);
  return text.empty() ? "none" : text;
}

tl::unexpected<Error> refuse(ErrorCode code, const Node& node, std::string message) {
  return fail(atNode(Error{code, std::move(message), {}}, node.name));
}

const std::string& partitionNameOf(const ContextNode& context, const Node& node) {
  return context.partitionName.empty() ? node.name.string() : context.partitionName;
}

}  // namespace

ContextCatalog::ContextCatalog(Model& model, ContextPlace place) : m_place(std::move(place)) {
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (!isContextNode(graph.node(id))) continue;
      ++m_nodes;
      shareEmbedded(graph.mutableNode(id));
      const Node& node = graph.node(id);
      const auto context = readContextNode(node);
      if (!context || !context->isMain) continue;
      // Without metadata, which may tell of many nodes inside.
      Node& main = m_mains.emplace_back().node;
      main.name = node.name;
      main.attributes = node.attributes;
      main.outputs = node.outputs;
    }
  });
}

ContextCatalog::~ContextCatalog() {
  if (m_place.stopShare) SharedContexts::group(m_place.shareGroup).clear();
}

Result<ContextCatalog::Opened> ContextCatalog::openEmbedded(const Node& node) {
  const Attribute* const attribute = node.findAttribute(kContextCache);
  const auto* const tensor = attribute == nullptr ? nullptr : heldAs<Tensor>(attribute->value);
  if (tensor == nullptr)
    return refuse(ErrorCode::kFail, node,
                  fmt::format("EPContext node '{}': there is no memory for the binary in it", node.name));
  std::shared_ptr<const ContextBinary>& known = m_embedded[tensor->data()];
  if (known == nullptr) {
    CUTAWAY_TRY(known,
                ContextBinary::open(tensor->bytes(), tensor->keepAlive(), fmt::format("inside node {}", node.name)));
  }
  return Opened{known, false};
}

Result<ContextCatalog::Opened> ContextCatalog::openFile(const std::string& name, const std::string& nodeName) {
  if (const auto known = m_files.find(name); known != m_files.end()) return known->second;
  auto file = openContained(m_place.folder, name);
  if (!file) {
    Error error = std::move(file).error();
    error.message = fmt::format("EPContext node '{}': {}", nodeName, error.message);
    return fail(atNode(std::move(error), nodeName));
  }
  const bool isShared = m_place.share || m_place.stopShare;
  SharedContexts& group = SharedContexts::group(m_place.shareGroup);
  Opened opened;
  if (isShared) opened = {group.findFile((*file)->bytes()), true};
  if (opened.binary == nullptr) {
    // The same file under another name of this model.
    const auto place = placeInFile((*file)->bytes());
    const auto same = place ? m_places.find(*place) : m_places.end();
    if (same != m_places.end()) {
      opened = same->second;
    } else {
      CUTAWAY_TRY(opened.binary, ContextBinary::open((*file)->bytes(), *file, name));
      opened.wasShared = false;
      if (isShared) group.add(opened.binary);
    }
  }
  if (const auto place = placeInFile(opened.binary->bytes())) m_places.emplace(*place, opened);
  m_files.emplace(name, opened);
  return opened;
}

Result<ContextCatalog::Opened> ContextCatalog::open(const ContextNode& main, const Node& node) {
  if (main.isEmbedded) return openEmbedded(node);
  return openFile(std::string(main.cache), node.name);
}

FoundContext ContextCatalog::found(ContextNode attributes, const Opened& opened, const ContextPartition& partition,
                                   std::string place) const {
  return {std::move(attributes), opened.binary, &partition, std::move(place),
          opened.wasShared ? partition.sizeBytes() : 0};
}

void ContextCatalog::look(Seen& seen, size_t index, std::string_view source) {
  Main& main = m_mains[index];
  if (!main.context) main.context = readContextNode(main.node).value_or(ContextNode());
  if (!main.context->source.empty() && !sameSource(main.context->source, source)) return;
  if (!main.opened) main.opened = open(*main.context, main.node);
  if (!*main.opened) {
    if (!seen.problem) seen.problem = main.opened->error();
    return;
  }
  const ContextBinary& binary = *(*main.opened)->binary;
  if (seen.searchedMains++ < kMostSearched)
    seen.searched += fmt::format("{}{}", seen.searched.empty() ? "" : "; ", namesIn(binary));
  if (!seen.binaries.insert(&binary).second) return;
  for (const ContextPartition& each : binary.partitions())
    if (binary.find(source, each.name) != nullptr) seen.mainOf.emplace(each.name, index);
}

const ContextCatalog::Main* ContextCatalog::mainOf(Seen& seen, std::string_view source, const std::string& partition) {
  for (;;) {
    if (const auto known = seen.mainOf.find(partition); known != seen.mainOf.end()) return &m_mains[known->second];
    if (seen.next == m_mains.size()) return nullptr;
    look(seen, seen.next++, source);
  }
}

// Any main node of the same source may hold it. What is wrong with one of them is told only when none has it.
Result<FoundContext> ContextCatalog::findDependent(const Node& node, ContextNode attributes, std::string_view source) {
  const std::string name = partitionNameOf(attributes, node);
  if (m_seen.size() >= kMostSources && !m_seen.contains(source)) m_seen.clear();
  Seen& seen = m_seen.try_emplace(std::string(source)).first->second;
  if (const Main* main = mainOf(seen, source, name)) {
    const Opened& opened = **main->opened;
    return found(std::move(attributes), opened, *opened.binary->find(source, name),
                 main->context->isEmbedded ? fmt::format("inside node '{}'", main->node.name) : opened.binary->name());
  }
  if (m_place.share || m_place.stopShare) {
    const auto shared = SharedContexts::group(m_place.shareGroup).findPartition(source, name);
    if (shared.partition != nullptr)
      return found(std::move(attributes), {shared.binary, true}, *shared.partition,
                   fmt::format("shared by group '{}'", m_place.shareGroup));
  }
  if (seen.problem) return fail(*seen.problem);
  if (!seen.searched.empty()) {
    const size_t left = seen.searchedMains - std::min(seen.searchedMains, kMostSearched);
    const std::string listed = left == 0 ? seen.searched : fmt::format("{}; those of {} more", seen.searched, left);
    return refuse(ErrorCode::kNotFound, node,
                  fmt::format("EPContext node '{}': no main node's binary has a partition '{}' of {}; there are: {}",
                              node.name, name, source, listed));
  }
  return refuse(
      ErrorCode::kInvalidGraph, node,
      fmt::format("EPContext node '{}' depends on a main node (main_context = 1) of {}, and the model has none; {}",
                  node.name, source,
                  m_place.share ? "open the model that carries it before this one, in the same share group"
                                : "set ep.share_ep_contexts=1 and open the model that carries it first"));
}

Result<FoundContext> ContextCatalog::find(const Node& node, const std::string& provider, const Progress& progress) {
  CUTAWAY_TRY(ContextNode attributes, readContextNode(node));
  const std::string source = attributes.source.empty() ? provider : attributes.source;
  const auto located = [&]() -> Result<FoundContext> {
    if (!attributes.isMain) return findDependent(node, attributes, source);
    CUTAWAY_TRY(const Opened opened, open(attributes, node));
    const std::string& name = partitionNameOf(attributes, node);
    const ContextPartition* partition = opened.binary->find(source, name);
    // A node that was renamed afterwards, and whose binary leaves no choice.
    const auto all = opened.binary->partitions();
    if (partition == nullptr && attributes.partitionName.empty() && all.size() == 1 &&
        sameSource(all[0].source, source))
      partition = &all[0];
    if (partition == nullptr)
      return refuse(
          ErrorCode::kNotFound, node,
          fmt::format("EPContext node '{}': the context binary '{}' has no partition '{}' of {}; there are: {}",
                      node.name, opened.binary->name(), name, source, namesIn(*opened.binary)));
    return found(attributes, opened, *partition, attributes.isEmbedded ? "inside the node" : opened.binary->name());
  }();
  if (!located) return fail(atNode(located.error(), node.name));
  auto verified = located->binary->verify(
      *located->partition, progress,
      m_place.checkLater ? ContextBinary::Extent::kAllButLargeNumbers : ContextBinary::Extent::kAll);
  if (!verified) return fail(atNode(std::move(verified).error(), node.name));
  if (m_place.share || m_place.stopShare)
    SharedContexts::group(m_place.shareGroup).take(*located->binary, *located->partition);
  return located;
}

}  // namespace cutaway::context_binary

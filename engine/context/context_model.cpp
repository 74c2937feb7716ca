#include "engine/context/context_model.h"

#include <algorithm>
#include <new>
#include <set>

#include "engine/base/short_memory.h"
#include "engine/context_binary/context_node.h"
#include "engine/context_binary/inside_nodes.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

// The first IR versions whose initializers need not be inputs, and whose nodes have metadata.
constexpr int64_t kInitializerIrVersion = 4;
constexpr int64_t kMetadataIrVersion = 10;

std::vector<Graph*> graphsOf(Model& model) {
  std::vector<Graph*> graphs;
  forEachGraph(model.graph, [&](Graph& graph) { graphs.push_back(&graph); });
  return graphs;
}

// Below IR 4 initializers stood among the inputs without being any. From 4 on that would make them inputs with a
// default.
void keepConstantsConstant(Graph& graph) {
  if (graph.overridableInitializers) return;
  std::vector<ValueId> inputs;
  for (const ValueId id : graph.inputs()) {
    if (!graph.value(id).initializer) inputs.push_back(id);
  }
  graph.setInputs(inputs);
  graph.overridableInitializers = true;
}

void dropUnusedInitializers(Graph& graph) {
  for (const ValueId id : graph.initializers()) {
    const Value& value = graph.value(id);
    if (!value.uses.empty() || value.outputCount > 0 || value.isInput) continue;
    graph.clearInitializer(
        id);  // first: removing one gives its pages back to the system, and the session still uses them
    graph.removeValue(id);
  }
}

// Functions that calls lead to, straight or through other functions.
void dropUnusedFunctions(Model& model) {
  std::set<const Function*> used;
  std::vector<const Graph*> open{&model.graph};
  while (!open.empty()) {
    const Graph* root = open.back();
    open.pop_back();
    forEachGraph(*root, [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        const Node& node = graph.node(id);
        const Function* called = model.findFunction(node.domain, node.opType, node.overload);
        if (called != nullptr && used.insert(called).second) open.push_back(&called->body);
      }
    });
  }
  std::vector<Function> kept;
  for (Function& function : model.functions) {
    if (used.contains(&function)) kept.push_back(std::move(function));
  }
  model.functions = std::move(kept);
}

void importContextDomain(Model& model) {
  if (importedVersion(model.opsets, context_binary::kContextDomain) == 0)
    model.opsets.push_back({context_binary::kContextDomain, 1});
}

void setMetadata(Node& node, const std::string& key, std::string value) {
  std::erase_if(node.metadata, [&](const auto& entry) { return entry.first == key; });
  node.metadata.emplace_back(key, std::move(value));
}

void nameProviders(Graph& graph) {
  for (const NodeId id : graph.nodeIds()) {
    Node& node = graph.mutableNode(id);
    if (!context_binary::isContextNode(node) && !node.provider.empty())
      setMetadata(node, context_binary::kProviderKey, node.provider);
  }
}

void setText(Node& node, std::string_view attribute, const std::string& text) {
  if (!text.empty()) node.setAttribute(attribute, text);
}

// Inputs, outputs and their order stay; the types of outputs are in the graph already.
void becomeContext(Node& node, const KeptGroup& group, const std::string& sourceName) {
  node.opType = context_binary::kContextOperator;
  node.domain = context_binary::kContextDomain;
  node.overload.clear();
  node.sinceVersion = 1;
  node.opsetVersion = 1;
  node.attributes.clear();
  node.setAttribute("main_context", int64_t{1});
  node.setAttribute("embed_mode", int64_t{0});
  node.setAttribute("source", group.provider->name());
  setText(node, "ep_sdk_version", group.support.sdkVersion);
  setText(node, "hardware_architecture", group.support.hardware);
  node.setAttribute("partition_name", group.name);
  setText(node, "onnx_model_filename", sourceName);
  setMetadata(node, context_binary::kInsideKey, context_binary::writeInside(group.group->graph));
}

std::string compatibilityInfoOf(const ExecutionProvider& provider) {
  try {
    return provider.compatibilityInfo();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return {};
  }
}

// What both kinds of model need: constants that are used, functions that are called, nothing else.
void tidy(Model& model, int64_t leastIrVersion) {
  model.irVersion = std::max(model.irVersion, leastIrVersion);
  for (Graph* graph : graphsOf(model)) {
    keepConstantsConstant(*graph);
    dropUnusedInitializers(*graph);
  }
  dropUnusedFunctions(model);
}

}  // namespace

std::string sourceNameFor(const fs::path& source, const fs::path& folder) {
  if (source.empty()) return {};
  std::error_code error;
  const fs::path real = fs::weakly_canonical(source, error);
  throwIfShort(error);
  const fs::path realFolder = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  throwIfShort(error);
  const fs::path below = real.lexically_relative(realFolder);
  const bool leaves = below.empty() || below.is_absolute() || *below.begin() == "..";
  return leaves ? source.filename().string() : below.generic_string();
}

Model contextModelOf(const partition::CapturedGroups& captured, std::span<const KeptGroup> groups,
                     const std::string& sourceName) {
  Model model = *captured.fused;
  importContextDomain(model);
  const std::vector<Graph*> graphs = graphsOf(model);
  for (const KeptGroup& each : groups) {
    becomeContext(graphs[each.place.graph]->mutableNode(each.place.node), each, sourceName);
    if (std::string info = compatibilityInfoOf(*each.provider); !info.empty())
      model.metadata["ep_compatibility_info." + each.provider->name()] = std::move(info);
  }
  for (Graph* graph : graphs)
    nameProviders(*graph);
  tidy(model, kMetadataIrVersion);
  return model;
}

Model plainModelOf(const partition::CapturedGroups& captured) {
  Model model = *captured.fused;
  tidy(model, kInitializerIrVersion);
  return model;
}

void placeContexts(Model& model, std::span<const NodePlace> nodes, std::vector<ContextPlacement> placements) {
  const std::vector<Graph*> graphs = graphsOf(model);
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node& node = graphs[nodes[i].graph]->mutableNode(nodes[i].node);
    ContextPlacement& place = placements[i];
    node.setAttribute("main_context", int64_t{place.isMain ? 1 : 0});
    node.setAttribute("embed_mode", int64_t{place.isEmbedded ? 1 : 0});
    setText(node, "notes", place.notes);
    for (Attribute& own : place.attributes)
      node.setAttribute(own.name, std::move(own.value));
    if (!place.isMain) continue;
    node.setAttribute("ep_cache_context", std::move(place.cache));
    node.setAttribute("max_size", place.maxSizeBytes);
  }
}

}  // namespace cutaway::context

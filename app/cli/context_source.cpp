// What a context model says about where it comes from: the providers that made its nodes, and its original.
#include <algorithm>

#include "app/cli/context_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/contained_file.h"
#include "engine/context_binary/context_node.h"
#include "providers/onnxruntime/plugin/plugin_rows.h"

namespace cutaway::cli {

namespace {

template <typename Visit>
void forEachContextNode(const Model& model, Visit&& visit) {
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (!context_binary::isContextNode(graph.node(id))) continue;
      if (const Result<context_binary::ContextNode> context = context_binary::readContextNode(graph.node(id)); context)
        visit(*context);
    }
  });
}

}  // namespace

Result<Model> loadToLook(const std::string& file, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded,
              load::load(load::ModelSource::file(file), {.allowMissingExternalData = true}, progress));
  return std::move(loaded.model);
}

Result<std::vector<std::string>> providersOfContexts(const Model& model) {
  std::vector<std::string> names;
  const ProviderTable table = builtProviders();
  forEachContextNode(model, [&](const context_binary::ContextNode& context) {
    const std::string_view base = std::string_view(context.source).substr(0, context.source.find('('));
    const auto entry = std::ranges::find_if(table, [&](const ProviderEntry& each) {
      return each.name == base || context_binary::sameSource(context.source, each.name);
    });
    if (entry == table.end() || (entry->probe != nullptr && !entry->probe().usable)) return;
    // One that must be told more, such as a target, is left out: the nodes are shown all the same.
    if (needsOptions(entry->name)) return;
    const std::string name = entry->takesArgument ? context.source : entry->name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  });
  return names;
}

Result<std::filesystem::path> originalOf(const Model& model) {
  std::string name;
  forEachContextNode(model, [&](const context_binary::ContextNode& context) {
    if (name.empty()) name = context.modelFile;
  });
  if (name.empty()) return std::filesystem::path();
  if (const Result<void> contained = checkContainedName(name); !contained) {
    return fail(ErrorCode::kInvalidGraph, "the context model names '{}' as its original: {}; give it with --original",
                name, contained.error().message);
  }
  return model.path.parent_path() / name;
}

}  // namespace cutaway::cli

#include "engine/session/walk/context_walk.h"

#include <algorithm>
#include <utility>

#include "engine/base/contained_file.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/node_label.h"

namespace cutaway::session {

namespace fs = std::filesystem;

Result<void> checkExport(const load::ModelSource& source, const context::ContextOptions& options) {
  if (!options.enable) return {};
  if (options.modelSink) return {};
  // A name that bytes come with is for messages.
  CUTAWAY_TRY(const fs::path target, context::contextFileFor(source.fromBytes ? fs::path() : source.path, options));
  return context::checkContextTarget(target, options);
}

Result<void> refuseCompiled(const Model& model) {
  const std::vector<ContextMention> nodes = contextMentions(model);
  if (nodes.empty()) return {};
  return fail(atNode({ErrorCode::kInvalidGraph,
                      fmt::format("the model is compiled already ({}): ep.context_enable=1 is for models that are not; "
                                  "open it without the key, or compile its original",
                                  nodes.front().label),
                      {}},
                     nodes.front().name));
}

bool hasCompatibility(const std::map<std::string, std::string>& metadata) {
  const auto first = metadata.lower_bound(std::string(kCompatibilityKey));
  return first != metadata.end() && first->first.starts_with(kCompatibilityKey);
}

CompatibilityAnswer checkCompatibility(const std::map<std::string, std::string>& metadata,
                                       std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                       const context::ContextOptions& options) {
  CompatibilityAnswer answer;
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) {
    const auto info = metadata.find(std::string(kCompatibilityKey) + provider->name());
    if (info == metadata.end()) continue;
    const CompatibilityVerdict verdict = provider->checkCompatibility(info->second);
    const auto said = [&](std::string_view what) {
      return fmt::format("provider {} {} this compiled model{}{}", provider->name(), what,
                         verdict.reason.empty() ? "" : ": ", verdict.reason);
    };
    if (verdict.verdict == ContextCompatibility::kUnsupported) {
      if (!answer.refused) answer.refused = Error{ErrorCode::kFail, said("cannot run"), {}};
    } else if (verdict.verdict == ContextCompatibility::kPreferRecompilation && options.failOnSuboptimal) {
      if (!answer.refused)
        answer.refused = Error{.code = ErrorCode::kFail,
                               .message = said("would run a newly compiled model better than") +
                                          " (session.fail_on_suboptimal_compiled_model=1 makes this an error)",
                               .where = {},
                               .byPolicy = true};
    } else if (verdict.verdict == ContextCompatibility::kPreferRecompilation) {
      answer.warnings.push_back(said("would run a newly compiled model better than"));
    }
  }
  return answer;
}

std::vector<ContextMention> contextMentions(const Model& model) {
  std::vector<ContextMention> nodes;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (!context_binary::isContextNode(node)) continue;
      nodes.push_back({node.name, nodeLabel(graph, id), node.attributeOr<std::string>("onnx_model_filename", {}),
                       node.attributeOr<std::string>("source", {})});
    }
  });
  return nodes;
}

bool concernsContext(const Error& error, const std::vector<ContextMention>& nodes) {
  if (error.code == ErrorCode::kModelLoadCanceled || error.code == ErrorCode::kDeviceReset || error.where.node.empty())
    return false;
  return std::ranges::any_of(nodes, [&](const ContextMention& node) {
    return error.where.node == node.name || error.where.node == node.label;
  });
}

std::string whoRestores(const Error& error, const std::vector<ContextMention>& nodes, const ProviderTable& table,
                        std::span<const std::unique_ptr<ExecutionProvider>> session) {
  if (error.code != ErrorCode::kNotImplemented) return {};
  const auto node = std::ranges::find_if(nodes, [&](const ContextMention& each) {
    return error.where.node == each.name || error.where.node == each.label;
  });
  if (node == nodes.end() || node->source.empty()) return {};
  for (const ProviderEntry& entry : table) {
    if (entry.takesArgument) continue;  // declared hardware: which one, the user has to say
    const bool isSource = std::ranges::any_of(entry.contextSources, [&](const context_binary::ContextSource& each) {
      return context_binary::sameSource(node->source, each.name);
    });
    const bool isHere = std::ranges::any_of(session, [&](const auto& each) { return each->name() == entry.name; });
    if (isSource && isHere) return {};
    if (isSource) return fmt::format("; put {} before {} among the session's providers", entry.name, lastResort(table));
  }
  return {};
}

std::shared_ptr<const PackedModel> packedWithoutContexts(Model& model) {
  constexpr size_t kSmall = 256;
  std::vector<std::pair<std::string*, std::string>> aside;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (!context_binary::isContextNode(graph.node(id))) continue;
      for (Attribute& attribute : graph.mutableNode(id).attributes) {
        std::string* text = std::get_if<std::string>(&attribute.value);
        if (text != nullptr && text->size() > kSmall)
          aside.emplace_back(text, std::exchange(*text, "left out of this copy"));
      }
    }
  });
  auto packed = std::make_shared<const PackedModel>(model);
  for (auto& [text, bytes] : aside)
    *text = std::move(bytes);
  return packed;
}

Result<std::optional<fs::path>> originalOf(const std::vector<ContextMention>& nodes, const fs::path& model,
                                           const context::ContextOptions& options) {
  std::error_code error;
  if (!options.sourceModel.empty()) {
    if (!fs::is_regular_file(options.sourceModel, error))
      return fail(
          atFile({ErrorCode::kNoSuchFile,
                  fmt::format("ep.context_source_model_path: there is no file '{}'", options.sourceModel.string()),
                  {}},
                 options.sourceModel.string()));
    return std::optional<fs::path>(options.sourceModel);
  }
  if (model.empty()) return std::optional<fs::path>();
  for (const ContextMention& node : nodes) {
    if (node.modelFile.empty() || !openContained(model.parent_path(), node.modelFile)) continue;
    const fs::path original = model.parent_path() / node.modelFile;
    if (!fs::equivalent(original, model, error)) return std::optional<fs::path>(original);
  }
  return std::optional<fs::path>();
}

}  // namespace cutaway::session

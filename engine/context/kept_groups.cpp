#include "engine/context/kept_groups.h"

#include "engine/base/quote.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/topology.h"

namespace cutaway::context {
namespace {

// Groups that cannot be kept, each named in the message up to this many.
constexpr size_t kMostNamed = 4;

class Collector {
 public:
  Collector(const partition::CapturedGroups& captured, const std::map<std::string, CompiledNode>& compiled,
            std::span<const std::unique_ptr<ExecutionProvider>> providers)
      : m_captured(captured), m_compiled(compiled), m_providers(providers) {}

  Result<std::vector<KeptGroup>> collect() {
    Result<void> done;
    size_t index = 0;
    forEachGraph(m_captured.fused->graph, [&](const Graph& graph) {
      const Result<std::vector<NodeId>> order = topologicalOrder(graph);  // that of the file
      for (const NodeId id : order ? *order : graph.nodeIds()) {
        if (done) done = look(graph, index, id);
      }
      ++index;
    });
    CUTAWAY_CHECK(done);
    if (!m_objections.empty()) return fail(objection());
    if (m_kept.size() != m_captured.groups.size())
      return fail(ErrorCode::kInvalidGraph,
                  "{} groups were compiled and {} fused nodes stand for them: the model was changed in between",
                  m_captured.groups.size(), m_kept.size());
    return std::move(m_kept);
  }

 private:
  Result<void> look(const Graph& graph, size_t index, NodeId id) {
    const Node& node = graph.node(id);
    if (context_binary::isContextNode(node))
      return fail(ErrorCode::kInvalidGraph,
                  "node {} is an EPContext node: the model is compiled already; generate from the original, or leave "
                  "ep.context_enable at 0 to run this one",
                  identifierOrQuoted(node.name));
    const auto group = m_captured.groups.find(node.name);
    if (group != m_captured.groups.end() && group->second != nullptr && !node.provider.empty() &&
        node.rewrite.starts_with("fused by"))
      return take(index, id, node, *group);
    if (node.rewrite.starts_with("fused by"))
      return fail(ErrorCode::kInvalidGraph,
                  "fused node {} of {} has no group to be kept: was the input compiled already?",
                  identifierOrQuoted(node.name), node.provider);
    if (node.domain == kChannelsLastDomain) {
      return fail(ErrorCode::kNotImplemented,
                  "node {} ({}) runs by kernels of {} with channels last, which a model file cannot say: give the node "
                  "to another provider",
                  identifierOrQuoted(node.name), node.opType, node.provider);
    }
    return {};
  }

  Result<void> take(size_t graph, NodeId id, const Node& node,
                    const std::pair<const std::string, std::shared_ptr<const FusedSubGraph>>& group) {
    KeptGroup kept{.name = node.name,
                   .place = {graph, id},
                   .provider = findProvider(m_providers, node.provider),
                   .support = {},
                   .group = group.second,
                   .kernel = {}};
    if (kept.provider == nullptr)
      return fail(ErrorCode::kInvalidGraph, "group {} is of provider {}, which the session does not have", kept.name,
                  node.provider);
    kept.support = askContextSupport(*kept.provider);
    const auto compiled = m_compiled.find(node.name);
    if (compiled != m_compiled.end()) kept.kernel = compiled->second.kernel;
    std::string reason = objectionTo(kept);
    if (reason.empty() && kept.kernel == nullptr) reason = "it was not compiled";
    if (!reason.empty()) m_objections.push_back(fmt::format("group {}: {}", kept.name, reason));
    m_kept.push_back(std::move(kept));
    return {};
  }

  static std::string objectionTo(const KeptGroup& kept) {
    if (kept.support.kind == ContextKind::kNone)
      return kept.support.reason.empty()
                 ? fmt::format("provider {} cannot keep what it compiles", kept.provider->name())
                 : kept.support.reason;
    const Graph& graph = kept.group->graph;
    const auto first = [&](std::string_view side, std::span<const ValueId> values) -> std::string {
      for (const ValueId id : values) {
        const Value& value = graph.value(id);
        if (std::string reason =
                portObjection(side, value.name, value.type.isTensor(), value.type.element, toText(value.type));
            !reason.empty())
          return reason;
      }
      return {};
    };
    std::string reason = first("input", graph.inputs());
    return reason.empty() ? first("output", graph.outputs()) : reason;
  }

  Error objection() const {
    std::string text;
    for (size_t i = 0; i < std::min(m_objections.size(), kMostNamed); ++i)
      text += (i == 0 ? "" : "; ") + m_objections[i];
    if (m_objections.size() > kMostNamed) text += fmt::format("; and {} more", m_objections.size() - kMostNamed);
    return {ErrorCode::kInvalidGraph,
            fmt::format("{} of {} compiled groups cannot be kept in a context model: {}. Pin their nodes to cpu, or "
                        "leave the provider out",
                        m_objections.size(), m_captured.groups.size(), text),
            {}};
  }

  const partition::CapturedGroups& m_captured;
  const std::map<std::string, CompiledNode>& m_compiled;
  std::span<const std::unique_ptr<ExecutionProvider>> m_providers;
  std::vector<KeptGroup> m_kept;
  std::vector<std::string> m_objections;
};

}  // namespace

Result<std::vector<KeptGroup>> keptGroups(const partition::CapturedGroups& captured,
                                          const std::map<std::string, CompiledNode>& compiled,
                                          std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  return Collector(captured, compiled, providers).collect();
}

}  // namespace cutaway::context

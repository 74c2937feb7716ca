#include "engine/context/preview.h"

#include <map>
#include <unordered_map>

#include "engine/context/keepable.h"
#include "engine/context_binary/context_node.h"

namespace cutaway::context {
namespace {

class Preview {
 public:
  Preview(const ModelGraphs& graphs, std::span<const std::unique_ptr<ExecutionProvider>> providers) : m_graphs(graphs) {
    for (const std::unique_ptr<ExecutionProvider>& each : providers)
      m_support.emplace(each->name(), askContextSupport(*each));
  }

  ContextGroup of(const GroupReport& group) {
    ContextGroup seen;
    seen.provider = group.provider;
    seen.graph = group.graph;
    seen.nodes = group.nodes;
    seen.weightBytes = group.weightBytes;
    if (!group.compiled) {
      seen.reason =
          fmt::format("runs by kernels of {}: nothing is compiled, and the nodes stay in the context model as they are",
                      group.provider);
      return seen;
    }
    seen.name = group.name;
    if (isContextAlready(group)) {
      seen.reason = "is compiled already: a context model is made from the original";
      return seen;
    }
    const auto support = m_support.find(group.provider);
    if (support == m_support.end() || support->second.kind == ContextKind::kNone) {
      seen.reason = support == m_support.end() || support->second.reason.empty()
                        ? fmt::format("provider {} cannot keep what it compiles", group.provider)
                        : support->second.reason;
      return seen;
    }
    seen.isPlaceholder = support->second.kind == ContextKind::kDescribed;
    seen.reason = portReason(group);
    seen.canSave = seen.reason.empty();
    if (seen.canSave) seen.reason = support->second.reason;
    return seen;
  }

 private:
  bool isKnown(int32_t graph) const { return graph >= 0 && static_cast<size_t>(graph) < m_graphs.graphs.size(); }

  bool isContextAlready(const GroupReport& group) const {
    if (!isKnown(group.graph) || group.nodes.size() != 1) return false;
    const std::vector<NodeReport>& nodes = m_graphs.graphs[static_cast<size_t>(group.graph)].nodes;
    const auto index = static_cast<size_t>(group.nodes.front());
    return index < nodes.size() && nodes[index].opType == context_binary::kContextOperator &&
           nodes[index].domain == context_binary::kContextDomain;
  }

  // Values of a graph by name, made when the first group of it is looked at.
  const std::unordered_map<std::string_view, const ValueReport*>& valuesOf(int32_t graph) {
    const auto [place, isNew] = m_values.try_emplace(graph);
    if (isNew) {
      for (const ValueReport& each : m_graphs.graphs[static_cast<size_t>(graph)].values)
        place->second.emplace(each.name, &each);
    }
    return place->second;
  }

  std::string portReason(const GroupReport& group) {
    if (!isKnown(group.graph)) return {};
    const auto& values = valuesOf(group.graph);
    const auto first = [&](std::string_view side, const std::vector<std::string>& names) -> std::string {
      for (const std::string& name : names) {
        const auto found = values.find(name);
        if (found == values.end()) continue;
        const auto element = elementTypeFromName(found->second->elementType);
        const bool isTensor = element.has_value() && found->second->type.starts_with(found->second->elementType);
        if (std::string reason =
                portObjection(side, name, isTensor, element.value_or(ElementType::kUndefined), found->second->type);
            !reason.empty())
          return reason;
      }
      return {};
    };
    std::string reason = first("input", group.inputs);
    return reason.empty() ? first("output", group.outputs) : reason;
  }

  const ModelGraphs& m_graphs;
  std::map<std::string, ContextSupport, std::less<>> m_support;
  std::map<int32_t, std::unordered_map<std::string_view, const ValueReport*>> m_values;
};

}  // namespace

std::vector<ContextGroup> previewContexts(const PartitionReport& report, const ModelGraphs& graphs,
                                          std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  Preview preview(graphs, providers);
  std::vector<ContextGroup> groups;
  groups.reserve(report.groups.size());
  for (const GroupReport& group : report.groups)
    groups.push_back(preview.of(group));
  return groups;
}

}  // namespace cutaway::context

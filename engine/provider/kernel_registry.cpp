#include <algorithm>

#include "engine/base/log.h"
#include "engine/graph/doing_node.h"
#include "engine/graph/node_label.h"
#include "engine/provider/kernel_watch.h"

namespace cutaway {

namespace {

std::string registryKey(std::string_view domain, std::string_view opType) {
  return fmt::format("{}:{}", domain, opType);
}

std::string operatorName(const Node& node) {
  return node.domain.empty() ? node.opType.string() : node.domain + "." + node.opType;
}

std::string versionsText(const std::vector<const KernelRow*>& rows) {
  std::vector<std::string> spans;
  for (const KernelRow* row : rows) {
    std::string span =
        row->versions.last == std::numeric_limits<int32_t>::max() ? fmt::format("{}+", row->versions.first)
        : row->versions.first == row->versions.last               ? fmt::format("{}", row->versions.first)
                                                    : fmt::format("{}-{}", row->versions.first, row->versions.last);
    if (std::find(spans.begin(), spans.end(), span) == spans.end()) spans.push_back(std::move(span));
  }
  return fmt::format("{}", fmt::join(spans, ", "));
}

// Empty when the type fits. A value of unknown element type fits: the kernel's create decides.
std::string typeObjection(const TypeRule& rule, const Graph& graph, const Node& node, size_t slot) {
  if (slot >= node.inputs.size() || !node.inputs[slot].valid()) return {};
  const ValueType& type = graph.value(node.inputs[slot]).type;
  if (!type.isTensor() || type.element == ElementType::kUndefined) return {};
  if (std::find(rule.allowed.begin(), rule.allowed.end(), type.element) != rule.allowed.end()) return {};
  std::vector<std::string_view> names;
  for (const ElementType allowed : rule.allowed)
    names.push_back(elementTypeName(allowed));
  return fmt::format("input {} ('{}') is {}; this kernel takes {}", slot, graph.value(node.inputs[slot]).name,
                     elementTypeName(type.element), fmt::join(names, ", "));
}

std::string rowObjection(const KernelRow& row, const Graph& graph, const Node& node) {
  for (const TypeRule& rule : row.types) {
    const bool all = rule.slot == TypeRule::kAllInputs;
    const size_t first = all ? 0 : static_cast<size_t>(rule.slot);
    const size_t last = all ? node.inputs.size() : first + 1;
    for (size_t slot = first; slot < last; ++slot) {
      if (std::string objection = typeObjection(rule, graph, node, slot); !objection.empty()) return objection;
    }
  }
  return {};
}

void logRefusal(const KernelInfo& info, const KernelRow& row, std::string_view why) {
  if (!log::wanted(log::kTrace)) return;
  log::event(log::kTrace, log::Category::kKernels, "refused",
             {{"node", nodeLabel(info.graph(), info.nodeId())},
              {"row", row.fastPath.empty() ? std::string_view("reference") : row.fastPath},
              {"why", why}});
}

}  // namespace

KernelRegistry::KernelRegistry(std::span<const KernelRows> tables, ProviderResources* resources)
    : m_resources(resources) {
  for (const KernelRows& table : tables) {
    for (const KernelRow& row : table) {
      m_rows[registryKey(row.domain, row.opType)].push_back(&row);
      m_ordered.push_back(&row);
    }
  }
}

std::vector<const KernelRow*> KernelRegistry::rows() const {
  return m_ordered;
}

KernelRegistry::Match KernelRegistry::find(const Graph& graph, NodeId nodeId) const {
  const DoingNode doing(graph, nodeId);
  const Node& node = graph.node(nodeId);
  const auto found = m_rows.find(registryKey(node.domain, node.opType));
  if (found == m_rows.end()) return {.reason = fmt::format("no kernel for operator {}", operatorName(node))};
  std::string objection;
  for (const KernelRow* row : found->second) {
    if (!row->versions.contains(node.sinceVersion)) continue;
    std::string rowSays = rowObjection(*row, graph, node);
    if (rowSays.empty()) return {.row = row};
    if (objection.empty()) objection = std::move(rowSays);
  }
  if (!objection.empty()) return {.reason = std::move(objection)};
  return {.reason = fmt::format("no kernel for version {} of {}; kernels cover {}", node.sinceVersion,
                                operatorName(node), versionsText(found->second))};
}

Result<std::unique_ptr<Kernel>> KernelRegistry::create(const KernelInfo& asked) const {
  const DoingNode doing(asked.graph(), asked.nodeId());
  KernelInfo info = asked;
  info.setResources(m_resources);
  const Node& node = info.node();
  const auto found = m_rows.find(registryKey(node.domain, node.opType));
  if (found == m_rows.end())
    return fail(atNode({ErrorCode::kNotImplemented, fmt::format("no kernel for operator {}", operatorName(node)), {}},
                       node.name));
  std::vector<std::string> refusals;
  for (const KernelRow* row : found->second) {
    if (!row->versions.contains(node.sinceVersion)) continue;
    if (std::string objection = rowObjection(*row, info.graph(), node); !objection.empty()) {
      KernelWatch::offered(info, *row, objection);
      logRefusal(info, *row, objection);
      refusals.push_back(std::move(objection));
      continue;
    }
    Result<std::unique_ptr<Kernel>> kernel = row->create(info);
    KernelWatch::offered(info, *row, kernel ? std::string_view() : kernel.error().message);
    if (kernel) return kernel;
    logRefusal(info, *row, kernel.error().message);
    // A refusal lets the next row try; any other error is about the model and ends the search.
    if (kernel.error().code != ErrorCode::kNotImplemented) return fail(atNode(std::move(kernel).error(), node.name));
    refusals.push_back(std::move(kernel).error().message);
  }
  if (refusals.empty()) refusals.push_back(find(info.graph(), info.nodeId()).reason);
  return fail(atNode({ErrorCode::kNotImplemented, fmt::format("{}", fmt::join(refusals, "; ")), {}}, node.name));
}

}  // namespace cutaway

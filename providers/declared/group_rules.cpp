#include "providers/declared/group_rules.h"

#include <algorithm>
#include <numeric>

#include "engine/graph/node_label.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/group_namer.h"
#include "engine/provider/node_units.h"
#include "providers/declared/group_memory.h"
#include "providers/declared/node_check.h"

namespace cutaway::declared {

namespace {

// The builder speaks of its own rules; here they come from the profile.
std::string ruleOf(RefusalCause cause) {
  if (cause == RefusalCause::kTooSmall) return "groups.minimum_nodes";
  return cause == RefusalCause::kOption ? "groups.stop_operators" : "groups.quantized_units";
}

int64_t flopsOf(const Graph& graph, std::span<const NodeId> nodes) {
  int64_t total = 0;
  for (const NodeId id : nodes)
    total += std::max<int64_t>(operators::nodeCost(graph, id).flops, 0);
  return total;
}

}  // namespace

GroupRuling::GroupRuling(const Profile& profile, const CapabilityRequest& request, std::vector<char> supported)
    : m_profile(profile), m_request(request), m_graph(request.graph), m_supported(std::move(supported)) {}

void GroupRuling::refuse(NodeId id, RefusalCause cause, const std::string& what, const std::string& rule,
                         const std::string& seen, const std::string& remedy) {
  const std::string source =
      sourceText(m_profile, rule.starts_with("device") ? m_profile.device.source : m_profile.groups.source);
  m_answer.refusals.push_back({id, cause,
                               fmt::format("{}: {}{}{}", m_profile.title, what, source.empty() ? "" : ", ", source),
                               rule, seen, remedy});
}

CapabilityAnswer GroupRuling::answer(std::vector<Refusal> refusals) {
  m_answer.refusals = std::move(refusals);
  if (m_profile.groups.compiled) {
    claimGroups();
  } else {
    claimNodes();
  }
  return std::move(m_answer);
}

// Run by a kernel of the session. The channels-last domain has none, so nodes there are compiled, each as a group of
// its own.
void GroupRuling::claimAlone(NodeId id) {
  ComputeCapability claim{.subGraph = {.nodes = {id}, .metaDef = std::nullopt}};
  if (m_graph.node(id).domain == kChannelsLastDomain) {
    GroupBorder border = borderOf(m_graph, claim.subGraph.nodes, false);
    claim.subGraph.metaDef =
        MetaDef{.name = m_request.names != nullptr ? m_request.names->next() : fmt::format("node_{}", id.index()),
                .domain = {},
                .inputs = std::move(border.inputs),
                .outputs = std::move(border.outputs)};
  }
  m_answer.claims.push_back(std::move(claim));
}

void GroupRuling::claimGroups() {
  // Nodes with bodies stay single: the session runs their bodies, which were asked about on their own.
  std::vector<NodeId> alone;
  for (const NodeId id : m_request.free) {
    if (m_supported[id.index()] == 0 || !m_graph.node(id).hasBodies()) continue;
    m_supported[id.index()] = 0;
    alone.push_back(id);
  }
  const GroupRules& rules = m_profile.groups;
  Groups groups = buildGroups(m_request, {.supported = m_supported,
                                          .quantizedUnits = rules.quantizedUnits,
                                          .constantsAsInputs = rules.constantsOnlyInputs,
                                          .stopOperators = rules.stopOperators,
                                          .minimumNodes = static_cast<size_t>(rules.minimumNodes),
                                          .accept = {},
                                          .domain = {}});
  for (const Refusal& refusal : groups.refusals)
    refuse(refusal.node, refusal.cause, refusal.reason, ruleOf(refusal.cause), refusal.seen, refusal.remedy);
  keepLargest(groups.claims);
  keepWithinMemory(groups.claims);
  m_answer.claims = std::move(groups.claims);
  for (const NodeId id : alone)
    claimAlone(id);
}

void GroupRuling::keepLargest(std::vector<ComputeCapability>& claims) {
  const auto most = static_cast<size_t>(m_profile.groups.maximumGroups);
  if (most == 0 || claims.size() <= most) return;
  std::vector<size_t> bySize(claims.size());
  std::iota(bySize.begin(), bySize.end(), size_t{0});
  std::vector<std::pair<int64_t, size_t>> sizes;
  for (const ComputeCapability& claim : claims)
    sizes.emplace_back(flopsOf(m_graph, claim.subGraph.nodes), claim.subGraph.nodes.size());
  std::stable_sort(bySize.begin(), bySize.end(), [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  std::vector<char> kept(claims.size(), 0);
  for (size_t i = 0; i < most; ++i)
    kept[bySize[i]] = 1;
  std::vector<ComputeCapability> left;
  for (size_t i = 0; i < claims.size(); ++i) {
    if (kept[i] != 0) {
      left.push_back(std::move(claims[i]));
      continue;
    }
    const std::string seen = fmt::format("{} groups", claims.size());
    const std::string what =
        fmt::format("it takes {} of a graph's {}, the largest by operations, and this one of {} nodes is smaller",
                    most == 1 ? "1 group" : fmt::format("{} groups", most), seen, claims[i].subGraph.nodes.size());
    for (const NodeId id : claims[i].subGraph.nodes)
      refuse(id, RefusalCause::kTooSmall, what, "groups.maximum_groups", seen,
             "fewer refused nodes between the groups, so that they become one");
  }
  claims = std::move(left);
}

// Weights stay on the device for all groups at once; activations only while their group runs.
void GroupRuling::keepWithinMemory(std::vector<ComputeCapability>& claims) {
  const int64_t limit = m_profile.device.memoryBytes;
  if (limit == 0) return;
  int64_t weights = 0;
  std::erase_if(claims, [&](const ComputeCapability& claim) {
    const std::vector<NodeId>& nodes = claim.subGraph.nodes;
    const GroupMemory need = groupMemory(m_graph, nodes);
    if (weights + need.total() <= limit) {
      weights += need.weights;
      return false;
    }
    std::string seen =
        fmt::format("{} bytes: weights {}, activations {}", need.total(), need.weights, need.activations);
    if (need.unknown > 0) seen += fmt::format(" and {} values of unknown size", need.unknown);
    if (weights > 0) seen += fmt::format(", beside weights of {} of other groups", weights);
    const std::string what =
        fmt::format("the device has {} bytes, and this group of {} nodes needs {}", limit, nodes.size(), seen);
    for (const NodeId id : nodes)
      refuse(id, RefusalCause::kMemory, what, "device.memory_bytes", seen,
             fmt::format("a device with {} bytes", weights + need.total()));
    return true;
  });
}

void GroupRuling::leaveOutBrokenUnits() {
  if (!m_profile.groups.quantizedUnits) return;
  std::vector<char> isFree(m_graph.nodeSlots(), 0);
  for (const NodeId id : m_request.free)
    isFree[id.index()] = 1;
  const NodeUnits units(m_graph);
  for (const NodeUnit& unit : units.all()) {
    if (!unit.quantized()) continue;
    const auto outside =
        std::find_if(unit.nodes.begin(), unit.nodes.end(), [&](NodeId id) { return m_supported[id.index()] == 0; });
    if (outside == unit.nodes.end()) continue;
    for (const NodeId id : unit.nodes) {
      if (m_supported[id.index()] == 0) continue;
      m_supported[id.index()] = 0;
      const std::string partner = nodeLabel(m_graph, *outside);
      refuse(id, RefusalCause::kOther,
             fmt::format("it belongs to one Q/DQ unit with {}, which {}", partner,
                         isFree[outside->index()] != 0 ? "is refused" : "another provider has claimed"),
             "groups.quantized_units", partner, "every node of the unit must be supported");
    }
  }
}

void GroupRuling::leaveOutStopped() {
  const std::set<std::string>& stops = m_profile.groups.stopOperators;
  if (stops.empty()) return;
  std::vector<char> stopped(m_graph.nodeSlots(), 0);
  for (const NodeId id : m_request.free) {
    const Node& node = m_graph.node(id);
    const auto isStopped = [&](ValueId value) {
      return value.valid() && m_graph.value(value).producer.valid() &&
             stopped[m_graph.value(value).producer.index()] != 0;
    };
    const bool itself =
        stops.contains(node.opType) || (!node.domain.empty() && stops.contains(node.domain + ":" + node.opType));
    if (!itself && std::none_of(node.inputs.begin(), node.inputs.end(), isStopped) &&
        std::none_of(node.implicitInputs.begin(), node.implicitInputs.end(), isStopped))
      continue;
    stopped[id.index()] = 1;
    if (m_supported[id.index()] == 0) continue;
    m_supported[id.index()] = 0;
    refuse(id, RefusalCause::kOption,
           itself ? fmt::format("{} is a stop operator", node.opType) : "it depends on a stop operator",
           "groups.stop_operators", node.opType, "take the operator out of groups.stop_operators");
  }
}

void GroupRuling::claimNodes() {
  leaveOutBrokenUnits();
  leaveOutStopped();
  const int64_t limit = m_profile.device.memoryBytes;
  int64_t weights = 0;
  for (const NodeId id : m_request.free) {
    if (m_supported[id.index()] == 0) continue;
    if (limit > 0) {
      const GroupMemory need = groupMemory(m_graph, {&id, 1});
      if (weights + need.total() > limit) {
        const std::string seen = fmt::format("{} bytes beside weights of {}", need.total(), weights);
        refuse(id, RefusalCause::kMemory,
               fmt::format("the device has {} bytes, and this node needs {} of nodes before it", limit, seen),
               "device.memory_bytes", seen, fmt::format("a device with {} bytes", weights + need.total()));
        continue;
      }
      weights += need.weights;
    }
    claimAlone(id);
  }
}

}  // namespace cutaway::declared

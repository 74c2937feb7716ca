#include "engine/stages/partition/copy_remedies.h"

#include <algorithm>
#include <set>

#include "engine/base/format.h"
#include "engine/graph/node_label.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/report/walk_report.h"

namespace cutaway::partition {

namespace {

constexpr size_t kLargestIsland = 8;
// Nodes around a value that more nodes read than this are not moved in thought: each try would look at all of them.
constexpr size_t kMostUses = 128;

const Device& hostDevice() {
  return heapAllocator().device();
}

bool isImplicit(const Graph& graph, const Use& use) {
  return use.slot >= graph.node(use.node).inputs.size();
}

bool isMoved(const std::vector<NodeId>& moved, NodeId id) {
  return std::ranges::find(moved, id) != moved.end();
}

// Values whose copies depend on where these nodes run.
std::set<ValueId> valuesAround(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::set<ValueId> values;
  for (const NodeId id : nodes) {
    for (const ShortList<ValueId>* list : {&graph.node(id).inputs, &graph.node(id).outputs}) {
      for (const ValueId value : *list) {
        if (value.valid()) values.insert(value);
      }
    }
  }
  return values;
}

}  // namespace

CopyRemedies::CopyRemedies(const Graph& graph, const NodePlaces& places, RefusalLookup refusals)
    : m_graph(graph), m_places(places), m_refusals(std::move(refusals)) {}

Device CopyRemedies::homeOf(ValueId id, const Move& move) const {
  const Value& value = m_graph.value(id);
  if (!value.producer.valid()) return hostDevice();
  return isMoved(move.nodes, value.producer) ? move.to : m_places.output(value.producer, value.producerSlot);
}

std::vector<Device> CopyRemedies::wantedAt(ValueId id, const Move& move) const {
  const Value& value = m_graph.value(id);
  if (value.initializer && !value.isInput) return {};
  const Device home = homeOf(id, move);
  std::vector<Device> wanted;
  const auto want = [&](const Device& device) {
    if (!(device == home) && std::ranges::find(wanted, device) == wanted.end()) wanted.push_back(device);
  };
  if (value.outputCount > 0) want(hostDevice());
  for (const Use& use : value.uses)
    want(isImplicit(m_graph, use)        ? hostDevice()
         : isMoved(move.nodes, use.node) ? move.to
                                         : m_places.input(use.node, use.slot));
  if (!(home == hostDevice()) &&
      std::ranges::any_of(wanted, [](const Device& device) { return !(device == hostDevice()); }))
    want(hostDevice());
  return wanted;
}

CopyRemedies::Copies CopyRemedies::copiesAround(const Move& move, const Move& applied) const {
  Copies copies;
  for (const ValueId id : valuesAround(m_graph, move.nodes)) {
    const int64_t count = static_cast<int64_t>(wantedAt(id, applied).size());
    copies.count += count;
    copies.bytes += count * staticByteSize(m_graph.value(id).type).value_or(0);
  }
  return copies;
}

// Connected nodes of the same provider; empty when there are too many.
std::vector<NodeId> CopyRemedies::island(NodeId start) const {
  std::vector<NodeId> nodes{start};
  const std::string& provider = m_graph.node(start).provider;
  const auto visit = [&](NodeId id) {
    if (nodes.size() <= kLargestIsland && id.valid() && m_graph.node(id).provider == provider && !isMoved(nodes, id))
      nodes.push_back(id);
  };
  for (size_t i = 0; i < nodes.size() && nodes.size() <= kLargestIsland; ++i) {
    for (const ValueId input : m_graph.node(nodes[i]).inputs) {
      if (input.valid()) visit(m_graph.value(input).producer);
    }
    for (const ValueId output : m_graph.node(nodes[i]).outputs) {
      if (!output.valid()) continue;
      for (const Use& use : m_graph.value(output).uses)
        visit(use.node);
    }
  }
  if (nodes.size() > kLargestIsland) return {};
  return nodes;
}

bool CopyRemedies::mayMove(const std::vector<NodeId>& nodes) const {
  if (nodes.empty() || nodes.size() > kMostUses) return false;
  if (std::ranges::any_of(
          nodes, [&](NodeId id) { return m_graph.node(id).hasBodies() || m_graph.node(id).opType == kCopyOperator; }))
    return false;
  return std::ranges::all_of(valuesAround(m_graph, nodes),
                             [&](ValueId value) { return m_graph.value(value).uses.size() <= kMostUses; });
}

std::vector<CopyRemedies::Move> CopyRemedies::candidates(ValueId id, const Device& to) const {
  const Device home = homeOf(id, {});
  std::vector<NodeId> consumers;
  if (m_graph.value(id).uses.size() > kMostUses) return {};
  for (const Use& use : m_graph.value(id).uses) {
    if (!isImplicit(m_graph, use) && m_places.input(use.node, use.slot) == to && !isMoved(consumers, use.node))
      consumers.push_back(use.node);
  }
  const NodeId producer = m_graph.value(id).producer;
  std::vector<Move> moves;
  const auto add = [&](std::vector<NodeId> nodes, const Device& device) {
    if (mayMove(nodes)) moves.push_back({std::move(nodes), device});
  };
  add(consumers, home);
  if (producer.valid()) add({producer}, to);
  if (consumers.size() == 1) add(island(consumers.front()), home);
  if (producer.valid()) add(island(producer), to);
  return moves;
}

std::string CopyRemedies::of(ValueId id, const Device& to) const {
  const Move* best = nullptr;
  Copies bestSaved;
  const std::vector<Move> moves = candidates(id, to);
  for (const Move& move : moves) {
    const std::vector<Device> left = wantedAt(id, move);
    if (std::ranges::find(left, to) != left.end()) continue;
    const Copies before = copiesAround(move, {}), after = copiesAround(move, move);
    const Copies saved{before.count - after.count, before.bytes - after.bytes};
    const bool better = best == nullptr || move.nodes.size() < best->nodes.size() ||
                        (move.nodes.size() == best->nodes.size() && saved.count > bestSaved.count);
    if (saved.count > 0 && better) {
      best = &move;
      bestSaved = saved;
    }
  }
  return best == nullptr ? std::string() : sentence(*best, bestSaved);
}

std::string CopyRemedies::sentence(const Move& move, const Copies& saved) const {
  const std::string provider = move.to == hostDevice() ? m_places.fallback : m_places.providerOf(move.to);
  const std::string others =
      saved.count > 1 ? fmt::format(" and {} {}", saved.count - 1, saved.count == 2 ? "other" : "others") : "";
  const std::string bytes = saved.bytes > 0 ? fmt::format(" ({})", formatBytes(saved.bytes)) : "";
  const std::string what =
      move.nodes.size() == 1
          ? nodeLabel(m_graph, move.nodes.front())
          : fmt::format("{} and {} more", nodeLabel(m_graph, move.nodes.front()), move.nodes.size() - 1);
  std::string text = fmt::format("if {} ran on {}, this copy{}{} would go", what, provider, others, bytes);
  for (const NodeId id : move.nodes) {
    if (const std::string reason = m_refusals(id, provider); !reason.empty())
      return text + fmt::format("; {} refuses {}: {}", provider, nodeLabel(m_graph, id), reason);
  }
  int64_t flops = 0;
  for (const NodeId id : move.nodes)
    flops += std::max<int64_t>(operators::nodeCost(m_graph, id).flops, 0);
  if (flops > 0) text += fmt::format("; it is {} FLOP to compute there", flops);
  return text;
}

}  // namespace cutaway::partition

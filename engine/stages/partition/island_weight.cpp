#include "engine/stages/partition/island_weight.h"

#include <algorithm>
#include <numeric>

#include "engine/operators/cost/node_cost.h"

namespace cutaway::partition {

namespace {

// The host as a round figure of cores with wide vector units; a device wins only when it is better by the margin.
constexpr double kHostFlopsPerThread = 6e10;
constexpr double kHostBytesPerSecond = 2e10;
constexpr double kHostNodeNs = 500;
constexpr double kMargin = 1.5;

struct Island {
  double deviceNs = 0, hostNs = 0;
  int64_t borderBytes = 0;
  int transfers = 0;
  bool isOpen = false;  // a size is not known
};

class Weighing {
 public:
  Weighing(const IslandQuestion& question, std::span<const ComputeCapability> claims, std::vector<char>& wanted)
      : m_question(question),
        m_graph(question.graph),
        m_claims(claims),
        m_wanted(wanted),
        m_speed(question.provider.speed().value_or(DeviceSpeed{})),
        m_claimOf(m_graph.nodeSlots(), kNone),
        m_parent(claims.size()),
        m_islands(claims.size()) {
    std::iota(m_parent.begin(), m_parent.end(), size_t{0});
    for (size_t i = 0; i < claims.size(); ++i) {
      if (!wanted[i]) continue;
      for (const NodeId id : claims[i].subGraph.nodes)
        m_claimOf[id.index()] = static_cast<int32_t>(i);
    }
  }

  std::vector<Refusal> run() {
    joinNeighbours();
    for (size_t i = 0; i < m_claims.size(); ++i)
      if (m_wanted[i]) addClaim(i);
    for (const ValueId id : m_graph.valueIds())
      addCrossing(id);
    return release();
  }

 private:
  size_t rootOf(size_t claim) {
    while (m_parent[claim] != claim)
      claim = m_parent[claim] = m_parent[m_parent[claim]];
    return claim;
  }

  int32_t claimOfProducer(const Value& value) const {
    return value.producer.valid() ? m_claimOf[value.producer.index()] : kNone;
  }

  void joinNeighbours() {
    for (const ValueId id : m_graph.valueIds()) {
      const Value& value = m_graph.value(id);
      const int32_t from = claimOfProducer(value);
      if (from == kNone) continue;
      for (const Use& use : value.uses) {
        const int32_t to = m_claimOf[use.node.index()];
        if (to != kNone) m_parent[rootOf(static_cast<size_t>(to))] = rootOf(static_cast<size_t>(from));
      }
    }
  }

  static double rooflineNs(const operators::NodeCost& cost, double flopsPerSecond, double bytesPerSecond) {
    const auto bytes = static_cast<double>(cost.movedBytes + cost.weightBytes);
    return 1e9 * std::max(static_cast<double>(cost.flops) / flopsPerSecond, bytes / bytesPerSecond);
  }

  void addClaim(size_t claim) {
    Island& island = m_islands[rootOf(claim)];
    const IndexedSubGraph& part = m_claims[claim].subGraph;
    island.deviceNs += m_speed.launchNs * (part.metaDef ? 1.0 : static_cast<double>(part.nodes.size()));
    for (const NodeId id : part.nodes) {
      const operators::NodeCost cost = operators::nodeCost(m_graph, id);
      island.isOpen = island.isOpen || cost.flops < 0 || cost.movedBytes < 0;
      if (island.isOpen || !isSpeedKnown()) continue;
      island.deviceNs += rooflineNs(cost, m_speed.flopsPerSecond, m_speed.memoryBytesPerSecond);
      island.hostNs +=
          kHostNodeNs + rooflineNs(cost, kHostFlopsPerThread * std::max(m_question.threads, 1), kHostBytesPerSecond);
    }
  }

  bool isSpeedKnown() const {
    return m_speed.flopsPerSecond > 0 && m_speed.memoryBytesPerSecond > 0 && m_speed.linkBytesPerSecond > 0;
  }

  // A value goes over once, however many read it there. Weights lie on the device already.
  void addCrossing(ValueId id) {
    const Value& value = m_graph.value(id);
    if (value.initializer) return;
    const int32_t from = claimOfProducer(value);
    std::vector<size_t> into;
    bool leaves = value.outputCount > 0;
    for (const Use& use : value.uses) {
      const int32_t to = m_claimOf[use.node.index()];
      if (to == kNone) {
        leaves = true;
      } else if (from == kNone) {
        into.push_back(rootOf(static_cast<size_t>(to)));
      }
    }
    if (from != kNone && leaves) into.push_back(rootOf(static_cast<size_t>(from)));
    std::ranges::sort(into);
    into.erase(std::unique(into.begin(), into.end()), into.end());
    for (const size_t root : into)
      carry(m_islands[root], value);
  }

  void carry(Island& island, const Value& value) {
    const std::optional<int64_t> bytes = staticByteSize(value.type);
    island.isOpen = island.isOpen || !bytes;
    ++island.transfers;
    island.borderBytes += bytes.value_or(0);
  }

  // Empty: the device keeps it.
  std::string objection(const Island& island) const {
    if (!isSpeedKnown()) return "the device does not say how fast it is";
    if (island.isOpen) return "sizes are open, so nothing can be estimated; bind dimensions";
    const double there = island.deviceNs + island.transfers * m_speed.transferNs +
                         1e9 * static_cast<double>(island.borderBytes) / m_speed.linkBytesPerSecond;
    if (there * kMargin < island.hostNs) return {};
    return fmt::format("estimated {:.1f} us on the device ({} transfers of {} bytes), {:.1f} us here", there / 1e3,
                       island.transfers, island.borderBytes, island.hostNs / 1e3);
  }

  std::vector<Refusal> release() {
    std::vector<Refusal> released;
    std::vector<std::optional<std::string>> reasons(m_claims.size());
    for (size_t i = 0; i < m_claims.size(); ++i) {
      if (!m_wanted[i]) continue;
      const size_t root = rootOf(i);
      if (!reasons[root]) reasons[root] = objection(m_islands[root]);
      if (reasons[root]->empty()) continue;
      m_wanted[i] = 0;
      for (const NodeId id : m_claims[i].subGraph.nodes)
        released.push_back({.node = id,
                            .cause = RefusalCause::kPlacement,
                            .reason = "auto keeps it on the host: " + *reasons[root],
                            .rule = "auto: device against host",
                            .seen = *reasons[root],
                            .remedy = fmt::format("name {} in the list of providers, or measure the model (tune)",
                                                  m_question.provider.name())});
    }
    return released;
  }

  const IslandQuestion& m_question;
  const Graph& m_graph;
  std::span<const ComputeCapability> m_claims;
  std::vector<char>& m_wanted;
  DeviceSpeed m_speed;
  std::vector<int32_t> m_claimOf;  // by node index
  std::vector<size_t> m_parent;    // union-find over claims
  std::vector<Island> m_islands;   // by root claim
};

}  // namespace

std::vector<Refusal> weighIslands(const IslandQuestion& question, std::span<const ComputeCapability> claims,
                                  std::vector<char>& wanted) {
  if (question.provider.device() == heapAllocator().device()) return {};
  return Weighing(question, claims, wanted).run();
}

}  // namespace cutaway::partition

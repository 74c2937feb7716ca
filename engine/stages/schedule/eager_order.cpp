// Walks the base order; after each of its nodes, those that became ready lately and free at least what they add run
// first.

#include "engine/stages/schedule/eager_order.h"

namespace cutaway::schedule {
namespace {

// Nodes in the order in which they became ready, with removal in constant time.
class ReadyList {
 public:
  explicit ReadyList(size_t nodeSlots)
      : m_before(nodeSlots, kNobody), m_after(nodeSlots, kNobody), m_listed(nodeSlots, false) {}
  static constexpr uint32_t kNobody = UINT32_MAX;
  void add(uint32_t node) {
    m_before[node] = m_last;
    m_after[node] = kNobody;
    if (m_last != kNobody) m_after[m_last] = node;
    m_last = node;
    m_listed[node] = true;
    ++m_size;
  }
  void remove(uint32_t node) {
    (m_after[node] == kNobody ? m_last : m_before[m_after[node]]) = m_before[node];
    if (m_before[node] != kNobody) m_after[m_before[node]] = m_after[node];
    m_listed[node] = false;
    --m_size;
  }
  uint32_t last() const { return m_last; }
  uint32_t before(uint32_t node) const { return m_before[node]; }
  bool contains(uint32_t node) const { return m_listed[node]; }
  size_t size() const { return m_size; }

 private:
  std::vector<uint32_t> m_before, m_after;  // by node
  std::vector<bool> m_listed;
  uint32_t m_last = kNobody;
  size_t m_size = 0;
};

class EagerOrder {
 public:
  EagerOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers, const LiveMemory& memory)
      : m_consumers(consumers),
        m_walk(memory),
        m_missing(graph.nodeSlots(), 0),
        m_done(graph.nodeSlots(), false),
        m_ready(graph.nodeSlots()) {
    for (NodeId id : graph.nodeIds())
      m_missing[id.index()] = static_cast<uint32_t>(producers.row(id.index()).size());
  }

  NodeOrder make(std::span<const uint32_t> base) {
    m_order.reserve(base.size());
    for (uint32_t next : base) {
      if (!m_done[next]) {
        if (m_ready.contains(next)) m_stale.push_back(next);
        run(next);
      }
      while (runOneThatFrees()) {
      }
      if (m_ready.size() > kMostListed) dropStale();
    }
    return std::move(m_order);
  }

 private:
  static constexpr int kLookedAt = 16;
  static constexpr size_t kMostListed = 1024;

  void run(uint32_t node) {
    m_done[node] = true;
    m_walk.run(node);
    m_order.push_back(node);
    for (uint32_t consumer : m_consumers.row(node)) {
      if (--m_missing[consumer] == 0) m_ready.add(consumer);
    }
  }

  // Only what became ready lately is looked at again: others come in their turn.
  bool runOneThatFrees() {
    uint32_t node = m_ready.last();
    for (int looked = 0; node != ReadyList::kNobody && looked < kLookedAt; ++looked) {
      const uint32_t earlier = m_ready.before(node);
      const bool runs = !m_done[node] && m_walk.change(node) <= 0;
      if (runs || m_done[node]) m_ready.remove(node);
      if (runs) {
        run(node);
        return true;
      }
      node = earlier;
    }
    return false;
  }

  void dropStale() {
    for (uint32_t node : m_stale) {
      if (m_ready.contains(node)) m_ready.remove(node);
    }
    m_stale.clear();
  }

  const Dependencies& m_consumers;
  LiveWalk m_walk;
  std::vector<uint32_t> m_missing;
  std::vector<bool> m_done;
  ReadyList m_ready;
  std::vector<uint32_t> m_stale;  // that were listed when they ran in their turn
  NodeOrder m_order;
};

}  // namespace

NodeOrder eagerOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                     const LiveMemory& memory, std::span<const uint32_t> base) {
  return EagerOrder(graph, producers, consumers, memory).make(base);
}

}  // namespace cutaway::schedule

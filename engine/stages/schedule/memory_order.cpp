#include "engine/stages/schedule/memory_order.h"

#include <algorithm>

#include <queue>

#include "engine/stages/schedule/eager_order.h"
#include "engine/stages/schedule/orders.h"

namespace cutaway::schedule {
namespace {

constexpr int64_t kSearchedNodes = 4'000'000;  // nodes walked by the local search, over all its trials
constexpr int64_t kFewestTrials = 24;
constexpr int64_t kMostTrials = 4'000;

// Producers of each node, the one whose part of the graph needs the most beyond what it leaves behind first.
Dependencies hungriestFirst(const Dependencies& producers, const Dependencies& consumers, const LiveMemory& memory,
                            std::span<const uint32_t> order) {
  std::vector<int64_t> peak(memory.bytes().size() + producers.offsets.size(), 0), left(peak.size(), 0);
  Dependencies sorted = producers;
  for (uint32_t node : order) {
    auto* first = sorted.targets.data() + sorted.offsets[node];
    auto* last = sorted.targets.data() + sorted.offsets[node + 1];
    std::stable_sort(first, last, [&](uint32_t a, uint32_t b) { return peak[a] - left[a] > peak[b] - left[b]; });
    int64_t own = 0, highest = 0, held = 0;
    for (uint32_t output : memory.outputs(node))
      own += memory.bytes()[output];
    for (auto* producer = first; producer != last; ++producer) {
      // A producer with other readers belongs to the branch that asks for it first: count it as what it leaves.
      const bool alone = consumers.row(*producer).size() == 1;
      highest = std::max(highest, held + (alone ? peak[*producer] : left[*producer]));
      held += left[*producer];
    }
    peak[node] = std::max(highest, held + own);
    left[node] = own;
  }
  return sorted;
}

// Always the ready node that adds least (frees most); among equals the one that became ready last, because what it
// reads is warm. `rank` decides between nodes that both add.
class GreedyOrder {
 public:
  GreedyOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
              const LiveMemory& memory, std::span<const uint32_t> rank)
      : m_graph(graph),
        m_producers(producers),
        m_consumers(consumers),
        m_memory(memory),
        m_rank(rank),
        m_walk(memory),
        m_sum(memory.readerSum()) {}

  NodeOrder make() {
    m_missing.assign(m_graph.nodeSlots(), 0);
    m_done.assign(m_graph.nodeSlots(), false);
    NodeOrder order;
    order.reserve(m_graph.nodeCount());
    for (NodeId id : m_graph.nodeIds()) {
      m_missing[id.index()] = static_cast<uint32_t>(m_producers.row(id.index()).size());
      if (m_missing[id.index()] == 0) push(static_cast<uint32_t>(id.index()));
    }
    while (!m_ready.empty()) {
      const Entry entry = m_ready.top();
      m_ready.pop();
      if (m_done[entry.node] || entry.change != m_walk.change(entry.node))
        continue;  // an older entry of a node whose gain has changed
      m_done[entry.node] = true;
      m_walk.run(entry.node);
      order.push_back(entry.node);
      for (uint32_t consumer : m_consumers.row(entry.node)) {
        if (--m_missing[consumer] == 0) push(consumer);
      }
      // A buffer with one reader left is freed by that reader.
      for (uint32_t input : m_memory.inputs(entry.node)) {
        m_sum[input] -= entry.node;
        if (m_walk.readersLeft(input) != 1) continue;
        const auto last = static_cast<uint32_t>(m_sum[input]);
        if (!m_done[last] && m_missing[last] == 0) push(last);
      }
    }
    return order;
  }

 private:
  struct Entry {
    int64_t change;
    uint64_t tie;
    uint32_t node;
    bool operator<(const Entry& other) const {
      return change != other.change ? change > other.change : tie != other.tie ? tie > other.tie : node > other.node;
    }
  };
  void push(uint32_t node) {
    const int64_t change = m_walk.change(node);
    if (m_rank.empty() || change <= 0) return m_ready.push({change, UINT64_MAX - ++m_clock, node});
    m_ready.push({change, m_rank[node], node});
  }

  const Graph& m_graph;
  const Dependencies& m_producers;
  const Dependencies& m_consumers;
  const LiveMemory& m_memory;
  std::span<const uint32_t> m_rank;
  LiveWalk m_walk;
  std::vector<uint64_t> m_sum;
  std::vector<uint32_t> m_missing;
  std::vector<bool> m_done;
  std::priority_queue<Entry> m_ready;
  uint64_t m_clock = 0;
};

// Moves single nodes across the peak: what begins before it and is first needed behind it goes behind, what could end
// before it comes forward.
class PeakSearch {
 public:
  PeakSearch(const Graph& graph, const Dependencies& producers, const Dependencies& consumers, const LiveMemory& memory,
             const Progress* progress)
      : m_producers(producers),
        m_consumers(consumers),
        m_memory(memory),
        m_progress(progress),
        m_position(graph.nodeSlots(), 0) {}

  void improve(NodeOrder& order) {
    m_trials = std::clamp(kSearchedNodes / std::max<int64_t>(1, static_cast<int64_t>(order.size())), kFewestTrials,
                          kMostTrials);
    OrderMemory best = OrderMemory::of(m_memory, order);
    while (m_trials > 0 && improveOnce(order, best)) {
    }
  }

 private:
  void number(const NodeOrder& order) {
    for (size_t i = 0; i < order.size(); ++i)
      m_position[order[i]] = static_cast<uint32_t>(i);
  }
  size_t firstConsumer(uint32_t node, size_t end) const {
    size_t first = end;
    for (uint32_t consumer : m_consumers.row(node))
      first = std::min<size_t>(first, m_position[consumer]);
    return first;
  }
  size_t afterProducers(uint32_t node) const {
    size_t after = 0;
    for (uint32_t producer : m_producers.row(node))
      after = std::max<size_t>(after, m_position[producer] + size_t{1});
    return after;
  }
  bool tryMove(NodeOrder& order, size_t from, size_t to, OrderMemory& best) {
    --m_trials;
    NodeOrder changed = order;
    const auto at = changed.begin();
    if (from < to)
      std::rotate(at + static_cast<std::ptrdiff_t>(from), at + static_cast<std::ptrdiff_t>(from) + 1,
                  at + static_cast<std::ptrdiff_t>(to));
    else
      std::rotate(at + static_cast<std::ptrdiff_t>(to), at + static_cast<std::ptrdiff_t>(from),
                  at + static_cast<std::ptrdiff_t>(from) + 1);
    const OrderMemory profile = OrderMemory::of(m_memory, changed);
    if (!profile.betterThan(best)) return false;
    order = std::move(changed);
    best = profile;
    return true;
  }

  bool improveOnce(NodeOrder& order, OrderMemory& best) {
    number(order);
    const size_t peak = best.peakStep;
    struct Move {
      int64_t gain;
      size_t from, to;
    };
    std::vector<Move> moves;
    for (size_t at = 0; at <= peak && at < order.size(); ++at) {
      const size_t first = firstConsumer(order[at], order.size());
      if (first <= peak + (at == peak ? 1 : 0) || first == order.size()) continue;
      int64_t made = 0;
      for (uint32_t output : m_memory.outputs(order[at]))
        made += m_memory.bytes()[output];
      if (made > 0) moves.push_back({made, at, first});
    }
    for (size_t at = peak + 1; at < order.size(); ++at) {
      const size_t after = afterProducers(order[at]);
      if (after > peak) continue;
      int64_t read = 0;
      for (uint32_t input : m_memory.inputs(order[at]))
        read += m_memory.readers()[input] == 1 ? m_memory.bytes()[input] : 0;
      for (uint32_t output : m_memory.outputs(order[at]))
        read -= m_memory.bytes()[output];
      if (read > 0) moves.push_back({read, at, after});
    }
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    for (const Move& move : moves) {
      if (m_trials <= 0 || (m_progress != nullptr && m_progress->cancelled())) return false;
      if (tryMove(order, move.from, move.to, best)) return true;
    }
    return false;
  }

  const Dependencies& m_producers;
  const Dependencies& m_consumers;
  const LiveMemory& m_memory;
  const Progress* m_progress;
  std::vector<uint32_t> m_position;
  int64_t m_trials = 0;
};

}  // namespace

Result<NodeOrder> memoryOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                              const LiveMemory& memory, const Progress* progress) {
  CUTAWAY_TRY(NodeOrder best, depthFirstOrder(graph, producers, consumers));
  OrderMemory smallest = OrderMemory::of(memory, best);
  const auto consider = [&](NodeOrder order) {
    if (order.size() != best.size()) return;
    const OrderMemory profile = OrderMemory::of(memory, order);
    if (!profile.betterThan(smallest)) return;
    smallest = profile;
    best = std::move(order);
  };
  const NodeOrder standard = best;
  std::vector<uint32_t> rank(graph.nodeSlots(), 0);
  for (size_t i = 0; i < standard.size(); ++i)
    rank[standard[i]] = static_cast<uint32_t>(i);
  CUTAWAY_TRY(NodeOrder hungriest,
              depthFirstOrder(graph, hungriestFirst(producers, consumers, memory, standard), consumers));
  consider(eagerOrder(graph, producers, consumers, memory, standard));
  consider(eagerOrder(graph, producers, consumers, memory, hungriest));
  consider(std::move(hungriest));
  consider(GreedyOrder(graph, producers, consumers, memory, {}).make());
  consider(GreedyOrder(graph, producers, consumers, memory, rank).make());
  if (progress != nullptr && progress->cancelled()) return fail(cancelledError());
  PeakSearch(graph, producers, consumers, memory, progress).improve(best);
  return best;
}

}  // namespace cutaway::schedule

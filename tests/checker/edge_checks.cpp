// Rule 8: where two values share bytes, edges alone prove that every access of the one is over before the other is
// written.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

// Which steps are reached from which, as rows of bits.
class Reach {
 public:
  Reach(size_t steps, const std::vector<StepEdge>& edges)
      : m_words((steps + 63) / 64), m_bits(steps * m_words, 0), m_next(steps) {
    for (const StepEdge& edge : edges)
      m_next[static_cast<size_t>(edge.from)].push_back(edge.to);
    for (size_t step = steps; step-- > 0;) {
      for (const int32_t to : m_next[step]) {
        const auto target = static_cast<size_t>(to);
        m_bits[step * m_words + target / 64] |= uint64_t{1} << (target % 64);
        for (size_t word = 0; word < m_words; ++word)
          m_bits[step * m_words + word] |= m_bits[target * m_words + word];
      }
    }
  }
  bool before(int32_t from, int32_t to) const {
    const auto source = static_cast<size_t>(from), target = static_cast<size_t>(to);
    return (m_bits[source * m_words + target / 64] >> (target % 64) & 1) != 0;
  }

 private:
  size_t m_words;
  std::vector<uint64_t> m_bits;
  std::vector<std::vector<int32_t>> m_next;
};

class EdgeProof {
 public:
  EdgeProof(const PlanFacts& facts, const Reach& reach, Complaints& complaints)
      : m_facts(facts), m_reach(reach), m_complaints(complaints), m_writers(facts.plan.graph.valueSlots()) {
    for (const schedule::ExecutionStep& step : facts.plan.order.steps) {
      for (const ValueId value : facts.plan.graph.node(step.node).outputs) {
        if (value.valid()) findWriters(value.index());
      }
    }
  }

  void run() {
    std::vector<std::vector<size_t>> inRoot(m_facts.plan.graph.valueSlots());
    for (const ValueId id : m_facts.plan.graph.valueIds()) {
      if (m_facts.isPlaced(id.index()) && m_facts.plan.graph.value(id).producer.valid())
        inRoot[m_facts.places.root(id.index())].push_back(id.index());
    }
    for (size_t root = 0; root < inRoot.size(); ++root) {
      for (size_t other = 0; other < inRoot.size(); ++other) {
        if (inRoot[root].empty() || inRoot[other].empty() || (root != other && !blocksOverlap(root, other))) continue;
        for (const size_t written : inRoot[root]) {
          if (!isWritten(m_facts, written)) continue;
          for (const size_t value : inRoot[other])
            judge(written, value);
        }
      }
    }
  }

 private:
  int32_t stepOf(size_t value) const { return m_facts.stepOf(m_facts.plan.graph.value(ValueId{value}).producer); }

  // The values whose writing left bytes of this one; inputs first, since producers come first in the order.
  void findWriters(size_t value) {
    std::vector<size_t>& writers = m_writers[value];
    const Node& node = m_facts.plan.graph.node(m_facts.plan.graph.value(ValueId{value}).producer);
    const bool written = isWritten(m_facts, value);
    if (written) writers.push_back(value);
    for (const ValueId input : node.inputs) {
      if (!input.valid()) continue;
      const bool kept = written ? isPartOfJoin(m_facts, value, input.index())
                                : m_facts.places.root(input.index()) == m_facts.places.root(value);
      if (kept) writers.insert(writers.end(), m_writers[input.index()].begin(), m_writers[input.index()].end());
    }
    std::sort(writers.begin(), writers.end());
    writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
  }

  bool blocksOverlap(size_t rootA, size_t rootB) const {
    if (m_facts.plan.pattern == nullptr) return false;
    const pattern::MemoryPatternGroup& group = *m_facts.plan.pattern;
    const pattern::MemoryBlock &a = group.blocks[rootA], &b = group.blocks[rootB];
    if (a.offset < 0 || b.offset < 0 || group.patternOfValue[rootA] != group.patternOfValue[rootB]) return false;
    return a.offset < b.offset + b.sizeBytes && b.offset < a.offset + a.sizeBytes;
  }

  bool shareBytes(size_t a, size_t b) const {
    if (m_facts.places.root(a) == m_facts.places.root(b))
      return m_facts.places.overlap(m_facts.places.owner(a), m_facts.places.owner(b), m_facts.sizes);
    return true;  // their buffers overlap; parts of them are taken as whole buffers
  }

  bool isOver(size_t value, size_t written) const {
    const Value& each = m_facts.plan.graph.value(ValueId{value});
    const int32_t write = stepOf(written);
    if (each.outputCount > 0 || !m_reach.before(stepOf(value), write)) return false;
    return std::all_of(each.uses.begin(), each.uses.end(), [&](const Use& use) {
      const int32_t reader = m_facts.stepOf(use.node);
      return m_reach.before(reader, write) || (reader == write && mayOverwrite(m_facts, written, value));
    });
  }

  void judge(size_t written, size_t value) {
    const std::vector<size_t>& writers = m_writers[value];
    if (value == written || std::binary_search(writers.begin(), writers.end(), written) || !shareBytes(written, value))
      return;
    if (m_facts.places.root(written) == m_facts.places.root(value) && isPartOfJoin(m_facts, written, value)) return;
    const bool comesLater = std::all_of(writers.begin(), writers.end(),
                                        [&](size_t writer) { return m_reach.before(stepOf(written), stepOf(writer)); });
    if (isOver(value, written) || (comesLater && !writers.empty())) return;
    m_complaints.add(PlanRule::kEdges,
                     "'{}' (step {}) and '{}' (step {}) share bytes, and no edges say which comes first",
                     m_facts.name(value), stepOf(value), m_facts.name(written), stepOf(written));
  }

  const PlanFacts& m_facts;
  const Reach& m_reach;
  Complaints& m_complaints;
  std::vector<std::vector<size_t>> m_writers;
};

// Bodies of one step lie in the pattern too: they are written while their node runs.
void checkBodyEdges(const PlanFacts& facts, const Reach& reach, Complaints& complaints) {
  if (facts.plan.pattern == nullptr) return;
  const pattern::MemoryPatternGroup& group = *facts.plan.pattern;
  const auto overlaps = [&](const pattern::BodyWorkspace& body, int32_t pattern, const pattern::MemoryBlock& block) {
    return body.pattern >= 0 && body.pattern == pattern && block.offset >= 0 &&
           block.offset < body.block.offset + body.block.sizeBytes &&
           body.block.offset < block.offset + block.sizeBytes;
  };
  for (size_t i = 0; i < group.bodies.size(); ++i) {
    const pattern::BodyWorkspace& body = group.bodies[i];
    for (size_t j = 0; j < i; ++j) {
      const pattern::BodyWorkspace& other = group.bodies[j];
      if (other.step == body.step || !overlaps(body, other.pattern, other.block) ||
          reach.before(other.step, body.step) || reach.before(body.step, other.step))
        continue;
      complaints.add(PlanRule::kEdges, "the bodies of steps {} and {} share bytes, and no edges say which comes first",
                     other.step, body.step);
    }
    for (const ValueId id : facts.plan.graph.valueIds()) {
      const size_t root = facts.isPlaced(id.index()) ? facts.places.root(id.index()) : id.index();
      if (!facts.plan.graph.value(id).producer.valid() ||
          !overlaps(body, group.patternOfValue[root], group.blocks[root]))
        continue;
      const int32_t made = facts.stepOf(facts.plan.graph.value(id).producer);
      const auto& uses = facts.plan.graph.value(id).uses;
      const bool over = reach.before(made, body.step) && std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
                          return reach.before(facts.stepOf(use.node), body.step);
                        });
      if (!over && !reach.before(body.step, made))
        complaints.add(PlanRule::kEdges,
                       "the bodies of step {} and '{}' share bytes, and no edges say which comes first", body.step,
                       facts.name(id.index()));
    }
  }
}

}  // namespace

std::vector<PlanViolation> checkEdges(const PlanToCheck& plan, const std::vector<StepEdge>& edges) {
  Complaints complaints;
  if (!checkOrder(plan, complaints) || !checkRoots(plan, complaints)) return complaints.take();
  const auto steps = static_cast<int32_t>(plan.order.steps.size());
  for (const StepEdge& edge : edges) {
    if (edge.from < 0 || edge.to >= steps || edge.from >= edge.to)
      complaints.add(PlanRule::kEdges, "an edge from step {} to step {}", edge.from, edge.to);
  }
  if (!complaints.empty()) return complaints.take();
  const Reach reach(plan.order.steps.size(), edges);
  for (const StepEdge& edge : dataEdges(plan.graph, plan.order)) {
    if (!reach.before(edge.from, edge.to))
      complaints.add(PlanRule::kEdges, "step {} needs step {}, and no edges say so", edge.to, edge.from);
  }
  const PlanFacts facts(plan);
  EdgeProof(facts, reach, complaints).run();
  checkBodyEdges(facts, reach, complaints);
  return complaints.take();
}

}  // namespace cutaway

// What lies where at every step. A value is needed from the start of its producer to the end of its last reader; while
// it is, nobody writes into bytes that it lies in. With several workers, a step counts as running from its start to the
// last step that may start before it has ended, so that every interleaving is covered.
//
// Example: B is read at steps 3 and 5, and step 5 may run until 6. D is written at 6 into the same buffer: a violation,
// though one worker would have got it right.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

class Walk {
 public:
  Walk(const PlanFacts& facts, Complaints& complaints)
      : m_facts(facts), m_complaints(complaints), m_live(facts.plan.graph.valueSlots()) {}

  void run() {
    for (size_t step = 0; step < m_facts.plan.order.steps.size(); ++step) {
      const Node& node = m_facts.plan.graph.node(m_facts.plan.order.steps[step].node);
      for (const ValueId value : node.outputs) {
        if (value.valid()) makeLive(value.index(), static_cast<int32_t>(step));
      }
      for (const ValueId value : node.outputs) {
        if (value.valid() && isWritten(m_facts, value.index())) write(value.index(), node, static_cast<int32_t>(step));
      }
    }
  }

 private:
  void makeLive(size_t value, int32_t step) {
    std::vector<size_t>& live = m_live[m_facts.places.root(value)];
    std::erase_if(live, [&](size_t each) { return m_facts.lastStep[each] < step; });
    live.push_back(value);
  }

  void write(size_t value, const Node& node, int32_t step) {
    const size_t root = m_facts.places.root(value);
    const AllocKind kind = m_facts.planned(root).kind;
    if (kind == AllocKind::kPreExisting || kind == AllocKind::kAllocateStatically)
      return;  // the structure says so already
    for (const size_t other : m_live[root]) {
      if (other == value ||
          !m_facts.places.overlap(m_facts.places.owner(other), m_facts.places.owner(value), m_facts.sizes))
        continue;
      if (isPartOfJoin(m_facts, value, other)) continue;
      judge(value, other, node, step);
    }
  }

  static bool reads(const Node& node, size_t value) {
    return std::find(node.inputs.begin(), node.inputs.end(), ValueId{value}) != node.inputs.end() ||
           std::find(node.implicitInputs.begin(), node.implicitInputs.end(), ValueId{value}) !=
               node.implicitInputs.end();
  }

  // Until when anybody but this node needs it, with running steps counted to their end (or to their start).
  int32_t neededBeside(size_t value, NodeId except, bool toTheEnd) const {
    const auto endOf = [&](int32_t step) {
      return toTheEnd ? m_facts.plan.order.endStep(static_cast<size_t>(step)) : step;
    };
    const Value& each = m_facts.plan.graph.value(ValueId{value});
    int32_t until = each.producer.valid() ? endOf(m_facts.stepOf(each.producer)) : -1;
    if (each.outputCount > 0) until = m_facts.lastStep[value];
    for (const Use& use : each.uses) {
      if (use.node != except) until = std::max(until, endOf(m_facts.stepOf(use.node)));
    }
    return until;
  }

  void judge(size_t written, size_t other, const Node& node, int32_t step) {
    const NodeId id = m_facts.plan.order.steps[static_cast<size_t>(step)].node;
    const std::string& name = m_facts.name(written);
    const std::string& lost = m_facts.name(other);
    if (!reads(node, other)) {
      const bool onlyWhileRunning = neededBeside(other, id, false) < step;
      if (onlyWhileRunning)
        return m_complaints.add(PlanRule::kWorkers,
                                "step {} writes '{}' over '{}' while a reader of that may be running", step, name,
                                lost);
      const bool isOutput = m_facts.plan.graph.value(ValueId{other}).outputCount > 0;
      return m_complaints.add(isOutput                                               ? PlanRule::kOutputs
                              : m_facts.planned(written).rule == AllocRule::kInPlace ? PlanRule::kInPlace
                                                                                     : PlanRule::kContent,
                              "step {} writes '{}' over '{}', which is needed until {}", step, name, lost,
                              m_facts.lastStep[other]);
    }
    if (!mayOverwrite(m_facts, written, other))
      return m_complaints.add(PlanRule::kInPlace,
                              "step {} writes '{}' over its input '{}' without a hint that allows just that", step,
                              name, lost);
    if (neededBeside(other, id, false) >= step)
      return m_complaints.add(PlanRule::kInPlace, "step {} writes '{}' over its input '{}', which is needed until {}",
                              step, name, lost, neededBeside(other, id, false));
    if (neededBeside(other, id, true) >= step)
      m_complaints.add(PlanRule::kWorkers,
                       "step {} writes '{}' over its input '{}' while another reader may be running", step, name, lost);
  }

  const PlanFacts& m_facts;
  Complaints& m_complaints;
  std::vector<std::vector<size_t>> m_live;  // by root: values in it that are needed
};

}  // namespace

void checkContents(const PlanFacts& facts, Complaints& complaints) {
  Walk(facts, complaints).run();
}

}  // namespace cutaway

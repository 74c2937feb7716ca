// Runs the plan on a model of memory: a buffer holds a version; writing makes a new version, a view keeps the one it looks at.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

class Simulation {
 public:
  Simulation(const PlanToCheck& plan, Complaints& complaints)
      : m_plan(plan), m_complaints(complaints), m_content(plan.graph.valueSlots(), 0), m_version(plan.graph.valueSlots(), 0), m_released(plan.graph.valueSlots(), false) {}

  void run() {
    for (size_t i = 0; i < m_plan.graph.valueSlots(); ++i) {
      const AllocKind kind = m_plan.allocation.values[i].kind;
      if (kind == AllocKind::kPreExisting || kind == AllocKind::kAllocateStatically) m_content[i] = m_version[i] = ++m_clock;
    }
    for (size_t step = 0; step < m_plan.order.steps.size(); ++step) {
      launch(m_plan.order.steps[step].node);
      for (ValueId value : m_plan.allocation.releasedAfterStep[step]) {
        if (value.valid()) m_released[value.index()] = true;
      }
    }
    for (ValueId value : m_plan.graph.outputs()) {
      if (!holds(value)) m_complaints.add(PlanRule::kOutputs, "graph output '{}' does not hold its content at the end", nameOf(value));
    }
  }

 private:
  const std::string& nameOf(ValueId value) const { return m_plan.graph.value(value).name; }
  size_t bufferOf(ValueId value) const { return m_plan.allocation.values[value.index()].root.index(); }
  bool holds(ValueId value) const { return m_version[value.index()] != 0 && m_content[bufferOf(value)] == m_version[value.index()] && !m_released[bufferOf(value)]; }

  void launch(NodeId id) {
    const Node& node = m_plan.graph.node(id);
    const NodeMemoryHints hints = m_plan.hints(id);
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (ValueId value : *list) {
        if (value.valid() && !holds(value)) m_complaints.add(PlanRule::kContent, "node {} ({}) reads '{}', whose buffer holds something else by then", id.index(), node.opType, nameOf(value));
      }
    }
    std::vector<size_t> written;
    for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (node.outputs[slot].valid()) produce(id, node, slot, hints, written);
    }
  }

  void produce(NodeId id, const Node& node, size_t slot, const NodeMemoryHints& hints, std::vector<size_t>& written) {
    const ValueId output = node.outputs[slot];
    const AllocPlanPerValue& planned = m_plan.allocation.values[output.index()];
    const size_t buffer = bufferOf(output);
    if (planned.kind == AllocKind::kShare || (planned.kind == AllocKind::kReuse && looksAt(node, slot, planned.reusedBuffer, hints))) {
      m_version[output.index()] = m_version[planned.reusedBuffer.index()];
      return;
    }
    const AllocKind kind = m_plan.allocation.values[buffer].kind;
    if (kind == AllocKind::kPreExisting || kind == AllocKind::kAllocateStatically) m_complaints.add(PlanRule::kFeedsAndWeights, "node {} writes '{}' over '{}'", id.index(), nameOf(output), m_plan.graph.value(ValueId{buffer}).name);
    if (m_released[buffer]) m_complaints.add(PlanRule::kRelease, "node {} writes '{}' into a buffer that was released", id.index(), nameOf(output));
    if (std::find(written.begin(), written.end(), buffer) != written.end()) m_complaints.add(PlanRule::kContent, "node {} writes two outputs into one buffer", id.index());
    written.push_back(buffer);
    checkOverwrite(id, node, slot, buffer, hints);
    m_content[buffer] = m_version[output.index()] = ++m_clock;
  }

  static bool looksAt(const Node& node, size_t slot, ValueId input, const NodeMemoryHints& hints) {
    return std::any_of(hints.inplace.begin(), hints.inplace.end(), [&](const InplaceHint& hint) {
      return hint.kind == AliasKind::kAlias && hint.output == static_cast<int>(slot) && hint.input >= 0 && static_cast<size_t>(hint.input) < node.inputs.size() && node.inputs[static_cast<size_t>(hint.input)] == input;
    });
  }

  // Writing into a buffer that this very node reads needs a hint for exactly that input, and no other input in the same buffer.
  void checkOverwrite(NodeId id, const Node& node, size_t slot, size_t buffer, const NodeMemoryHints& hints) {
    int readers = 0;
    bool allowed = false;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!node.inputs[i].valid() || bufferOf(node.inputs[i]) != buffer) continue;
      ++readers;
      allowed = allowed || std::any_of(hints.inplace.begin(), hints.inplace.end(), [&](const InplaceHint& hint) {
        return hint.kind == AliasKind::kMayInplace && hint.input == static_cast<int>(i) && hint.output == static_cast<int>(slot);
      });
    }
    for (ValueId value : node.implicitInputs) {
      if (value.valid() && bufferOf(value) == buffer) readers += 2;
    }
    if (readers == 0) return;
    if (readers > 1) m_complaints.add(PlanRule::kInPlace, "node {} reads the buffer it writes '{}' into more than once", id.index(), nameOf(node.outputs[slot]));
    if (!allowed) m_complaints.add(PlanRule::kInPlace, "node {} writes '{}' over an input without a hint that allows it", id.index(), nameOf(node.outputs[slot]));
  }

  const PlanToCheck& m_plan;
  Complaints& m_complaints;
  std::vector<int64_t> m_content;  // by buffer: the version in it
  std::vector<int64_t> m_version;  // by value: the version it was written as
  std::vector<bool> m_released;
  int64_t m_clock = 0;
};

}  // namespace

void checkContents(const PlanToCheck& plan, Complaints& complaints) { Simulation(plan, complaints).run(); }

}  // namespace cutaway

// The planner walks the execution order once and keeps use counts of ranges of bytes (extents).
//
// Feeds, weights and values of outer graphs count one use too many, so they are never recycled; every explicit or
// implicit use, the definition itself and every place among the graph outputs add one. When nobody uses any byte of a
// buffer after a step, it is free. The rules and their order are onnxruntime/core/framework/allocation_planner.cc;
// parts of joins and splits, larger buffers and sizes as polynomials are ours. A step of a plan for several workers may
// still run while later ones start: its uses end with its end step (SequentialExecutionPlan::endStep), and everything
// else follows from that. Example: with X -> A=Relu -> B=MatMul -> C=Relu(B) -> D=Add(C,B): C takes A's buffer, because
// A is free and has the same size.

#include "engine/stages/allocate/allocate.h"

#include <algorithm>

#include "engine/stages/allocate/onnxruntime_hints.h"
#include "engine/stages/allocate/planner.h"

namespace cutaway::allocate {
namespace {

template <typename Visit>
void forEachInput(const Node& node, Visit&& visit) {
  uint32_t slot = 0;
  for (const auto* list : {&node.inputs, &node.implicitInputs}) {
    for (ValueId value : *list) {
      if (value.valid()) visit(value, slot);
      ++slot;
    }
  }
}

bool contains(const IndexList& slots, size_t slot) {
  return std::find(slots.begin(), slots.end(), static_cast<int>(slot)) != slots.end();
}

}  // namespace

Planner::Planner(const Graph& graph, const schedule::SequentialExecutionPlan& order, const MemoryHints& hints,
                 const AllocateOptions& options)
    : m_graph(graph),
      m_order(order),
      m_options(options),
      m_lastStep(std::max<int32_t>(0, static_cast<int32_t>(order.steps.size()) - 1)),
      m_sizes(graph, options),
      m_free(m_sizes, options.rules, graph.valueSlots()) {
  const size_t slots = graph.valueSlots();
  m_plan.values.resize(slots);
  m_plan.releasedAfterStep.resize(order.steps.size());
  m_devices.resize(slots);
  m_uses.assign(slots, 0);
  m_lastUse.assign(slots, 0);
  m_firstUse.assign(slots, {});
  m_extent.assign(slots, -1);
  m_isReserved.assign(slots, false);
  m_freedStep.assign(slots, -1);
  if (!order.endOfStep.empty()) m_endingAt.resize(order.steps.size());
  readHints(hints);
}

void Planner::readHints(const MemoryHints& hints) {
  m_hints.resize(m_graph.nodeSlots());
  for (const schedule::ExecutionStep& step : m_order.steps) {
    NodeMemoryHints& read = m_hints[step.node.index()];
    read = hints(step.node);
    const Node& node = m_graph.node(step.node);
    if (m_options.rules == AllocRules::kOnnxruntime) read.inplace = onnxruntimeDeclarations(node, read.inplace);
    for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (node.outputs[slot].valid()) m_devices[node.outputs[slot].index()] = locationOf(read, slot);
    }
  }
}

Result<AllocationPlan> Planner::run() {
  CUTAWAY_CHECK(countUses());
  placeOuterValues();
  m_destinations.emplace(Destinations::Context{m_graph, m_order, m_hints, m_devices, m_sizes, m_options});
  for (size_t step = 0; step < m_order.steps.size(); ++step) {
    if (step % 1024 == 0 && m_options.progress != nullptr && m_options.progress->cancelled())
      return fail(cancelledError());
    placeStep(static_cast<int32_t>(step));
  }
  if (m_options.rules == AllocRules::kOnnxruntime) keepUnreadBuffers();
  for (size_t root = 0; root < m_freedStep.size(); ++root) {
    if (m_freedStep[root] >= 0)
      m_plan.releasedAfterStep[static_cast<size_t>(m_freedStep[root])].push_back(ValueId{root});
  }
  return std::move(m_plan);
}

Result<void> Planner::countUses() {
  for (size_t step = 0; step < m_order.steps.size(); ++step) {
    const NodeId id = m_order.steps[step].node;
    const Node& node = m_graph.node(id);
    const int32_t end = m_order.endStep(step);
    if (end < static_cast<int32_t>(step) || end > m_lastStep)
      return fail(ErrorCode::kInvalidArgument, "step {} of the order ends at step {}, which lies outside of {} to {}",
                  step, end, step, m_lastStep);
    forEachInput(node, [&](ValueId value, uint32_t slot) {
      ++m_uses[value.index()];
      m_lastUse[value.index()] = std::max(m_lastUse[value.index()], end);
      if (!m_firstUse[value.index()].node.valid()) m_firstUse[value.index()] = {id, slot};
    });
    for (ValueId value : node.outputs) {
      if (!value.valid()) continue;
      ++m_uses[value.index()];
      m_lastUse[value.index()] = std::max(m_lastUse[value.index()], end);
    }
  }
  for (ValueId value : m_graph.outputs()) {
    if (!value.valid())
      return fail(ErrorCode::kInvalidGraph, "graph '{}' lists an output that does not exist", m_graph.name());
    ++m_uses[value.index()];
    m_lastUse[value.index()] = m_lastStep;
  }
  return {};
}

Device Planner::locationOf(const NodeMemoryHints& hints, size_t outputSlot) const {
  return contains(hints.hostOutputs, outputSlot) ? Device{} : hints.device;
}

// Feeds, weights and values of outer graphs go where their first reader wants them.
Device Planner::locationOfFeed(ValueId value) const {
  const FirstUse& use = m_firstUse[value.index()];
  if (!use.node.valid()) return Device{};
  const NodeMemoryHints& hints = hintsOf(use.node);
  return contains(hints.hostInputs, use.slot) ? Device{} : hints.device;
}

void Planner::placeOuterValues() {
  for (ValueId id : m_graph.valueIds()) {
    const Value& value = m_graph.value(id);
    if (value.producer.valid()) continue;
    AllocPlanPerValue& plan = planOf(id);
    if (value.initializer) {
      openBuffer(id, AllocKind::kAllocateStatically, AllocRule::kWeight);
      if (m_graph.isConstant(id)) {
        because(id, "weight: lives with the session");
      } else {
        because(id, "default value of an input: lives with the session; a feed may stand in for it");
      }
    } else if (value.isInput) {
      openBuffer(id, AllocKind::kPreExisting, AllocRule::kFeed);
      because(id, "graph input: the caller brings its memory");
    } else if (value.outerScope) {
      openBuffer(id, AllocKind::kPreExisting, AllocRule::kOuter);
      because(id, "value of an outer graph: exists before this graph runs");
    } else {
      because(id, "nothing produces or feeds this value");
      continue;
    }
    m_extents.use(extentOf(id), m_uses[id.index()] + 1);  // one more than there are: never recycled
    plan.device = locationOfFeed(id);
    plan.counter.starts = {0};
    plan.counter.ends = {plan.kind == AllocKind::kAllocateStatically ? m_lastStep : m_lastUse[id.index()]};
  }
}

void Planner::placeStep(int32_t step) {
  const NodeId id = m_order.steps[static_cast<size_t>(step)].node;
  const Node& node = m_graph.node(id);
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (node.outputs[slot].valid()) place(id, slot, step);
  }
  if (m_order.endOfStep.empty()) {
    forEachInput(node, [&](ValueId value, uint32_t) { release(value, step); });
    for (ValueId value : node.outputs) {
      if (value.valid()) release(value, step);
    }
    return;
  }
  auto& ending = m_endingAt[static_cast<size_t>(m_order.endStep(static_cast<size_t>(step)))];
  forEachInput(node, [&](ValueId value, uint32_t) { ending.push_back(value); });
  for (ValueId value : node.outputs) {
    if (value.valid()) ending.push_back(value);
  }
  endStep(step);
}

// Everything that has surely ended before the next step starts.
void Planner::endStep(int32_t step) {
  std::vector<ValueId> ended;
  ended.swap(m_endingAt[static_cast<size_t>(step)]);
  for (ValueId value : ended)
    release(value, step);
}

void Planner::release(ValueId value, int32_t step) {
  if (extentOf(value) < 0 || !m_extents.drop(extentOf(value))) return;
  const ValueId root = planOf(value).root;
  const AllocKind kind = planOf(root).kind;
  if (kind != AllocKind::kAllocate && kind != AllocKind::kAllocatedExternally) return;
  m_freedStep[root.index()] = step;
  if (kind == AllocKind::kAllocate && m_options.memoryReuse && !isOnnxruntimeInParallel())
    m_free.put(numberOf(planOf(root).device), root, m_options.traceReasons);
}

// onnxruntime gives a buffer back when the last node that reads it has run (GenerateDeallocationPlan): one that nothing
// reads, under any name, stays until the run ends. As free it counts all the same: a later value may take it.
void Planner::keepUnreadBuffers() {
  std::vector<bool> isRead(m_graph.valueSlots(), false);
  for (const ValueId id : m_graph.valueIds()) {
    if (planOf(id).root.valid() && !m_graph.value(id).uses.empty()) isRead[planOf(id).root.index()] = true;
  }
  for (const ValueId id : m_graph.valueIds()) {
    AllocPlanPerValue& plan = planOf(id);
    if (plan.kind != AllocKind::kAllocate || isRead[id.index()]) continue;
    plan.counter.ends.back() = m_lastStep;
    m_freedStep[id.index()] = m_lastStep;
    if (m_options.traceReasons) plan.reason += "; nothing reads it, so onnxruntime keeps it until the run ends";
  }
}

int32_t Planner::numberOf(const Device& device) {
  const auto found = std::find(m_knownDevices.begin(), m_knownDevices.end(), device);
  if (found != m_knownDevices.end()) return static_cast<int32_t>(found - m_knownDevices.begin());
  m_knownDevices.push_back(device);
  return static_cast<int32_t>(m_knownDevices.size() - 1);
}

Result<AllocationPlan> allocate(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                const MemoryHints& hints, const AllocateOptions& options) {
  if (order.stepOfNode.size() != graph.nodeSlots())
    return fail(ErrorCode::kInvalidArgument, "the order belongs to another graph than '{}'", graph.name());
  if (!order.endOfStep.empty() && order.endOfStep.size() != order.steps.size())
    return fail(ErrorCode::kInvalidArgument, "the order of '{}' has {} steps and {} ends of steps", graph.name(),
                order.steps.size(), order.endOfStep.size());
  // onnxruntime knows none of our own rules.
  AllocateOptions wanted = options;
  if (options.rules == AllocRules::kOnnxruntime)
    wanted.parts = wanted.intoOutputs = wanted.partsInOutputs = wanted.largerBuffers = false;
  return Planner(graph, order, hints, wanted).run();
}

}  // namespace cutaway::allocate

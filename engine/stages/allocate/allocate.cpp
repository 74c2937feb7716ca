// The planner walks the execution order once and keeps a use count per buffer.
//
// A buffer's count starts above zero for feeds, weights and values of outer graphs (they are never recycled); every explicit or implicit use, the definition itself and every place
// among the graph outputs add one. When a count falls to zero after a node, the buffer becomes free. A value that takes over a buffer adds its own count to the buffer's owner (the root).
// The rules and their order are engine-behavior 4.4. Example: with X -> A=Relu -> B=MatMul -> C=Relu(B) -> D=Add(C,B): C takes A's buffer, because A is free and has the same size.

#include "engine/stages/allocate/allocate.h"

#include <algorithm>
#include <unordered_map>

#include "engine/stages/allocate/reasons.h"
#include "engine/stages/allocate/size_class.h"

namespace cutaway {
namespace {

class Planner {
 public:
  Planner(const Graph& graph, const SequentialExecutionPlan& order, const MemoryHints& hints, const AllocateOptions& options)
      : m_graph(graph), m_order(order), m_hints(hints), m_options(options), m_lastStep(std::max<int32_t>(0, static_cast<int32_t>(order.steps.size()) - 1)) {
    m_plan.values.resize(graph.valueSlots());
    m_plan.releasedAfterStep.resize(order.steps.size());
    m_useCount.assign(graph.valueSlots(), 0);
    m_lastUse.assign(graph.valueSlots(), 0);
    m_firstUse.assign(graph.valueSlots(), {});
    m_freedStep.assign(graph.valueSlots(), -1);
    m_isFree.assign(graph.valueSlots(), false);
  }

  Result<AllocationPlan> run() {
    CUTAWAY_CHECK(countUses());
    placeOuterValues();
    for (size_t step = 0; step < m_order.steps.size(); ++step) {
      if (step % 1024 == 0 && m_options.progress != nullptr && m_options.progress->cancelled()) return fail(cancelledError());
      placeStep(static_cast<int32_t>(step));
    }
    for (size_t root = 0; root < m_freedStep.size(); ++root) {
      if (m_freedStep[root] >= 0) m_plan.releasedAfterStep[static_cast<size_t>(m_freedStep[root])].push_back(ValueId{root});
    }
    return std::move(m_plan);
  }

 private:
  struct FirstUse {
    NodeId node;
    uint32_t slot = 0;
  };

  template <typename Visit>
  static void forEachInput(const Node& node, Visit&& visit) {
    for (ValueId value : node.inputs) {
      if (value.valid()) visit(value);
    }
    for (ValueId value : node.implicitInputs) {
      if (value.valid()) visit(value);
    }
  }

  AllocPlanPerValue& planOf(ValueId value) { return m_plan.values[value.index()]; }
  int64_t& useCount(ValueId value) { return m_useCount[value.index()]; }

  template <typename... Args>
  void because(ValueId value, fmt::format_string<Args...> format, Args&&... args) {
    if (m_options.traceReasons) planOf(value).reason = fmt::format(format, std::forward<Args>(args)...);
  }

  Result<void> countUses();
  void placeOuterValues();
  void placeStep(int32_t step);
  void place(NodeId node, size_t slot, int32_t step, const NodeMemoryHints& hints);
  bool placeGraphOutput(NodeId node, ValueId value);
  bool placeInPlace(NodeId node, size_t slot, int32_t step, const NodeMemoryHints& hints, std::string& obstacle);
  bool placeFromFreeList(ValueId value);
  void takeOver(ValueId value, ValueId buffer, AllocKind kind, bool inPlace);
  std::optional<std::string> freeListKey(ValueId value) const;
  std::string closestFree(ValueId value) const;
  std::string whyNotOver(ValueId input, ValueId output, NodeId node, int32_t step);
  void release(ValueId value, int32_t step);
  Device locationOf(const NodeMemoryHints& hints, size_t outputSlot) const;
  Device locationOfFeed(ValueId value);

  const Graph& m_graph;
  const SequentialExecutionPlan& m_order;
  const MemoryHints& m_hints;
  const AllocateOptions& m_options;
  int32_t m_lastStep;
  AllocationPlan m_plan;
  std::vector<int64_t> m_useCount;     // of the buffer, by root; of values not placed yet: their own
  std::vector<int32_t> m_lastUse;      // step, by value
  std::vector<FirstUse> m_firstUse;    // by value
  std::vector<int32_t> m_freedStep;    // by root; the last time its count fell to zero, -1: never
  std::unordered_map<std::string, std::vector<ValueId>> m_free;  // device and size class -> free roots, newest last
  std::vector<ValueId> m_freeHistory;  // free roots, newest last, with stale entries; for the sentences only
  std::vector<bool> m_isFree;          // by root
  size_t m_freeCount = 0;
};

Result<void> Planner::countUses() {
  for (size_t step = 0; step < m_order.steps.size(); ++step) {
    const NodeId id = m_order.steps[step].node;
    const Node& node = m_graph.node(id);
    uint32_t slot = 0;
    const auto use = [&](ValueId value) {
      ++useCount(value);
      m_lastUse[value.index()] = static_cast<int32_t>(step);
      if (!m_firstUse[value.index()].node.valid()) m_firstUse[value.index()] = {id, slot};
    };
    for (ValueId value : node.inputs) {
      if (value.valid()) use(value);
      ++slot;
    }
    for (ValueId value : node.implicitInputs) {
      if (value.valid()) use(value);
      ++slot;
    }
    for (ValueId value : node.outputs) {
      if (!value.valid()) continue;
      ++useCount(value);
      m_lastUse[value.index()] = std::max(m_lastUse[value.index()], static_cast<int32_t>(step));
    }
  }
  for (ValueId value : m_graph.outputs()) {
    if (!value.valid()) return fail(ErrorCode::kInvalidGraph, "graph '{}' lists an output that does not exist", m_graph.name());
    useCount(value) += 1;
    m_lastUse[value.index()] = m_lastStep;
  }
  return {};
}

Device Planner::locationOf(const NodeMemoryHints& hints, size_t outputSlot) const {
  const bool onHost = std::find(hints.hostOutputs.begin(), hints.hostOutputs.end(), static_cast<int>(outputSlot)) != hints.hostOutputs.end();
  return onHost ? Device{} : hints.device;
}

// Feeds, weights and values of outer graphs go where their first reader wants them.
Device Planner::locationOfFeed(ValueId value) {
  const FirstUse& use = m_firstUse[value.index()];
  if (!use.node.valid()) return Device{};
  const NodeMemoryHints hints = m_hints(use.node);
  const bool onHost = std::find(hints.hostInputs.begin(), hints.hostInputs.end(), static_cast<int>(use.slot)) != hints.hostInputs.end();
  return onHost ? Device{} : hints.device;
}

void Planner::placeOuterValues() {
  for (ValueId id : m_graph.valueIds()) {
    const Value& value = m_graph.value(id);
    AllocPlanPerValue& plan = planOf(id);
    if (value.producer.valid()) continue;
    if (value.initializer) {
      plan.kind = AllocKind::kAllocateStatically;
      if (m_graph.isConstant(id)) {
        because(id, "weight: lives with the session");
      } else {
        because(id, "default value of an input: lives with the session; a feed may stand in for it");
      }
    } else if (value.isInput) {
      plan.kind = AllocKind::kPreExisting;
      because(id, "graph input: the caller brings its memory");
    } else if (value.outerScope) {
      plan.kind = AllocKind::kPreExisting;
      because(id, "value of an outer graph: exists before this graph runs");
    } else {
      because(id, "nothing produces or feeds this value");
      continue;
    }
    useCount(id) += 1;
    plan.root = id;
    plan.device = locationOfFeed(id);
    plan.counter.starts = {0};
    plan.counter.ends = {plan.kind == AllocKind::kAllocateStatically ? m_lastStep : m_lastUse[id.index()]};
  }
}

void Planner::placeStep(int32_t step) {
  const NodeId id = m_order.steps[static_cast<size_t>(step)].node;
  const Node& node = m_graph.node(id);
  const NodeMemoryHints hints = m_hints(id);
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (node.outputs[slot].valid()) place(id, slot, step, hints);
  }
  forEachInput(node, [&](ValueId value) { release(value, step); });
  for (ValueId value : node.outputs) {
    if (value.valid()) release(value, step);
  }
}

void Planner::place(NodeId id, size_t slot, int32_t step, const NodeMemoryHints& hints) {
  const ValueId value = m_graph.node(id).outputs[slot];
  AllocPlanPerValue& plan = planOf(value);
  plan.device = locationOf(hints, slot);
  plan.root = value;
  plan.counter.starts = {step};
  plan.counter.ends = {std::max(step, m_lastUse[value.index()])};

  if (hints.externalOutputs) {
    plan.kind = AllocKind::kAllocatedExternally;
    because(value, "the kernel of '{}' brings its own memory", nodeLabel(m_graph, id));
    return;
  }
  if (placeGraphOutput(id, value)) return;
  std::string obstacle;
  if (placeInPlace(id, slot, step, hints, obstacle)) return;
  plan.kind = AllocKind::kAllocate;
  const ValueType& type = m_graph.value(value).type;
  if (!type.isTensor()) {
    because(value, "a new buffer: {} is not a tensor, so it shares no memory", toText(type));
    return;
  }
  if (placeFromFreeList(value)) return;
  if (!m_options.traceReasons) return;
  std::string why;
  if (!m_options.memoryReuse) {
    why = "memory reuse is switched off";
  } else if (m_graph.value(value).uses.empty()) {
    why = "nothing reads it, and such a value never takes a used buffer";
  } else if (!sizeClass(type)) {
    why = type.element == ElementType::kString ? "strings never share a buffer" : fmt::format("the size of {} is not known before running", toText(type));
  } else if (type.shape->rank() == 0) {
    why = "scalars take no used buffer";
  } else {
    why = closestFree(value);
  }
  plan.reason = "a new buffer: " + (obstacle.empty() ? why : obstacle + "; " + why);
}

bool Planner::placeGraphOutput(NodeId id, ValueId value) {
  if (m_graph.value(value).outputCount == 0) return false;
  AllocPlanPerValue& plan = planOf(value);
  const Node& node = m_graph.node(id);
  if (m_options.isLoopBody && node.opType == "Identity" && node.domain.empty() && !node.inputs.empty() && node.inputs[0].valid()) {
    const ValueId input = node.inputs[0];
    const bool isIterationNumber = !m_graph.inputs().empty() && m_graph.inputs()[0] == input;
    if (planOf(input).kind == AllocKind::kPreExisting && !isIterationNumber) {
      takeOver(value, input, AllocKind::kShare, false);
      because(value, "the same object as '{}': the loop passes it on unchanged", valueLabel(m_graph, input));
      return true;
    }
  }
  plan.kind = AllocKind::kAllocateOutput;
  because(value, "graph output: its memory is handed to the caller, so it is never recycled");
  return true;
}

bool Planner::placeInPlace(NodeId id, size_t slot, int32_t step, const NodeMemoryHints& hints, std::string& obstacle) {
  const Node& node = m_graph.node(id);
  const ValueId output = node.outputs[slot];
  // Views first: they are mandatory. Then the first input that may be written over.
  for (const AliasKind kind : {AliasKind::kAlias, AliasKind::kMayInplace}) {
    for (const InplaceHint& hint : hints.inplace) {
      if (hint.kind != kind || hint.output != static_cast<int>(slot) || hint.input < 0 || static_cast<size_t>(hint.input) >= node.inputs.size()) continue;
      const ValueId input = node.inputs[static_cast<size_t>(hint.input)];
      if (!input.valid()) continue;
      if (!(planOf(input).device == planOf(output).device)) {
        if (obstacle.empty() && m_options.traceReasons) obstacle = fmt::format("'{}' lies on another device", valueLabel(m_graph, input));
        continue;
      }
      if (kind == AliasKind::kAlias) {
        takeOver(output, input, AllocKind::kReuse, true);
        because(output, "a view of '{}': {} moves no data", valueLabel(m_graph, input), node.opType);
        return true;
      }
      const std::string reason = whyNotOver(input, output, id, step);
      if (reason.empty()) {
        takeOver(output, input, AllocKind::kReuse, true);
        because(output, "written over '{}': this is its last use and both have the same size", valueLabel(m_graph, input));
        return true;
      }
      if (obstacle.empty() && m_options.traceReasons) obstacle = fmt::format("cannot be written over '{}', because {}", valueLabel(m_graph, input), reason);
    }
  }
  return false;
}

// Empty when `output` may be written over `input`; otherwise the obstacle ("-" when nobody reads reasons).
std::string Planner::whyNotOver(ValueId input, ValueId output, NodeId node, int32_t step) {
  const auto say = [&](auto&& text) { return m_options.traceReasons ? text() : std::string("-"); };
  const ValueId root = planOf(input).root;
  if (!root.valid()) return "it has no buffer";
  const AllocKind kind = planOf(root).kind;
  if (kind == AllocKind::kPreExisting) return say([&] { return std::string(m_graph.value(root).outerScope ? "it belongs to an outer graph" : "it is a graph input"); });
  if (kind == AllocKind::kAllocateStatically) return say([] { return std::string("it is a weight"); });
  if (kind == AllocKind::kAllocateOutput) return say([] { return std::string("its buffer is a graph output"); });
  if (kind == AllocKind::kAllocatedExternally) return say([] { return std::string("its memory belongs to a kernel"); });
  if (!m_graph.value(root).type.isTensor()) return say([] { return std::string("its buffer is not that of a tensor"); });
  if (useCount(root) != 1) {
    return say([&] {
      constexpr size_t kLookedAt = 32;
      const auto& uses = m_graph.value(input).uses;
      for (size_t i = 0; i < uses.size() && i < kLookedAt; ++i) {
        if (m_order.stepOfNode[uses[i].node.index()] > step) return fmt::format("'{}' still reads it", nodeLabel(m_graph, uses[i].node));
      }
      for (size_t i = 0, same = 0; i < uses.size() && i < kLookedAt; ++i) {
        if (uses[i].node == node && ++same > 1) return std::string("this node reads it twice");
      }
      return std::string("its buffer is still in use under another name");
    });
  }
  const auto have = sizeClass(m_graph.value(input).type);
  const auto need = sizeClass(m_graph.value(output).type);
  if (have && need && *have == *need) return {};
  return say([&] {
    const SizeDifference difference = compareSizes(m_graph.value(input).type, m_graph.value(output).type);
    return difference.text.empty() ? std::string("their sizes are not known to be equal") : difference.text;
  });
}

bool Planner::placeFromFreeList(ValueId value) {
  const Value& each = m_graph.value(value);
  if (!m_options.memoryReuse || each.uses.empty()) return false;
  const auto key = freeListKey(value);
  if (!key || each.type.shape->rank() == 0) return false;
  const auto bucket = m_free.find(*key);
  if (bucket == m_free.end() || bucket->second.empty()) return false;
  const ValueId root = bucket->second.back();
  bucket->second.pop_back();
  m_isFree[root.index()] = false;
  --m_freeCount;
  takeOver(value, root, AllocKind::kReuse, false);
  because(value, "takes the buffer of '{}', which is free and has the same size", valueLabel(m_graph, root));
  return true;
}

void Planner::takeOver(ValueId value, ValueId buffer, AllocKind kind, bool inPlace) {
  AllocPlanPerValue& plan = planOf(value);
  const ValueId root = planOf(buffer).root;
  plan.kind = kind;
  plan.reusedBuffer = buffer;
  plan.root = root;
  plan.inPlace = inPlace;
  useCount(root) += useCount(value);
}

void Planner::release(ValueId value, int32_t step) {
  const ValueId root = planOf(value).root;
  if (!root.valid() || --useCount(root) != 0) return;
  const AllocKind kind = planOf(root).kind;
  if (kind != AllocKind::kAllocate && kind != AllocKind::kAllocatedExternally) return;
  m_freedStep[root.index()] = step;
  if (kind != AllocKind::kAllocate) return;
  const auto key = freeListKey(root);
  if (!key) return;
  m_free[*key].push_back(root);
  m_isFree[root.index()] = true;
  ++m_freeCount;
  if (m_options.traceReasons) m_freeHistory.push_back(root);
}

std::optional<std::string> Planner::freeListKey(ValueId value) const {
  auto key = sizeClass(m_graph.value(value).type);
  if (!key) return key;
  const Device& device = m_plan.values[value.index()].device;
  return fmt::format("{}:{}:{}|{}", static_cast<int>(device.type), device.index, device.name, *key);
}

// Looks at the newest free buffers only, so that reasons cost the same for every value.
std::string Planner::closestFree(ValueId value) const {
  constexpr size_t kLookedAt = 32;
  std::vector<ValueId> newest;
  for (size_t i = m_freeHistory.size(), looked = 0; i-- > 0 && looked < kLookedAt; ++looked) {
    if (m_isFree[m_freeHistory[i].index()]) newest.push_back(m_freeHistory[i]);
  }
  return closestFreeBuffer(m_graph, m_plan, newest, m_freeCount, value);
}

}  // namespace

Result<AllocationPlan> allocate(const Graph& graph, const SequentialExecutionPlan& order, const MemoryHints& hints, const AllocateOptions& options) {
  if (order.stepOfNode.size() != graph.nodeSlots()) return fail(ErrorCode::kInvalidArgument, "the order belongs to another graph than '{}'", graph.name());
  return Planner(graph, order, hints, options).run();
}

}  // namespace cutaway

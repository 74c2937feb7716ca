// The rules that place one value, in their order; the first that fits wins.

#include <algorithm>

#include "engine/stages/allocate/planner.h"
#include "engine/stages/allocate/reasons.h"

namespace cutaway::allocate {

static constexpr int32_t kMostPartsAround = 64;  // joins and splits

void Planner::place(NodeId id, size_t slot, int32_t step) {
  const ValueId value = m_graph.node(id).outputs[slot];
  AllocPlanPerValue& plan = planOf(value);
  plan.device = m_devices[value.index()];
  plan.counter.starts = {step};
  plan.counter.ends = {std::max(step, m_lastUse[value.index()])};
  if (m_isReserved[value.index()]) {  // its place was taken when its first part was made
    m_isReserved[value.index()] = false;
    m_extents.use(extentOf(value), m_uses[value.index()]);
    m_extents.unhold(extentOf(value));
    return;
  }
  if (hintsOf(id).externalOutputs) {
    openBuffer(value, AllocKind::kAllocatedExternally, AllocRule::kExternal);
    because(value, "the kernel of '{}' brings its own memory", nodeNameLabel(m_graph, id));
  } else if (!placeGraphOutput(id, value)) {
    std::string obstacle;
    const bool placed = (!isOnnxruntimeInParallel() && placeView(id, slot, obstacle)) ||
                        placeSplitPart(id, slot, obstacle) || placeOver(id, slot, step, true, obstacle) ||
                        placeAtDestination(value, step, obstacle) || placeOver(id, slot, step, false, obstacle) ||
                        placeInFreeBuffer(value);
    if (!placed) placeInNewBuffer(value, obstacle);
  }
  m_extents.use(extentOf(value), m_uses[value.index()]);
}

void Planner::openBuffer(ValueId value, AllocKind kind, AllocRule rule) {
  AllocPlanPerValue& plan = planOf(value);
  plan.kind = kind;
  plan.rule = rule;
  plan.root = value;
  extentOf(value) = m_extents.addBuffer(value);
}

void Planner::takeOver(ValueId value, ValueId buffer, AllocKind kind, AllocRule rule) {
  AllocPlanPerValue& plan = planOf(value);
  plan.kind = kind;
  plan.rule = rule;
  plan.reusedBuffer = buffer;
  plan.root = planOf(buffer).root;
  plan.inPlace = rule != AllocRule::kFreeBuffer && rule != AllocRule::kLargerBuffer && rule != AllocRule::kShared;
  if (extentOf(value) < 0) extentOf(value) = extentOf(buffer);
}

bool Planner::placeGraphOutput(NodeId id, ValueId value) {
  if (m_graph.value(value).outputCount == 0) return false;
  const Node& node = m_graph.node(id);
  if (m_options.isLoopBody && node.opType == "Identity" && node.domain.empty() && !node.inputs.empty() &&
      node.inputs[0].valid()) {
    const ValueId input = node.inputs[0];
    const bool isIterationNumber = !m_graph.inputs().empty() && m_graph.inputs()[0] == input;
    if (planOf(input).kind == AllocKind::kPreExisting && !isIterationNumber) {
      takeOver(value, input, AllocKind::kShare, AllocRule::kShared);
      because(value, "the same object as '{}': the loop passes it on unchanged", valueLabel(m_graph, input));
      return true;
    }
  }
  openBuffer(value, AllocKind::kAllocateOutput, AllocRule::kOutput);
  because(value, "graph output: its memory is handed to the caller, so it is never recycled");
  return true;
}

bool Planner::placeView(NodeId id, size_t slot, std::string& obstacle) {
  const Node& node = m_graph.node(id);
  const ValueId output = node.outputs[slot];
  for (const InplaceHint& hint : hintsOf(id).inplace) {
    if (hint.kind != AliasKind::kAlias || hint.output != static_cast<int>(slot) || hint.input < 0 ||
        static_cast<size_t>(hint.input) >= node.inputs.size())
      continue;
    const ValueId input = node.inputs[static_cast<size_t>(hint.input)];
    if (!input.valid() || extentOf(input) < 0) continue;
    if (planOf(input).device == planOf(output).device) {
      takeOver(output, input, AllocKind::kReuse, AllocRule::kView);
      because(output, "a view of '{}': {} moves no data", valueLabel(m_graph, input), node.opType);
      return true;
    }
    if (obstacle.empty() && m_options.traceReasons)
      obstacle = fmt::format("'{}' lies on another device", valueLabel(m_graph, input));
  }
  return false;
}

bool Planner::placeSplitPart(NodeId id, size_t slot, std::string& obstacle) {
  if (!m_options.parts) return false;
  const Node& node = m_graph.node(id);
  const auto& hints = hintsOf(id).inplace;
  if (std::none_of(hints.begin(), hints.end(),
                   [](const InplaceHint& hint) { return hint.kind == AliasKind::kSplit; }) ||
      node.inputs.empty() || !node.inputs[0].valid())
    return false;
  const ValueId whole = node.inputs[0];
  const ValueId output = node.outputs[slot];
  if (m_splitNode != id) {
    m_splitNode = id;
    m_splitObstacles = Destinations::splitObstacles({m_graph, m_order, m_hints, m_devices, m_sizes, m_options}, id);
  }
  std::string why = m_splitObstacles[slot];
  if (why.empty() && (extentOf(whole) < 0 || planOf(planOf(whole).root).kind != AllocKind::kAllocate))
    why = "its buffer is not one of the run's own";
  if (why.empty() && m_extents.depthOf(extentOf(whole)) >= kMostPartsAround)
    why = fmt::format("parts nest more than {} deep there", kMostPartsAround);
  if (!why.empty()) {
    if (obstacle.empty() && m_options.traceReasons)
      obstacle = fmt::format("cannot be a view of its part of '{}', because {}", valueLabel(m_graph, whole), why);
    return false;
  }
  extentOf(output) = m_extents.addPart(extentOf(whole), whole, static_cast<int32_t>(id.index()));
  takeOver(output, whole, AllocKind::kReuse, AllocRule::kSplitPart);
  planOf(output).partIndex = static_cast<int32_t>(slot);
  because(output, "a view of part {} of '{}': {} copies nothing", slot, valueLabel(m_graph, whole), node.opType);
  return true;
}

int32_t Planner::partExtent(const Destination& place) {
  if (place.part < 0) return extentOf(place.target);
  const uint64_t key = (static_cast<uint64_t>(place.target.index()) << 32) | static_cast<uint32_t>(place.part);
  const auto [entry, isNew] = m_partExtents.try_emplace(key, -1);
  if (isNew) entry->second = m_extents.addPart(extentOf(place.target), place.target);
  return entry->second;
}

// The depth of joins in joins is bounded (Destinations).
bool Planner::reserve(ValueId target) {
  if (extentOf(target) >= 0) return m_isReserved[target.index()];
  const NodeId producer = m_graph.value(target).producer;
  AllocPlanPerValue& plan = planOf(target);
  plan.device = m_devices[target.index()];
  const Destination* outer = m_destinations->of(target);
  if (m_graph.value(target).outputCount == 0 && outer != nullptr && reserve(outer->target) &&
      m_extents.unused(partExtent(*outer))) {
    extentOf(target) = partExtent(*outer);
    takeOver(target, outer->target, AllocKind::kReuse, outer->part < 0 ? AllocRule::kIntoOutput : AllocRule::kPart);
    plan.partIndex = outer->part;
    because(target, "its own parts are made in place, inside '{}', into which it is joined later",
            valueLabel(m_graph, outer->target));
  } else if (m_graph.value(target).outputCount > 0) {
    openBuffer(target, AllocKind::kAllocateOutput, AllocRule::kOutput);
    because(target,
            "graph output: its memory is handed to the caller, so it is never recycled; it is taken early, because "
            "what '{}' reads is made in it",
            nodeNameLabel(m_graph, producer));
  } else {
    openBuffer(target, AllocKind::kAllocate, AllocRule::kNewBuffer);
    because(target, "a new buffer, taken early: inputs of '{}' are made in their places inside it",
            nodeNameLabel(m_graph, producer));
  }
  m_isReserved[target.index()] = true;
  m_extents.hold(extentOf(target));
  return true;
}

bool Planner::placeAtDestination(ValueId value, int32_t step, std::string& obstacle) {
  const Destination* place = m_destinations->of(value);
  if (place == nullptr) {
    if (obstacle.empty()) obstacle = m_destinations->obstacle(value);
    return false;
  }
  if (m_order.stepOfNode[m_graph.value(place->target).producer.index()] <= step || !reserve(place->target))
    return false;
  const int32_t extent = partExtent(*place);
  if (!m_extents.unused(extent)) {
    if (obstacle.empty() && m_options.traceReasons)
      obstacle = fmt::format("its place in '{}' is still in use", valueLabel(m_graph, place->target));
    return false;
  }
  extentOf(value) = extent;
  const bool isPart = place->part >= 0;
  takeOver(value, place->target, AllocKind::kReuse, isPart ? AllocRule::kPart : AllocRule::kIntoOutput);
  planOf(value).partIndex = place->part;
  if (isPart) {
    because(value, "made in its place inside '{}' (part {}), so that '{}' has nothing to copy",
            valueLabel(m_graph, place->target), place->part,
            nodeNameLabel(m_graph, m_graph.value(place->target).producer));
  } else {
    because(value, "made in the memory of the graph output '{}', which is a view of it: '{}' has nothing to copy",
            valueLabel(m_graph, place->target), nodeNameLabel(m_graph, m_graph.value(place->target).producer));
  }
  return true;
}

// onlyAtDestination: only over an input that lies where the output belongs.
bool Planner::placeOver(NodeId id, size_t slot, int32_t step, bool onlyAtDestination, std::string& obstacle) {
  const Node& node = m_graph.node(id);
  const ValueId output = node.outputs[slot];
  const Destination* place = m_destinations->of(output);
  if ((onlyAtDestination && place == nullptr) || isOnnxruntimeInParallel()) return false;
  for (const InplaceHint& hint : hintsOf(id).inplace) {
    if (hint.kind != AliasKind::kMayInplace || hint.output != static_cast<int>(slot) || hint.input < 0 ||
        static_cast<size_t>(hint.input) >= node.inputs.size())
      continue;
    const ValueId input = node.inputs[static_cast<size_t>(hint.input)];
    if (!input.valid() || extentOf(input) < 0) continue;
    if (onlyAtDestination) {
      const Destination* there = m_destinations->of(input);
      if (there == nullptr || !(*there == *place) || !m_isReserved[place->target.index()] ||
          extentOf(input) != partExtent(*place))
        continue;
    }
    const std::string reason = whyNotOver(input, output, id, step);
    if (reason.empty()) {
      takeOver(output, input, AllocKind::kReuse, AllocRule::kInPlace);
      because(output, "written over '{}': this is its last use and both have the same size",
              valueLabel(m_graph, input));
      return true;
    }
    if (obstacle.empty() && m_options.traceReasons)
      obstacle = fmt::format("cannot be written over '{}', because {}", valueLabel(m_graph, input), reason);
  }
  return false;
}

bool Planner::isPending(int32_t extent) const {
  for (; extent >= 0; extent = m_extents.parentOf(extent)) {
    if (m_isReserved[m_extents.ownerOf(extent).index()]) return true;
  }
  return false;
}

bool Planner::sameSize(ValueId a, ValueId b) const {
  if (m_options.rules == AllocRules::kOnnxruntime) return m_sizes.sameShape(a, b);
  return m_sizes.sameBytes(a, b) && bitsOf(m_graph.value(a).type.element) == bitsOf(m_graph.value(b).type.element);
}

std::string Planner::whyNotOver(ValueId input, ValueId output, NodeId node, int32_t step) const {
  const auto say = [&](auto&& text) { return m_options.traceReasons ? text() : std::string("-"); };
  if (!m_options.inPlace) return say([] { return std::string("writing in place is switched off"); });
  if (!(planOf(input).device == planOf(output).device))
    return say([] { return std::string("it lies on another device"); });
  const ValueId root = planOf(input).root;
  const AllocKind kind = planOf(root).kind;
  if (kind == AllocKind::kPreExisting)
    return say([&] {
      return std::string(m_graph.value(root).outerScope ? "it belongs to an outer graph" : "it is a graph input");
    });
  if (kind == AllocKind::kAllocateStatically) return say([] { return std::string("it is a weight"); });
  if (kind == AllocKind::kAllocateOutput && !m_isReserved[root.index()])
    return say([] { return std::string("its buffer is a graph output"); });
  if (kind == AllocKind::kAllocatedExternally) return say([] { return std::string("its memory belongs to a kernel"); });
  if (!m_graph.value(root).type.isTensor())
    return say([] { return std::string("its buffer is not that of a tensor"); });
  const int32_t extent = extentOf(input);
  if (!m_extents.lastUse(extent)) return say([&] { return whyStillUsed(input, node, step); });
  if (isPending(extent)) {
    const Destination* there = m_destinations->of(input);
    const Destination* here = m_destinations->of(output);
    if (there == nullptr || here == nullptr || !(*there == *here))
      return say([&] {
        return fmt::format("it lies in '{}', which is not complete yet",
                           valueLabel(m_graph, m_extents.ownerOf(extent)));
      });
  }
  if (sameSize(input, output)) return {};
  return say([&] {
    const SizeDifference difference = compareSizes(m_graph, m_sizes, m_options.rules, input, output);
    return difference.text.empty() ? std::string("their sizes are not known to be equal") : difference.text;
  });
}

std::string Planner::whyStillUsed(ValueId input, NodeId node, int32_t step) const {
  constexpr size_t kLookedAt = 32;
  const auto& uses = m_graph.value(input).uses;
  for (size_t i = 0; i < uses.size() && i < kLookedAt; ++i) {
    if (m_order.stepOfNode[uses[i].node.index()] > step)
      return fmt::format("'{}' still reads it", nodeNameLabel(m_graph, uses[i].node));
  }
  for (size_t i = 0, same = 0; i < uses.size() && i < kLookedAt; ++i) {
    if (uses[i].node == node && ++same > 1) return "this node reads it twice";
  }
  for (size_t i = 0; i < uses.size() && i < kLookedAt; ++i) {
    const int32_t other = m_order.stepOfNode[uses[i].node.index()];
    if (other >= 0 && other < step && m_order.endStep(static_cast<size_t>(other)) >= step)
      return fmt::format("'{}' may still be running and reads it", nodeNameLabel(m_graph, uses[i].node));
  }
  return "its bytes are still in use under another name";
}

bool Planner::placeInFreeBuffer(ValueId value) {
  const Value& each = m_graph.value(value);
  const ValueSize& need = m_sizes.of(value);
  if (!m_options.memoryReuse || isOnnxruntimeInParallel() || !each.type.isTensor() || need.bytes == 0) return false;
  if (m_options.rules == AllocRules::kOnnxruntime ? each.uses.empty() || need.shape < 0 || each.type.shape->rank() == 0
                                                  : !need.known())
    return false;
  const FreeBuffers::Taken taken = m_free.take(numberOf(planOf(value).device), need, m_options.largerBuffers);
  if (!taken.root.valid()) return false;
  // The whole buffer is at hand again, whatever lay in parts of it.
  extentOf(value) = extentOf(taken.root);
  takeOver(value, taken.root, AllocKind::kReuse, taken.isLarger ? AllocRule::kLargerBuffer : AllocRule::kFreeBuffer);
  if (taken.isLarger) {
    because(value, "reuses the buffer of '{}', which is free and large enough ({} for {})",
            valueLabel(m_graph, taken.root), m_sizes.text(m_sizes.of(taken.root)), m_sizes.text(need));
  } else {
    because(value, "reuses the buffer of '{}', which is free and has the same size", valueLabel(m_graph, taken.root));
  }
  return true;
}

void Planner::placeInNewBuffer(ValueId value, const std::string& obstacle) {
  openBuffer(value, AllocKind::kAllocate, AllocRule::kNewBuffer);
  if (!m_options.traceReasons) return;
  const ValueType& type = m_graph.value(value).type;
  if (!type.isTensor()) {
    because(value, "a new buffer: {} is not a tensor, so it shares no memory", toText(type));
    return;
  }
  const std::string why = whyNoFreeBuffer(value);
  because(value, "a new buffer: {}", obstacle.empty() ? why : obstacle + "; " + why);
}

std::string Planner::whyNoFreeBuffer(ValueId value) {
  const ValueType& type = m_graph.value(value).type;
  const bool byOnnxruntime = m_options.rules == AllocRules::kOnnxruntime;
  if (!m_options.memoryReuse)
    return m_options.sharedByOffsets ? "its room is shared through its offset in the memory pattern, which packs this "
                                       "graph closer than buffers taken over whole"
                                     : "memory reuse is switched off";
  if (isOnnxruntimeInParallel()) return "onnxruntime reuses nothing in its parallel mode";
  if (byOnnxruntime && m_graph.value(value).uses.empty())
    return "nothing reads it, and such a value never reuses a buffer";
  if (type.element == ElementType::kString) return "strings never share a buffer";
  if (byOnnxruntime ? m_sizes.of(value).shape < 0 : !m_sizes.of(value).known())
    return fmt::format("the size of {} is not known before running", toText(type));
  if (byOnnxruntime && type.shape->rank() == 0) return "scalars reuse no buffer";
  if (m_sizes.of(value).bytes == 0) return "it is empty";
  const ClosestBuffer closest = closestFreeBuffer(m_graph, m_sizes, m_options.rules, m_plan, m_free, value);
  planOf(value).closest = closest.value;
  return closest.text;
}

}  // namespace cutaway::allocate

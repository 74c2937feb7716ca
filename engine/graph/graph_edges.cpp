// Editing of edges: uses, replacement, renaming, and what bodies capture.
//
// A use knows its node and slot; m_usePositions knows for every slot where its use stands. Dropping a use is: put the
// last use in its place, tell that one's slot. So a value with 100,000 uses costs no more per edit than one with two.

#include <algorithm>
#include <utility>

#include "engine/graph/graph.h"

namespace cutaway {

ValueId Graph::slotValue(const Node& node, size_t slot) const {
  return slot < node.inputs.size() ? node.inputs[slot] : node.implicitInputs[slot - node.inputs.size()];
}

void Graph::reserveSlots(NodeId id, size_t slots) {
  SlotRange& range = m_slotRanges[id.index()];
  if (slots <= range.capacity) return;
  const size_t capacity = std::max<size_t>(slots, size_t{range.capacity} * 2);
  const auto begin = static_cast<uint32_t>(m_usePositions.size());
  m_usePositions.resize(m_usePositions.size() + capacity);
  std::copy_n(m_usePositions.begin() + range.begin, range.capacity, m_usePositions.begin() + begin);
  range = {begin, static_cast<uint32_t>(capacity)};
}

void Graph::addUse(NodeId id, uint32_t slot) {
  const ValueId used = slotValue(m_nodes[id.index()], slot);
  if (!used.valid()) return;
  ShortList<Use>& uses = m_values[used.index()].uses;
  m_usePositions[m_slotRanges[id.index()].begin + slot] = static_cast<uint32_t>(uses.size());
  uses.push_back({id, slot});
}

void Graph::dropUse(NodeId id, uint32_t slot) {
  const ValueId used = slotValue(m_nodes[id.index()], slot);
  if (!used.valid()) return;
  ShortList<Use>& uses = m_values[used.index()].uses;
  size_t position = m_usePositions[m_slotRanges[id.index()].begin + slot];
  if (position >= uses.size() || uses[position] != Use{id, slot}) {
    // Somebody wrote to the lists by hand; stay consistent with what is there.
    position = static_cast<size_t>(std::ranges::find(uses, Use{id, slot}) - uses.begin());
    if (position == uses.size()) return;
  }
  const Use last = uses.back();
  uses[position] = last;
  m_usePositions[m_slotRanges[last.node.index()].begin + last.slot] = static_cast<uint32_t>(position);
  uses.pop_back();
}

void Graph::setNodeInput(NodeId id, size_t slot, ValueId value) {
  Node& node = m_nodes[id.index()];
  if (slot < node.inputs.size()) {
    dropUse(id, static_cast<uint32_t>(slot));
    node.inputs[slot] = value;
    addUse(id, static_cast<uint32_t>(slot));
    return;
  }
  // The implicit inputs stand behind the inputs: they move up.
  const ShortList<ValueId> implicit = node.implicitInputs;
  setImplicitInputs(id, {});
  node.inputs.resize(slot + 1);
  node.inputs[slot] = value;
  reserveSlots(id, node.inputs.size());
  addUse(id, static_cast<uint32_t>(slot));
  setImplicitInputs(id, implicit);
}

void Graph::setNodeOutput(NodeId id, size_t slot, ValueId value) {
  Node& node = m_nodes[id.index()];
  if (slot >= node.outputs.size()) node.outputs.resize(slot + 1);
  const ValueId old = node.outputs[slot];
  if (old.valid() && m_values[old.index()].producer == id && m_values[old.index()].producerSlot == slot)
    m_values[old.index()].producer = {};
  node.outputs[slot] = value;
  if (!value.valid() || m_values[value.index()].producer.valid()) return;
  m_values[value.index()].producer = id;
  m_values[value.index()].producerSlot = static_cast<uint32_t>(slot);
}

void Graph::setImplicitInputs(NodeId id, std::span<const ValueId> values) {
  ShortList<ValueId> fresh(values);
  Node& node = m_nodes[id.index()];
  const size_t first = node.inputs.size();
  for (size_t i = 0; i < node.implicitInputs.size(); ++i)
    dropUse(id, static_cast<uint32_t>(first + i));
  node.implicitInputs = std::move(fresh);
  reserveSlots(id, first + node.implicitInputs.size());
  for (size_t i = 0; i < node.implicitInputs.size(); ++i)
    addUse(id, static_cast<uint32_t>(first + i));
}

void Graph::bindCaptures(NodeId id) {
  std::vector<ValueId> captured;
  std::vector<std::pair<SharedText, ValueType>> wanted;
  forEachBody(m_nodes[id.index()], [&](const std::string&, const Graph& body) {
    for (size_t i = 0; i < body.valueSlots(); ++i) {
      const Value& inner = body.value(ValueId{i});
      if (!inner.removed && inner.outerScope) wanted.emplace_back(inner.name, inner.type);
    }
  });
  for (auto& [name, type] : wanted) {
    const ValueId known = findValue(name);
    captured.push_back(known.valid() ? known : addOuterScope(std::move(name), std::move(type)));
  }
  // Several bodies may capture the same value: it is listed once, where it came first.
  std::vector<std::pair<ValueId, size_t>> order;
  for (size_t i = 0; i < captured.size(); ++i)
    order.emplace_back(captured[i], i);
  std::ranges::sort(order);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::ranges::sort(order, {}, &std::pair<ValueId, size_t>::second);
  captured.clear();
  for (const auto& [value, position] : order)
    captured.push_back(value);
  setImplicitInputs(id, captured);
}

void Graph::replaceUses(ValueId from, ValueId to) {
  if (from == to) return;
  moveUses(from, to);
  if (m_values[from.index()].outputCount == 0) return;
  std::ranges::replace(m_outputs, from, to);
  m_values[to.index()].outputCount += std::exchange(m_values[from.index()].outputCount, 0);
}

void Graph::moveUses(ValueId from, ValueId to) {
  if (from == to) return;
  const ShortList<Use> moved = std::exchange(m_values[from.index()].uses, {});
  for (const Use& use : moved) {
    Node& node = m_nodes[use.node.index()];
    const size_t explicitSlots = node.inputs.size();
    if (use.slot < explicitSlots) {
      node.inputs[use.slot] = to;
    } else {
      node.implicitInputs[use.slot - explicitSlots] = to;
      recapture(use.node, m_values[from.index()].name, m_values[to.index()].name);
    }
    addUse(use.node, use.slot);
  }
}

void Graph::renameValue(ValueId id, SharedText name) {
  Value& renamed = m_values[id.index()];
  if (name.empty() || renamed.name == name || findValue(name).valid()) return;
  const SharedText oldName = std::exchange(renamed.name, name);
  m_valueByName.erase(oldName, id);
  m_valueByName.add(name, id);
  for (const Use& use : renamed.uses) {
    if (use.slot >= m_nodes[use.node.index()].inputs.size()) recapture(use.node, oldName, name);
  }
}

// Tells the bodies of a node that a value they capture has another name now. A local value of the body that has this
// name gives way. Recursion is as deep as bodies nest, which whoever builds graphs from files bounds.
void Graph::recapture(NodeId id, const SharedText& oldName, const SharedText& newName) {
  forEachBody(m_nodes[id.index()], [&](const std::string&, Graph& body) {
    const ValueId inner = body.findValue(oldName);
    if (!inner.valid() || !body.value(inner).outerScope) return;
    ValueId homonym = body.findValue(newName);
    if (homonym.valid() && !body.value(homonym).outerScope) {
      body.renameValue(homonym, body.freshName(newName));
      homonym = {};
    }
    if (homonym.valid()) {
      body.replaceUses(inner, homonym);
      body.removeValue(inner);
    } else {
      body.renameValue(inner, newName);
    }
  });
}

}  // namespace cutaway

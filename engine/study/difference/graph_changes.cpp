#include "engine/study/difference/graph_changes.h"

#include <algorithm>

namespace cutaway::study {
namespace {

std::string orNone(const std::string& name) {
  return name.empty() ? "(none)" : name;
}

void compareAttributes(const NodeReport& a, const NodeReport& b, std::vector<std::string>& changes) {
  const auto isBody = [](const AttributeReport& attribute) {
    return attribute.kind.starts_with("GRAPH");
  };  // bodies are compared node by node
  std::map<std::string_view, std::pair<const AttributeReport*, const AttributeReport*>> both;
  for (const AttributeReport& attribute : a.attributes)
    if (!isBody(attribute)) both[attribute.name].first = &attribute;
  for (const AttributeReport& attribute : b.attributes)
    if (!isBody(attribute)) both[attribute.name].second = &attribute;
  for (const auto& [name, pair] : both) {
    const auto& [from, to] = pair;
    if (to == nullptr)
      changes.push_back(fmt::format("attribute {} {} is gone", name, from->text));
    else if (from == nullptr)
      changes.push_back(fmt::format("attribute {} {} is new", name, to->text));
    else if (from->text != to->text || from->kind != to->kind)
      changes.push_back(fmt::format("attribute {} {} -> {}", name, from->text, to->text));
  }
}

// Which output of its node a value is, by value.
std::vector<int32_t> outputSlots(const GraphReport& graph) {
  std::vector<int32_t> slots(graph.values.size(), 0);
  for (const NodeReport& node : graph.nodes)
    for (size_t slot = 0; slot < node.outputs.size(); ++slot)
      if (node.outputs[slot] != kNone) slots[static_cast<size_t>(node.outputs[slot])] = static_cast<int32_t>(slot);
  return slots;
}

const char* sourceOf(const ValueReport& value) {
  return value.producer != kNone ? "a node's result"
         : value.isInitializer   ? "a constant"
         : isFromOutside(value)  ? "a value from outside"
                                 : "a graph input";
}

std::string anotherOne(size_t slot, const ValueReport& a, const ValueReport& b) {
  return fmt::format("input {} is another one: '{}' -> '{}'", slot, a.name, b.name);
}

ValueNames namesForBodies(const GraphReport& graph) {
  ValueNames names;
  if (std::ranges::any_of(graph.nodes, [](const NodeReport& node) { return !node.bodies.empty(); })) {
    for (size_t i = 0; i < graph.values.size(); ++i)
      names.emplace(graph.values[i].name, static_cast<int32_t>(i));
  }
  return names;
}

}  // namespace

GraphChanges::GraphChanges(const ChangeSide& a, const ChangeSide& b, const NodeMatching& matching,
                           const GraphChanges* outer)
    : m_a(a),
      m_b(b),
      m_matching(matching),
      m_outer(outer),
      m_slotsA(outputSlots(a.graph)),
      m_slotsB(outputSlots(b.graph)),
      m_valueToB(a.graph.values.size(), kNone),
      m_valueToA(b.graph.values.size(), kNone),
      m_namesA(namesForBodies(a.graph)),
      m_namesB(namesForBodies(b.graph)) {
  pairBorder(a.graph.inputs, b.graph.inputs);
  pairInitializers();
  // An output belongs to the output that the same node makes.
  for (const int32_t output : a.graph.outputs) {
    if (output == kNone || a.graph.values[static_cast<size_t>(output)].producer == kNone) continue;
    const int32_t node = matching.toB[static_cast<size_t>(a.graph.values[static_cast<size_t>(output)].producer)];
    const auto slot = static_cast<size_t>(m_slotsA[static_cast<size_t>(output)]);
    if (node == kNone || slot >= b.graph.nodes[static_cast<size_t>(node)].outputs.size()) continue;
    const int32_t other = b.graph.nodes[static_cast<size_t>(node)].outputs[slot];
    if (other != kNone && b.graph.values[static_cast<size_t>(other)].isOutput) pair(output, other);
  }
  pairBorder(a.graph.outputs, b.graph.outputs);
}

void GraphChanges::pair(int32_t a, int32_t b) {
  if (m_valueToB[static_cast<size_t>(a)] != kNone || m_valueToA[static_cast<size_t>(b)] != kNone) return;
  m_valueToB[static_cast<size_t>(a)] = b;
  m_valueToA[static_cast<size_t>(b)] = a;
}

// By name, then in order what is left.
void GraphChanges::pairBorder(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::unordered_map<std::string_view, int32_t> names;
  for (const int32_t value : b)
    if (value != kNone) names.emplace(m_b.graph.values[static_cast<size_t>(value)].name, value);
  for (const int32_t value : a) {
    if (value == kNone) continue;
    const auto found = names.find(m_a.graph.values[static_cast<size_t>(value)].name);
    if (found != names.end()) pair(value, found->second);
  }
  size_t next = 0;
  for (const int32_t value : a) {
    if (value == kNone || m_valueToB[static_cast<size_t>(value)] != kNone) continue;
    while (next < b.size() && (b[next] == kNone || m_valueToA[static_cast<size_t>(b[next])] != kNone))
      ++next;
    if (next < b.size()) pair(value, b[next]);
  }
}

// Those that matched nodes read at the same place, then by name.
void GraphChanges::pairInitializers() {
  for (size_t node = 0; node < m_matching.toB.size(); ++node) {
    if (m_matching.toB[node] == kNone) continue;
    const IndexList& a = m_a.graph.nodes[node].inputs;
    const IndexList& b = m_b.graph.nodes[static_cast<size_t>(m_matching.toB[node])].inputs;
    for (size_t slot = 0; slot < std::min(a.size(), b.size()); ++slot) {
      if (a[slot] == kNone || b[slot] == kNone) continue;
      if (m_a.graph.values[static_cast<size_t>(a[slot])].isInitializer &&
          m_b.graph.values[static_cast<size_t>(b[slot])].isInitializer)
        pair(a[slot], b[slot]);
    }
  }
  std::unordered_map<std::string_view, int32_t> names;
  for (size_t i = 0; i < m_b.graph.values.size(); ++i)
    if (m_b.graph.values[i].isInitializer && m_valueToA[i] == kNone)
      names.emplace(m_b.graph.values[i].name, static_cast<int32_t>(i));
  for (size_t i = 0; i < m_a.graph.values.size(); ++i) {
    if (!m_a.graph.values[i].isInitializer || m_valueToB[i] != kNone) continue;
    const auto found = names.find(m_a.graph.values[i].name);
    if (found != names.end()) pair(static_cast<int32_t>(i), found->second);
  }
}

bool GraphChanges::weightsDiffer(const ValueReport& a, const ValueReport& b) const {
  if (m_a.weights == nullptr || m_b.weights == nullptr) return false;
  const auto hashA = m_a.weights->find({m_a.index, a.name});
  const auto hashB = m_b.weights->find({m_b.index, b.name});
  return hashA != m_a.weights->end() && hashB != m_b.weights->end() && hashA->second != hashB->second;
}

std::string GraphChanges::inputChange(size_t slot, int32_t a, int32_t b) const {
  const ValueReport& from = m_a.graph.values[static_cast<size_t>(a)];
  const ValueReport& to = m_b.graph.values[static_cast<size_t>(b)];
  if (from.producer != kNone && to.producer != kNone) {
    const bool same = m_matching.toB[static_cast<size_t>(from.producer)] == to.producer &&
                      m_slotsA[static_cast<size_t>(a)] == m_slotsB[static_cast<size_t>(b)];
    return same ? std::string()
                : fmt::format("input {} comes from another node: '{}' -> '{}'", slot, from.name, to.name);
  }
  if (std::string_view(sourceOf(from)) != sourceOf(to))
    return fmt::format("input {} was {} '{}', is {} '{}'", slot, sourceOf(from), from.name, sourceOf(to), to.name);
  if (from.isInitializer) {
    if (from.type != to.type) return fmt::format("weights of '{}' {} -> {}", from.name, from.type, to.type);
    return weightsDiffer(from, to) ? fmt::format("weights of '{}' differ", from.name) : std::string();
  }
  if (isFromOutside(from)) return captureChange(slot, from, to);
  const bool same = m_valueToB[static_cast<size_t>(a)] == b;
  return same ? std::string() : anotherOne(slot, from, to);
}

// Compares what the next graph around gives under these names; where none gives them, names are all there is.
std::string GraphChanges::captureChange(size_t slot, const ValueReport& a, const ValueReport& b) const {
  const auto given = [](const ValueNames& names, const GraphReport& graph, const ValueReport& value) {
    const auto found = names.find(value.name);
    const bool gives = found != names.end() && !isFromOutside(graph.values[static_cast<size_t>(found->second)]);
    return gives ? found->second : kNone;
  };
  for (const GraphChanges* outer = m_outer; outer != nullptr; outer = outer->m_outer) {
    const int32_t from = given(outer->m_namesA, outer->m_a.graph, a);
    const int32_t to = given(outer->m_namesB, outer->m_b.graph, b);
    if (from != kNone && to != kNone) return outer->inputChange(slot, from, to);
    if (from != kNone || to != kNone) return anotherOne(slot, a, b);
  }
  return a.name == b.name ? std::string() : anotherOne(slot, a, b);
}

void GraphChanges::compareInputs(const NodeReport& a, const NodeReport& b, std::vector<std::string>& changes) const {
  const auto live = [](std::span<const int32_t> list) {
    return list.size() - static_cast<size_t>(std::ranges::count(list, kNone));
  };
  if (live(a.inputs) != live(b.inputs))
    changes.push_back(fmt::format("{} inputs -> {}", live(a.inputs), live(b.inputs)));
  for (size_t slot = 0; slot < std::min(a.inputs.size(), b.inputs.size()); ++slot) {
    if (a.inputs[slot] == kNone || b.inputs[slot] == kNone) continue;
    std::string change = inputChange(slot, a.inputs[slot], b.inputs[slot]);
    if (!change.empty()) changes.push_back(std::move(change));
  }
  if (live(a.outputs) != live(b.outputs))
    changes.push_back(fmt::format("{} outputs -> {}", live(a.outputs), live(b.outputs)));
}

NodeDiff GraphChanges::node(int32_t nodeOfA) const {
  NodeDiff diff{.kind = DiffKind::kOnlyA, .graphA = m_a.index, .nodeA = nodeOfA};
  const int32_t other = m_matching.toB[static_cast<size_t>(nodeOfA)];
  if (other == kNone) return diff;
  const NodeReport& a = m_a.graph.nodes[static_cast<size_t>(nodeOfA)];
  const NodeReport& b = m_b.graph.nodes[static_cast<size_t>(other)];
  diff.graphB = m_b.index;
  diff.nodeB = other;
  diff.matchedBy = m_matching.by[static_cast<size_t>(nodeOfA)] == MatchedBy::kName ? "name" : "structure";
  if (a.name != b.name) diff.changes.push_back(fmt::format("name {} -> {}", orNone(a.name), orNone(b.name)));
  compareAttributes(a, b, diff.changes);
  compareInputs(a, b, diff.changes);
  // Tensors inside Constant nodes are weights too; their texts show the beginning only.
  if (a.opType == "Constant" && !a.outputs.empty() && !b.outputs.empty() && a.outputs[0] != kNone &&
      b.outputs[0] != kNone) {
    const ValueReport& from = m_a.graph.values[static_cast<size_t>(a.outputs[0])];
    if (weightsDiffer(from, m_b.graph.values[static_cast<size_t>(b.outputs[0])]))
      diff.changes.push_back(fmt::format("weights of '{}' differ", from.name));
  }
  diff.kind = diff.changes.empty() ? DiffKind::kSame : DiffKind::kChanged;
  return diff;
}

ValueDiff GraphChanges::valueDiff(const char* what, int32_t at) const {
  const ValueReport& a = m_a.graph.values[static_cast<size_t>(at)];
  ValueDiff diff{.kind = DiffKind::kOnlyA, .what = what, .nameA = a.name};
  const int32_t other = m_valueToB[static_cast<size_t>(at)];
  if (other == kNone) return diff;
  const ValueReport& b = m_b.graph.values[static_cast<size_t>(other)];
  diff.nameB = b.name;
  if (a.name != b.name) diff.changes.push_back(fmt::format("name {} -> {}", orNone(a.name), orNone(b.name)));
  if (a.type != b.type)
    diff.changes.push_back(fmt::format("type {} -> {}", a.type, b.type));
  else if (a.isInitializer && b.isInitializer && weightsDiffer(a, b))
    diff.changes.push_back("weights differ");
  diff.kind = diff.changes.empty() ? DiffKind::kSame : DiffKind::kChanged;
  return diff;
}

std::vector<ValueDiff> GraphChanges::values() const {
  std::vector<ValueDiff> list;
  const auto border = [&](const char* what, const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
    for (const int32_t value : a)
      if (value != kNone && (what[0] == 'o' || !m_a.graph.values[static_cast<size_t>(value)].isInitializer))
        list.push_back(valueDiff(what, value));
    for (const int32_t value : b) {
      if (value == kNone || m_valueToA[static_cast<size_t>(value)] != kNone ||
          (what[0] == 'i' && m_b.graph.values[static_cast<size_t>(value)].isInitializer))
        continue;
      list.push_back(
          {.kind = DiffKind::kOnlyB, .what = what, .nameB = m_b.graph.values[static_cast<size_t>(value)].name});
    }
  };
  border("input", m_a.graph.inputs, m_b.graph.inputs);
  border("output", m_a.graph.outputs, m_b.graph.outputs);
  for (size_t i = 0; i < m_a.graph.values.size(); ++i)
    if (m_a.graph.values[i].isInitializer) list.push_back(valueDiff("initializer", static_cast<int32_t>(i)));
  for (size_t i = 0; i < m_b.graph.values.size(); ++i)
    if (m_b.graph.values[i].isInitializer && m_valueToA[i] == kNone)
      list.push_back({.kind = DiffKind::kOnlyB, .what = "initializer", .nameB = m_b.graph.values[i].name});
  return list;
}

}  // namespace cutaway::study

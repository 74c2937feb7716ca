// Reading, and building up and taking down of nodes and values. Edges are edited in graph_edges.cpp.

#include "engine/graph/graph.h"

#include <algorithm>

#include "engine/base/mapped_pages.h"

namespace cutaway {

const Attribute* Node::findAttribute(std::string_view attributeName) const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == attributeName) return &attribute;
  }
  return nullptr;
}

void Node::setAttribute(std::string_view attributeName, AttributeValue value) {
  for (Attribute& attribute : attributes) {
    if (attribute.name == attributeName) {
      attribute.value = std::move(value);
      return;
    }
  }
  attributes.push_back({SharedText(attributeName), std::move(value)});
}

bool Node::hasBodies() const {
  bool found = false;
  forEachBody(*this, [&](const std::string&, const Graph&) { found = true; });
  return found;
}

std::vector<NodeId> Graph::nodeIds() const {
  std::vector<NodeId> ids;
  ids.reserve(m_liveNodes);
  for (size_t i = 0; i < m_nodes.size(); ++i) {
    if (!m_nodes[i].removed) ids.push_back(NodeId{i});
  }
  return ids;
}

std::vector<ValueId> Graph::valueIds() const {
  std::vector<ValueId> ids;
  for (size_t i = 0; i < m_values.size(); ++i) {
    if (!m_values[i].removed) ids.push_back(ValueId{i});
  }
  return ids;
}

ValueId Graph::findValue(std::string_view name) const {
  return m_valueByName.find(name, [this](ValueId id) -> const std::string& { return m_values[id.index()].name; });
}

NodeId Graph::findNode(std::string_view name) const {
  for (size_t i = 0; i < m_nodes.size(); ++i) {
    if (!m_nodes[i].removed && m_nodes[i].name == name) return NodeId{i};
  }
  return {};
}

bool Graph::isConstant(ValueId id) const {
  const Value& each = value(id);
  return each.initializer.has_value() && !(each.isInput && overridableInitializers);
}

std::vector<std::string> Graph::namesOf(std::span<const ValueId> ids) const {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const ValueId id : ids)
    names.push_back(nameOf(id));
  return names;
}

std::vector<ValueId> Graph::initializers() const {
  std::vector<ValueId> ids;
  for (size_t i = 0; i < m_values.size(); ++i) {
    if (!m_values[i].removed && m_values[i].initializer) ids.push_back(ValueId{i});
  }
  return ids;
}

void Graph::shareWords(ValueType& type) {
  m_words.share(type.denotation);
  if (!type.shape) return;
  for (Dim& dim : type.shape->mutableDims())
    dim.shareSymbol(m_words);
}

void Graph::shareWords(Node& node) {
  for (SharedText* word : {&node.opType, &node.domain, &node.overload, &node.rewrite, &node.provider})
    m_words.share(*word);
  for (Attribute& attribute : node.attributes)
    m_words.share(attribute.name);
}

void Graph::setType(ValueId id, ValueType type) {
  shareWords(type);
  m_values[id.index()].type = std::move(type);
}

ValueId Graph::addValue(SharedText name, ValueType type) {
  const ValueId id{m_values.size()};
  shareWords(type);
  // Values without a name (only broken models have them) are never found again.
  if (!name.empty()) {
    if (const ValueId known = findValue(name); known.valid()) {
      Value& existing = m_values[known.index()];
      if (!existing.type.known()) existing.type = std::move(type);
      return known;
    }
    m_valueByName.add(name, id);
  }
  Value& made = m_values.emplace_back();
  made.name = std::move(name);
  made.type = std::move(type);
  return id;
}

// The one of that name, made when there is none. Finding one makes no text.
ValueId Graph::valueNamed(const std::string& name) {
  const ValueId known = findValue(name);
  return known.valid() ? known : addValue(name);
}

ValueId Graph::addInput(SharedText name, ValueType type) {
  const ValueId id = addValue(std::move(name));
  Value& input = m_values[id.index()];
  shareWords(type);
  if (type.known()) input.type = std::move(type);
  input.isInput = true;
  m_inputs.push_back(id);
  return id;
}

ValueId Graph::addInitializer(SharedText name, Tensor tensor) {
  const ValueId id = addValue(std::move(name));
  Value& made = m_values[id.index()];
  // What an input declares stands (a caller may feed another tensor); otherwise the tensor says it exactly.
  if (!made.isInput || !made.type.known()) {
    const Layout layout = made.type.layout;
    made.type = ValueType::tensor(tensor.type(), Shape::of(tensor.dims()));
    made.type.layout = layout;
  }
  made.initializer = std::move(tensor);
  return id;
}

ValueId Graph::addOuterScope(SharedText name, ValueType type) {
  const ValueId id = addValue(std::move(name), std::move(type));
  m_values[id.index()].outerScope = true;
  return id;
}

void Graph::addOutput(ValueId id) {
  m_outputs.push_back(id);
  ++m_values[id.index()].outputCount;
}

// As in onnxruntime, a list that a caller sets is one that the inputs-and-outputs rule does not find by itself.
void Graph::setInputs(std::span<const ValueId> ids) {
  inputsManual = true;
  std::vector<ValueId> fresh(ids.begin(), ids.end());
  for (const ValueId id : m_inputs)
    m_values[id.index()].isInput = false;
  for (const ValueId id : fresh)
    m_values[id.index()].isInput = true;
  m_inputs = std::move(fresh);
}

void Graph::setOutputs(std::span<const ValueId> ids) {
  outputsManual = true;
  std::vector<ValueId> fresh(ids.begin(), ids.end());
  for (const ValueId id : m_outputs)
    m_values[id.index()].outputCount = 0;
  for (const ValueId id : fresh)
    ++m_values[id.index()].outputCount;
  m_outputs = std::move(fresh);
}

NodeId Graph::addNode(Node node, std::span<const ValueId> inputs, std::span<const std::string> outputNames) {
  const NodeId id{m_nodes.size()};
  node.inputs.assign(inputs.begin(), inputs.end());
  node.outputs.clear();
  node.removed = false;
  shareWords(node);
  for (const std::string& name : outputNames) {
    if (name.empty()) {
      node.outputs.push_back({});
      continue;
    }
    const ValueId output = valueNamed(name);
    Value& made = m_values[output.index()];
    if (!made.producer.valid()) {
      made.producer = id;
      made.producerSlot = static_cast<uint32_t>(node.outputs.size());
      made.outerScope = false;
    }
    node.outputs.push_back(output);
  }
  const size_t slots = node.inputs.size() + node.implicitInputs.size();
  m_nodes.push_back(std::move(node));
  m_slotRanges.push_back({static_cast<uint32_t>(m_usePositions.size()), static_cast<uint32_t>(slots)});
  m_usePositions.resize(m_usePositions.size() + slots);
  for (size_t slot = 0; slot < slots; ++slot)
    addUse(id, static_cast<uint32_t>(slot));
  ++m_liveNodes;
  return id;
}

NodeId Graph::addNode(Node node, std::initializer_list<ValueId> inputs,
                      std::initializer_list<std::string> outputNames) {
  return addNode(std::move(node), std::span(inputs.begin(), inputs.size()),
                 std::span(outputNames.begin(), outputNames.size()));
}

void Graph::removeNode(NodeId id) {
  if (m_nodes[id.index()].removed) return;
  const size_t slots = m_nodes[id.index()].inputs.size() + m_nodes[id.index()].implicitInputs.size();
  for (size_t slot = 0; slot < slots; ++slot)
    dropUse(id, static_cast<uint32_t>(slot));
  Node& node = m_nodes[id.index()];
  for (const ValueId output : node.outputs) {
    if (output.valid() && m_values[output.index()].producer == id) m_values[output.index()].producer = {};
  }
  node.inputs.clear();
  node.outputs.clear();
  node.implicitInputs.clear();
  node.attributes.clear();
  node.removed = true;
  --m_liveNodes;
}

void Graph::removeValue(ValueId id) {
  Value& dead = m_values[id.index()];
  if (dead.removed || dead.producer.valid() || !dead.uses.empty() || dead.outputCount > 0) return;
  if (dead.isInput) std::erase(m_inputs, id);
  m_valueByName.erase(dead.name, id);
  // A weight that a pass has folded into another was read for that, and nobody needs its pages in memory any more.
  if (dead.initializer && dead.initializer->type() != ElementType::kString)
    releasePages(
        {static_cast<const std::byte*>(dead.initializer->data()), static_cast<size_t>(dead.initializer->sizeBytes())});
  dead = Value{};
  dead.removed = true;
}

void Graph::clearInitializer(ValueId id) {
  m_values[id.index()].initializer.reset();
}

std::string Graph::freshName(std::string_view stem) const {
  const std::string base = stem.empty() ? "value" : std::string(stem);
  const auto taken = [&](uint64_t number) { return findValue(fmt::format("{}_{}", base, number)).valid(); };
  if (!findValue(base).valid()) return base;
  // Numbers are usually given without gaps: doubling and halving finds the end of the row in logarithmic time. (With
  // gaps it finds some free number all the same.)
  uint64_t low = 0;
  uint64_t high = 1;
  while (taken(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (taken(middle) ? low : high) = middle;
  }
  return fmt::format("{}_{}", base, high);
}

Graph::Renumbering Graph::compact() {
  Renumbering ids;
  ids.nodes.resize(m_nodes.size());
  ids.values.resize(m_values.size());
  size_t nodes = 0;
  for (size_t i = 0; i < m_nodes.size(); ++i) {
    if (!m_nodes[i].removed) ids.nodes[i] = NodeId{nodes++};
  }
  size_t values = 0;
  for (size_t i = 0; i < m_values.size(); ++i) {
    if (!m_values[i].removed) ids.values[i] = ValueId{values++};
  }
  const auto renumber = [&](auto& list) {
    for (ValueId& id : list) {
      if (id.valid()) id = ids.values[id.index()];
    }
  };

  std::vector<uint32_t> positions;
  positions.reserve(m_usePositions.size());
  for (size_t i = 0; i < m_nodes.size(); ++i) {
    if (!ids.nodes[i].valid()) continue;
    Node& node = m_nodes[i];
    renumber(node.inputs);
    renumber(node.outputs);
    renumber(node.implicitInputs);
    const auto slots = static_cast<uint32_t>(node.inputs.size() + node.implicitInputs.size());
    const auto from = m_usePositions.begin() + m_slotRanges[i].begin;
    const SlotRange range{static_cast<uint32_t>(positions.size()), slots};
    positions.insert(positions.end(), from, from + slots);
    const size_t to = ids.nodes[i].index();
    m_slotRanges[to] = range;
    if (to != i) m_nodes[to] = std::move(node);
  }
  for (size_t i = 0; i < m_values.size(); ++i) {
    if (!ids.values[i].valid()) continue;
    Value& each = m_values[i];
    if (each.producer.valid()) each.producer = ids.nodes[each.producer.index()];
    for (Use& use : each.uses)
      use.node = ids.nodes[use.node.index()];
    if (ids.values[i].index() != i) m_values[ids.values[i].index()] = std::move(each);
  }
  m_nodes.resize(nodes);
  m_values.resize(values);
  m_slotRanges.resize(nodes);
  // One node that was added doubles what a large graph holds.
  m_nodes.shrink_to_fit();
  m_values.shrink_to_fit();
  m_slotRanges.shrink_to_fit();
  m_usePositions = std::move(positions);
  renumber(m_inputs);
  renumber(m_outputs);
  m_valueByName.renumber(ids.values);
  return ids;
}

}  // namespace cutaway

// Packer writes and Unpacker reads in the same order: words of the graph, values, nodes, values again (what needs the
// nodes), lists of the graph, origins.
#include "engine/graph/packed_model.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

namespace cutaway {

namespace {

enum ValueFlag : uint8_t {
  kRemoved = 1,
  kInitializer = 2,
  kOuterScope = 4,
  kProduced = 8,
  kIsInput = 16,
  kOrdered = 32
};
enum GraphFlag : uint8_t { kFromFile = 1, kInputsManual = 2, kOutputsManual = 4, kOverridable = 8 };

Model withoutGraph(const Model& model) {
  return {.graph = Graph(model.graph.name()),
          .irVersion = model.irVersion,
          .opsets = model.opsets,
          .functions = model.functions,
          .producerName = model.producerName,
          .producerVersion = model.producerVersion,
          .domain = model.domain,
          .modelVersion = model.modelVersion,
          .documentation = model.documentation,
          .metadata = model.metadata,
          .path = model.path,
          .origins = {},
          .externalFiles = model.externalFiles};
}

// As nodes add their uses one after the other.
bool isInOrder(std::span<const Use> uses) {
  return std::ranges::is_sorted(
      uses, [](const Use& a, const Use& b) { return a.node != b.node ? a.node < b.node : a.slot < b.slot; });
}

// The place of a type in AttributeValue.
template <typename T, size_t place = 0>
constexpr size_t kindOf() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<place, AttributeValue>>)
    return place;
  else
    return kindOf<T, place + 1>();
}
template <typename T>
constexpr size_t kKindOf = kindOf<T>();

bool isExplicit(const Graph& graph, const Use& use) {
  return use.slot < graph.node(use.node).inputs.size();
}

}  // namespace

class PackedModel::Packer {
 public:
  explicit Packer(PackedModel& to) : m_to(to) {}

  void pack(const Model& model) {
    const Graph& graph = model.graph;
    number((graph.loadedFromFile ? kFromFile : 0) | (graph.inputsManual ? kInputsManual : 0) |
           (graph.outputsManual ? kOutputsManual : 0) | (graph.overridableInitializers ? kOverridable : 0));
    number(graph.valueSlots());
    for (size_t i = 0; i < graph.valueSlots(); ++i)
      value(graph.value(ValueId{i}));
    number(graph.nodeSlots());
    for (size_t i = 0; i < graph.nodeSlots(); ++i)
      node(graph.node(NodeId{i}));
    for (size_t i = 0; i < graph.valueSlots(); ++i)
      edges(graph, graph.value(ValueId{i}));
    ids(graph.inputs());
    ids(graph.outputs());
    number(model.origins.size());
    for (const Origin& origin : model.origins) {
      name(origin.name);
      word(origin.opType);
      word(origin.graphPath);
    }
  }

 private:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      m_to.m_bytes += static_cast<char>(0x80 | (value & 0x7f));
    m_to.m_bytes += static_cast<char>(value);
  }
  void integer(int64_t value) { number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
  void text(std::string_view text) {
    number(text.size());
    m_to.m_bytes += text;
  }
  // Neighbours are called alike: "/layer.1/attention/query", "/layer.1/attention/key".
  void name(const std::string& name) {
    const std::string& before = m_before != nullptr ? *m_before : m_none;
    const size_t longest = std::min(name.size(), before.size());
    const size_t shared = static_cast<size_t>(
        std::mismatch(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(longest), before.begin()).first -
        name.begin());
    number(shared);
    text(std::string_view(name).substr(shared));
    m_before = &name;
  }
  void word(const SharedText& text) {
    const auto known = m_words.find(text.string());
    if (known != m_words.end()) return number(known->second);
    number(m_to.m_words.size());
    m_words.emplace(text.string(), m_to.m_words.size());
    m_to.m_words.push_back(text);
  }
  template <typename Id>
  void id(Id id) {
    number(id.valid() ? id.index() + 1 : 0);
  }
  template <typename Ids>
  void ids(const Ids& list) {
    number(list.size());
    for (const auto each : list)
      id(each);
  }
  void type(const ValueType& type) {
    std::vector<size_t>& alike = m_types[toText(type)];
    const auto known = std::ranges::find_if(alike, [&](size_t place) { return m_to.m_types[place] == type; });
    if (known != alike.end()) return number(*known);
    number(m_to.m_types.size());
    alike.push_back(m_to.m_types.size());
    m_to.m_types.push_back(type);
  }
  void tensor(const Tensor& tensor) {
    number(m_to.m_tensors.size());
    m_to.m_tensors.push_back(tensor);
  }

  void value(const Value& value) {
    if (value.removed) return number(kRemoved);
    number((value.initializer ? kInitializer : 0) | (value.outerScope ? kOuterScope : 0) |
           (value.producer.valid() ? kProduced : 0) | (value.isInput ? kIsInput : 0) |
           (isInOrder(value.uses) ? 0 : kOrdered));
    name(value.name);
    type(value.type);
    if (value.initializer) tensor(*value.initializer);
    if (value.producer.valid()) {
      number(value.producer.index());
      number(value.producerSlot);
    }
  }
  // Uses that nodes added in their order would not be in the order that they are in.
  void edges(const Graph& graph, const Value& value) {
    if (value.removed || isInOrder(value.uses)) return;
    number(static_cast<uint64_t>(
        std::ranges::count_if(value.uses, [&](const Use& use) { return isExplicit(graph, use); })));
    for (const Use& use : value.uses) {
      if (!isExplicit(graph, use)) continue;
      number(use.node.index());
      number(use.slot);
    }
  }

  void node(const Node& node) {
    number(node.removed ? 1 : 0);
    name(node.name);
    for (const SharedText* each :
         {&node.opType, &node.domain, &node.overload, &node.documentation, &node.rewrite, &node.provider})
      word(*each);
    number(node.attributes.size());
    for (const Attribute& each : node.attributes) {
      word(each.name);
      attribute(each.value);
    }
    number(node.metadata.size());
    for (const auto& [key, value] : node.metadata) {
      word(key);
      text(value);
    }
    ids(node.inputs);
    ids(node.outputs);
    ids(node.implicitInputs);
    integer(node.sinceVersion);
    integer(node.opsetVersion);
    ids(node.origins);
  }

  void attribute(const AttributeValue& value) {
    number(value.index());
    visitHeld([this](const auto& held) { content(held); }, value);
  }
  void content(std::monostate) {}
  void content(int64_t value) { integer(value); }
  void content(float value) { number(std::bit_cast<uint32_t>(value)); }
  void content(const std::string& value) { text(value); }
  void content(const Tensor& value) { tensor(value); }
  template <typename T>
    requires std::is_same_v<T, int64_t> || std::is_same_v<T, float> || std::is_same_v<T, std::string>
  void content(const std::vector<T>& list) {
    number(list.size());
    for (const T& each : list)
      content(each);
  }
  template <typename T>
  void content(const T& rare) {
    number(m_to.m_rare.size());
    m_to.m_rare.emplace_back(rare);
  }

  PackedModel& m_to;
  const std::string m_none;
  const std::string* m_before = nullptr;  // the latest name; of the model, which stays meanwhile
  std::unordered_map<std::string_view, size_t> m_words;
  std::unordered_map<std::string, std::vector<size_t>> m_types;  // by text, which leaves out denotations
};

class PackedModel::Unpacker {
 public:
  explicit Unpacker(const PackedModel& from) : m_from(from), m_at(from.m_bytes.data()) {}

  Model unpack() {
    Model model = m_from.m_rest;
    Graph& graph = model.graph;
    const uint64_t flags = number();
    std::vector<Known> values(number());
    for (Known& each : values)
      value(graph, each);
    const uint64_t nodes = number();
    for (uint64_t i = 0; i < nodes; ++i)
      node(graph);
    for (size_t i = 0; i < values.size(); ++i)
      edges(graph, ValueId{i}, values[i]);
    graph.setInputs(ids<ValueId>());
    graph.setOutputs(ids<ValueId>());
    graph.loadedFromFile = (flags & kFromFile) != 0;
    graph.inputsManual = (flags & kInputsManual) != 0;
    graph.outputsManual = (flags & kOutputsManual) != 0;
    graph.overridableInitializers = (flags & kOverridable) != 0;
    for (size_t i = 0; i < values.size(); ++i)
      graph.mutableValue(ValueId{i}).isInput = values[i].isInput;
    model.origins.resize(number());
    for (Origin& origin : model.origins) {
      origin.name = name();
      origin.opType = word();
      origin.graphPath = word();
    }
    shareNames(model);
    return model;
  }

 private:
  // Nodes are called as they were when they were loaded: one text serves both.
  static void shareNames(Model& model) {
    for (const NodeId id : model.graph.nodeIds()) {
      const Node& node = model.graph.node(id);
      for (const OriginId origin : node.origins) {
        SharedText& name = model.origins[origin.index()].name;
        if (name == node.name) name = node.name;
      }
    }
  }

  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<uint8_t>(*m_at++);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  int64_t integer() {
    const uint64_t value = number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  std::string_view text() {
    const size_t size = number();
    m_at += size;
    return {m_at - size, size};
  }
  const std::string& name() {
    m_name.resize(number());
    m_name += text();
    return m_name;
  }
  const SharedText& word() { return m_from.m_words[number()]; }
  template <typename Id>
  Id id() {
    const uint64_t value = number();
    return value == 0 ? Id{} : Id{static_cast<size_t>(value - 1)};
  }
  template <typename Id>
  std::vector<Id> ids() {
    std::vector<Id> list(number());
    for (Id& each : list)
      each = id<Id>();
    return list;
  }

  // What is put in behind the nodes.
  struct Known {
    bool isInput = false;
    bool listsUses = false;
  };

  void value(Graph& graph, Known& known) {
    const uint64_t flags = number();
    if ((flags & kRemoved) != 0) {
      graph.removeValue(graph.addValue(""));
      return;
    }
    std::string called = name();
    Value& made = graph.mutableValue(graph.addValue(std::move(called), m_from.m_types[number()]));
    if ((flags & kInitializer) != 0) made.initializer = m_from.m_tensors[number()];
    made.outerScope = (flags & kOuterScope) != 0;
    known.isInput = (flags & kIsInput) != 0;
    known.listsUses = (flags & kOrdered) != 0;
    if ((flags & kProduced) == 0) return;
    made.producer = NodeId{number()};
    made.producerSlot = static_cast<uint32_t>(number());
  }

  void edges(Graph& graph, ValueId id, const Known& known) {
    if (!known.listsUses) return;
    std::vector<Use> uses(number());
    for (Use& use : uses)
      use = {NodeId{number()}, static_cast<uint32_t>(number())};
    for (const Use& use : uses)
      graph.setNodeInput(use.node, use.slot, {});
    for (const Use& use : uses)
      graph.setNodeInput(use.node, use.slot, id);
  }

  void node(Graph& graph) {
    const bool removed = number() != 0;
    Node node;
    node.name = name();
    for (SharedText* each :
         {&node.opType, &node.domain, &node.overload, &node.documentation, &node.rewrite, &node.provider})
      *each = word();
    node.attributes.resize(number());
    for (Attribute& each : node.attributes) {
      each.name = word();
      each.value = attribute();
    }
    node.metadata.resize(number());
    for (auto& [key, value] : node.metadata) {
      key = word();
      value = text();
    }
    const std::vector<ValueId> inputs = ids<ValueId>();
    ShortList<ValueId> outputs = ids<ValueId>();
    node.implicitInputs = ids<ValueId>();
    node.sinceVersion = static_cast<int32_t>(integer());
    node.opsetVersion = static_cast<int32_t>(integer());
    node.origins = ids<OriginId>();
    const NodeId id = graph.addNode(std::move(node), inputs, std::span<const std::string>());
    graph.mutableNode(id).outputs = std::move(outputs);
    if (removed) graph.removeNode(id);
  }

  AttributeValue attribute() {
    switch (number()) {
      case kKindOf<std::monostate>:
        return {};
      case kKindOf<int64_t>:
        return integer();
      case kKindOf<float>:
        return std::bit_cast<float>(static_cast<uint32_t>(number()));
      case kKindOf<std::string>:
        return std::string(text());
      case kKindOf<Boxed<Tensor>>:
        return m_from.m_tensors[number()];
      case kKindOf<std::vector<int64_t>>:
        return list<int64_t>([this] { return integer(); });
      case kKindOf<std::vector<float>>:
        return list<float>([this] { return std::bit_cast<float>(static_cast<uint32_t>(number())); });
      case kKindOf<std::vector<std::string>>:
        return list<std::string>([this] { return std::string(text()); });
      default:
        return m_from.m_rare[number()];
    }
  }
  template <typename T, typename Read>
  std::vector<T> list(Read&& read) {
    std::vector<T> result(number());
    for (T& each : result)
      each = read();
    return result;
  }

  const PackedModel& m_from;
  const char* m_at;
  std::string m_name;
};

PackedModel::PackedModel(const Model& model) : m_nodeCount(model.graph.nodeCount()), m_rest(withoutGraph(model)) {
  Packer(*this).pack(model);
  m_bytes.shrink_to_fit();
  m_words.shrink_to_fit();
  m_types.shrink_to_fit();
  m_tensors.shrink_to_fit();
  m_rare.shrink_to_fit();
}

Model PackedModel::unpack() const {
  return Unpacker(*this).unpack();
}

}  // namespace cutaway

#pragma once
// Graph: nodes and values in vectors addressed by strong ids, with producers and uses kept up to date by every edit.
//
// A value is known by name within one graph. A body refers to values of the graphs around it by name: those are Values
// here too, with outerScope set and no producer. Removed nodes and values leave a hole (removed == true) so that ids
// stay stable; compact() closes the holes and renumbers. Thread rule: const access from many threads; edits by one.
// Graph is a value: copies are deep, weights shared. Example:
//   Graph graph("main");
//   ValueId x = graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(4)}));
//   NodeId relu = graph.addNode({.name = "r", .opType = "Relu"}, {x}, {"y"});
//   graph.addOutput(graph.node(relu).outputs[0]);

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/boxed.h"
#include "engine/base/shared_text.h"
#include "engine/base/short_list.h"
#include "engine/graph/attribute.h"
#include "engine/graph/ids.h"
#include "engine/graph/name_table.h"

namespace cutaway {

struct Use {
  NodeId node;
  uint32_t slot = 0;  // slots from the node's inputs().size() on are its implicit inputs
  bool operator==(const Use&) const = default;
};

struct Value {
  SharedText name;
  ValueType type;
  NodeId producer;  // invalid: graph input, initializer or outer scope
  uint32_t producerSlot = 0;
  ShortList<Use> uses;        // in no particular order; graph outputs are not uses
  Boxed<Tensor> initializer;  // bytes may be mapped; immutable
  uint32_t outputCount = 0;   // how often it is listed among the graph's outputs
  bool isInput = false;       // listed among the graph's inputs
  bool outerScope = false;    // defined by a graph around this one
  bool removed = false;
};

struct Node {
  SharedText name{};
  SharedText opType{};
  SharedText domain{};  // "" is ai.onnx
  SharedText overload{};
  std::vector<Attribute> attributes{};
  SharedText documentation{};
  std::vector<std::pair<std::string, std::string>> metadata{};  // metadata_props of the file, in its order

  ShortList<ValueId> inputs{};          // invalid id: an absent optional input
  ShortList<ValueId> outputs{};         // invalid id: an absent optional output
  ShortList<ValueId> implicitInputs{};  // values of this graph that its bodies capture

  int32_t sinceVersion = 0;       // of the schema that resolve chose; 0 before
  int32_t opsetVersion = 0;       // imported version of the node's domain where the node was written; 0 before resolve
  ShortList<OriginId> origins{};  // which nodes of the loaded model it came from
  SharedText rewrite{};   // what made it ("" = loaded as it is): name of a pass, "function inlining", "copy", ...
  SharedText provider{};  // name of the ExecutionProvider that took it; "" = nobody yet
  bool removed = false;

  const Attribute* findAttribute(std::string_view attributeName) const;
  void setAttribute(std::string_view attributeName, AttributeValue value);
  // The value if present and of this type, else `otherwise`.
  template <typename T>
  T attributeOr(std::string_view attributeName, T otherwise) const;
  bool hasBodies() const;
};

// Calls visit(attribute name, body) for every nested graph of a node, in attribute order.
template <typename NodeType, typename Visit>
void forEachBody(NodeType& node, Visit&& visit);

class Graph {
 public:
  explicit Graph(std::string name = "") : m_name(std::move(name)) {}

  const std::string& name() const { return m_name; }
  void setName(std::string name) { m_name = std::move(name); }

  // --- reading. Sizes include holes; check removed, or use nodeIds()/valueIds().
  size_t nodeSlots() const { return m_nodes.size(); }
  size_t valueSlots() const { return m_values.size(); }
  size_t nodeCount() const { return m_liveNodes; }
  const Node& node(NodeId id) const { return m_nodes[id.index()]; }
  const Value& value(ValueId id) const { return m_values[id.index()]; }
  std::vector<NodeId> nodeIds() const;             // live, in id order
  std::vector<ValueId> valueIds() const;           // live, in id order
  ValueId findValue(std::string_view name) const;  // invalid when there is none
  // As a node lists them: "" for an optional one that is left out.
  std::string nameOf(ValueId id) const { return id.valid() ? value(id).name.string() : std::string(); }
  std::vector<std::string> namesOf(std::span<const ValueId> ids) const;
  NodeId findNode(std::string_view name) const;  // linear; for tests and the command line
  // Graph inputs as listed, initializer-backed ones included.
  std::span<const ValueId> inputs() const { return m_inputs; }
  std::span<const ValueId> outputs() const { return m_outputs; }
  bool isConstant(ValueId id) const;  // an initializer that the caller cannot override
  std::vector<ValueId> initializers() const;

  // --- editing. Metadata of nodes and values may be changed directly; edges only through the functions below.
  Node& mutableNode(NodeId id) { return m_nodes[id.index()]; }
  Value& mutableValue(ValueId id) { return m_values[id.index()]; }
  // As through mutableNode and mutableValue; of a large graph, equal texts are held once.
  void setProvider(NodeId id, std::string_view provider) { mutableNode(id).provider = m_words.of(provider); }
  void setType(ValueId id, ValueType type);
  ValueId addValue(SharedText name,
                   ValueType type = {});  // returns the existing one of that name (its type kept when known)
  ValueId addInput(SharedText name, ValueType type);
  ValueId addInitializer(SharedText name, Tensor tensor);
  ValueId addOuterScope(SharedText name, ValueType type);
  void addOutput(ValueId id);
  void setInputs(std::span<const ValueId> ids);
  void setOutputs(std::span<const ValueId> ids);
  // Output names: "" leaves an optional output out. Existing values of these names become its outputs; one that has a
  // producer keeps it (two nodes then list it, which the model checks refuse). node.implicitInputs are taken as they
  // are; node.inputs and node.outputs are overwritten.
  NodeId addNode(Node node, std::span<const ValueId> inputs, std::span<const std::string> outputNames);
  NodeId addNode(Node node, std::initializer_list<ValueId> inputs, std::initializer_list<std::string> outputNames);
  void removeNode(NodeId id);    // its outputs lose their producer
  void removeValue(ValueId id);  // must have neither producer nor uses nor be a graph output (else nothing happens);
                                 // leaves the graph's inputs, too
  void setNodeInput(NodeId id, size_t slot, ValueId value);   // grows the input list when slot is past its end
  void setNodeOutput(NodeId id, size_t slot, ValueId value);  // value must have no other producer
  void setImplicitInputs(NodeId id, std::span<const ValueId> values);
  // Sets the implicit inputs to what the node's bodies capture. A name this graph does not know becomes an outer-scope
  // value of it.
  void bindCaptures(NodeId id);
  // Every use of `from`, and its places among the graph outputs, become `to`. Bodies that captured `from` capture `to`
  // by its name.
  void replaceUses(ValueId from, ValueId to);
  void moveUses(ValueId from, ValueId to);  // the same without the graph outputs
  void renameValue(
      ValueId id,
      SharedText name);  // the new name must be free (else nothing happens); bodies that capture the value follow
  std::string freshName(
      std::string_view stem) const;  // a value name not used in this graph: stem, or stem_1, stem_2 ...
  void clearInitializer(ValueId id);

  // Drops holes and renumbers; gives the new id of each old one (invalid for holes).
  struct Renumbering {
    std::vector<NodeId> nodes;
    std::vector<ValueId> values;
  };
  Renumbering compact();

  // --- state of the inputs and outputs rule (see stages/resolve): set by load or by a caller that builds graphs.
  bool loadedFromFile = false;
  bool inputsManual = false;
  bool outputsManual = false;
  bool overridableInitializers = true;  // false below IR 4: initializers among the inputs are constants

 private:
  // Where each slot of a node stands in the uses of its value: positions [begin, begin + capacity) of m_usePositions.
  // Makes dropping a use constant time.
  struct SlotRange {
    uint32_t begin = 0;
    uint32_t capacity = 0;
  };

  ValueId slotValue(const Node& node, size_t slot) const;
  void reserveSlots(NodeId id, size_t slots);
  void addUse(NodeId id, uint32_t slot);
  void dropUse(NodeId id, uint32_t slot);
  void recapture(NodeId id, const SharedText& oldName, const SharedText& newName);
  ValueId valueNamed(const std::string& name);
  void shareWords(Node& node);
  void shareWords(ValueType& type);

  std::string m_name;
  std::vector<Node> m_nodes;
  std::vector<Value> m_values;
  std::vector<ValueId> m_inputs;
  std::vector<ValueId> m_outputs;
  NameTable m_valueByName;
  TextPool m_words;  // operators, names of attributes, symbols: each once, as long as the graph lives
  std::vector<SlotRange> m_slotRanges;
  std::vector<uint32_t> m_usePositions;
  size_t m_liveNodes = 0;
};

template <typename T>
T Node::attributeOr(std::string_view attributeName, T otherwise) const {
  const Attribute* attribute = findAttribute(attributeName);
  if (attribute == nullptr) return otherwise;
  const T* value = heldAs<T>(attribute->value);
  return value == nullptr ? std::move(otherwise) : *value;
}

template <typename NodeType, typename Visit>
void forEachBody(NodeType& node, Visit&& visit) {
  for (auto& attribute : node.attributes) {
    if (auto* body = std::get_if<GraphBox>(&attribute.value)) visit(attribute.name, **body);
    if (auto* bodies = std::get_if<std::vector<GraphBox>>(&attribute.value)) {
      for (auto& each : *bodies)
        visit(attribute.name, *each);
    }
  }
}

}  // namespace cutaway

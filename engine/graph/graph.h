#pragma once
// Graph: nodes and values in vectors addressed by strong ids, with producers and uses kept up to date by every edit.
//
// A value is known by name within one graph. A body refers to values of the graphs around it by name: those are Values here too, with outerScope set and no producer.
// Removed nodes and values leave a hole (removed == true) so that ids stay stable; compact() closes the holes and renumbers.
// Thread rule: const access from many threads; edits by one. Graph is a value: copies are deep, weights shared.
// Example:
//   Graph graph("main");
//   ValueId x = graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(4)}));
//   NodeId relu = graph.addNode({.name = "r", .opType = "Relu"}, {x}, {"y"});
//   graph.addOutput(graph.node(relu).outputs[0]);

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/graph/attribute.h"
#include "engine/graph/ids.h"

namespace cutaway {

struct Use {
  NodeId node;
  uint32_t slot = 0;  // slots from the node's inputs().size() on are its implicit inputs
  bool operator==(const Use&) const = default;
};

struct Value {
  std::string name;
  ValueType type;
  NodeId producer;            // invalid: graph input, initializer or outer scope
  uint32_t producerSlot = 0;
  std::vector<Use> uses;      // in no particular order; graph outputs are not uses
  std::optional<Tensor> initializer;  // bytes may be mapped; immutable
  bool isInput = false;       // listed among the graph's inputs
  uint32_t outputCount = 0;   // how often it is listed among the graph's outputs
  bool outerScope = false;    // defined by a graph around this one
  bool removed = false;
};

struct Node {
  std::string name;
  std::string opType;
  std::string domain;  // "" is ai.onnx
  std::string overload;
  std::vector<Attribute> attributes;
  std::string documentation;

  std::vector<ValueId> inputs;          // invalid id: an absent optional input
  std::vector<ValueId> outputs;         // invalid id: an absent optional output
  std::vector<ValueId> implicitInputs;  // values of this graph that its bodies capture

  int32_t sinceVersion = 0;  // of the schema that resolve chose; 0 before
  int32_t opsetVersion = 0;  // imported version of the node's domain where the node was written; 0 before resolve
  std::vector<OriginId> origins;  // which nodes of the loaded model it came from
  std::string rewrite;            // what made it ("" = loaded as it is): name of a pass, "function inlining", "copy", ...
  std::string provider;           // name of the ExecutionProvider that took it; "" = nobody yet
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
  std::vector<NodeId> nodeIds() const;    // live, in id order
  std::vector<ValueId> valueIds() const;  // live, in id order
  ValueId findValue(std::string_view name) const;  // invalid when there is none
  NodeId findNode(std::string_view name) const;    // linear; for tests and the command line
  // Graph inputs as listed, initializer-backed ones included.
  std::span<const ValueId> inputs() const { return m_inputs; }
  std::span<const ValueId> outputs() const { return m_outputs; }
  bool isConstant(ValueId id) const;  // an initializer that the caller cannot override
  std::vector<ValueId> initializers() const;

  // --- editing. Metadata of nodes and values may be changed directly; edges only through the functions below.
  Node& mutableNode(NodeId id) { return m_nodes[id.index()]; }
  Value& mutableValue(ValueId id) { return m_values[id.index()]; }
  ValueId addValue(std::string name, ValueType type = {});  // returns the existing one of that name (its type kept when known)
  ValueId addInput(std::string name, ValueType type);
  ValueId addInitializer(std::string name, Tensor tensor);
  ValueId addOuterScope(std::string name, ValueType type);
  void addOutput(ValueId id);
  void setInputs(std::span<const ValueId> ids);
  void setOutputs(std::span<const ValueId> ids);
  // Output names: "" leaves an optional output out. Existing values of these names become its outputs.
  NodeId addNode(Node node, std::span<const ValueId> inputs, std::span<const std::string> outputNames);
  NodeId addNode(Node node, std::initializer_list<ValueId> inputs, std::initializer_list<std::string> outputNames);
  void removeNode(NodeId id);  // its outputs lose their producer
  void removeValue(ValueId id);  // must have neither producer nor uses
  void setNodeInput(NodeId id, size_t slot, ValueId value);  // grows the input list when slot is past its end
  void setNodeOutput(NodeId id, size_t slot, ValueId value);  // value must have no other producer
  void setImplicitInputs(NodeId id, std::span<const ValueId> values);
  // Every use of `from`, and its places among the graph outputs, become `to`.
  void replaceUses(ValueId from, ValueId to);
  void renameValue(ValueId id, std::string name);  // the new name must be free
  std::string freshName(std::string_view stem) const;  // a value name not used in this graph
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
  std::string m_name;
  std::vector<Node> m_nodes;
  std::vector<Value> m_values;
  std::vector<ValueId> m_inputs;
  std::vector<ValueId> m_outputs;
  std::unordered_map<std::string, ValueId> m_valueByName;
  size_t m_liveNodes = 0;
};

template <typename T>
T Node::attributeOr(std::string_view attributeName, T otherwise) const {
  const Attribute* attribute = findAttribute(attributeName);
  if (attribute == nullptr) return otherwise;
  const T* value = std::get_if<T>(&attribute->value);
  return value == nullptr ? std::move(otherwise) : *value;
}

template <typename NodeType, typename Visit>
void forEachBody(NodeType& node, Visit&& visit) {
  for (auto& attribute : node.attributes) {
    if (auto* body = std::get_if<GraphBox>(&attribute.value)) visit(attribute.name, **body);
    if (auto* bodies = std::get_if<std::vector<GraphBox>>(&attribute.value)) {
      for (auto& each : *bodies) visit(attribute.name, *each);
    }
  }
}

}  // namespace cutaway

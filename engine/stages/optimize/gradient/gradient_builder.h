#pragma once
// Writes the nodes of a backward pass into a graph: operators of one opset, with types inferred as they come.
//
// A failure is kept and told by status(); after it nothing is added, so that rules can be written without a check on
// every line. Thread rule: edits one graph, by one thread. Example:
//   GradientBuilder build(model, graph, gradientNode);
//   ValueId slope = build.mul(g, build.node("Cos", {x}));

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway::optimize {

class GradientBuilder {
 public:
  // New nodes carry the origins of `from`.
  GradientBuilder(const Model& model, Graph& graph, const Node& from);

  const Graph& graph() const { return m_graph; }
  Graph& mutableGraph() { return m_graph; }
  const Result<void>& status() const { return m_status; }
  void refuse(Error error);
  const std::vector<NodeId>& added() const { return m_added; }

  // --- nodes. The first output of a new node.
  ValueId node(std::string_view opType, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {});
  std::vector<ValueId> nodes(std::string_view opType, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                             size_t outputs);
  // A copy of a node that reads other values; its outputs are new.
  std::vector<ValueId> copyOf(const Node& original, std::vector<ValueId> inputs);
  void copyInto(ValueId from, ValueId to);  // Identity
  // Gives the node an optional output that it leaves out, and infers its type.
  ValueId askFor(NodeId node, size_t slot);

  ValueId add(ValueId a, ValueId b) { return node("Add", {a, b}); }
  ValueId sub(ValueId a, ValueId b) { return node("Sub", {a, b}); }
  ValueId mul(ValueId a, ValueId b) { return node("Mul", {a, b}); }
  ValueId div(ValueId a, ValueId b) { return node("Div", {a, b}); }
  ValueId neg(ValueId a) { return node("Neg", {a}); }

  // --- constants.
  ValueId integers(std::vector<int64_t> values);
  ValueId integer(int64_t value);
  ValueId tensor(Tensor values);
  ValueId number(double value, ValueId like);  // a scalar of the element type of `like`
  ValueId filled(double value, ValueId like);  // a tensor of the shape and type of `like`

  // --- shapes.
  const ValueType& type(ValueId id) const { return m_graph.value(id).type; }
  std::optional<size_t> rank(ValueId id) const;
  std::optional<std::vector<int64_t>> dims(ValueId id) const;  // when all are known
  bool sameShape(ValueId a, ValueId b) const;                  // known to be the same
  const Tensor* constant(ValueId id) const;
  ValueId shapeOf(ValueId id);
  ValueId slicedShape(ValueId id, int64_t begin, int64_t end);
  ValueId reshape(ValueId id, ValueId shape);
  ValueId reshapeLike(ValueId id, ValueId like) { return sameShape(id, like) ? id : reshape(id, shapeOf(like)); }
  ValueId expandLike(ValueId id, ValueId like) {
    return sameShape(id, like) ? id : node("Expand", {id, shapeOf(like)});
  }
  ValueId transpose(ValueId id, std::vector<int64_t> order);
  ValueId sum(ValueId id, std::vector<int64_t> axes, bool keepDims);
  // Undoes broadcasting: the sum of `id` over what a value of the shape of `like` was repeated along.
  ValueId sumTo(ValueId id, ValueId like);
  // elements of `values` are added up at `places` (flat, int64) of a tensor of zeros shaped like `like`.
  ValueId scatter(ValueId values, ValueId places, ValueId like);
  // 0, 1, 2 ... in the shape of `like`.
  ValueId placesOf(ValueId like);

 private:
  std::optional<ValueId> sumToStatic(ValueId id, ValueId like);
  void settle(NodeId id);

  const Model& m_model;
  Graph& m_graph;
  std::vector<OriginId> m_origins;
  std::string m_prefix;
  Result<void> m_status;
  std::vector<NodeId> m_added;
  size_t m_counter = 0;
};

}  // namespace cutaway::optimize

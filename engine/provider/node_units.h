#pragma once
// Q/DQ node units: an operator together with the DequantizeLinear nodes that feed it and the QuantizeLinear nodes that
// take its results, so that providers judge and take them as one.
//
// A DequantizeLinear belongs to the unit of its consumer when that is its only one and its result is no graph output; a
// QuantizeLinear belongs to the unit of its producer when it is the only consumer and its scale and zero point are not
// computed. Every other node is a unit of its own, also a Q/DQ node next to nothing but others. Units are convex, and
// each of them as one node leaves the graph acyclic. Thread rule: pure. Linear. Example: const NodeUnits units(graph);
// for (const NodeUnit& unit : units.all()) judge(unit.target);

#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

struct NodeUnit {
  NodeId target;              // the operator itself
  std::vector<NodeId> nodes;  // all of them in topological order, the target among them
  bool quantized() const { return nodes.size() > 1; }
};

class NodeUnits {
 public:
  explicit NodeUnits(const Graph& graph);

  const std::vector<NodeUnit>& all() const { return m_units; }  // in topological order of their targets
  const NodeUnit& of(NodeId node) const { return m_units[unitIndex(node)]; }
  size_t unitIndex(NodeId node) const { return m_unitOfNode[node.index()]; }  // of a live node

 private:
  std::vector<NodeUnit> m_units;
  std::vector<uint32_t> m_unitOfNode;
};

}  // namespace cutaway

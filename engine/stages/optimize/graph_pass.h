#pragma once
// A graph pass: looks at one node over a read-only graph and proposes a patch, or nothing. The driver applies,
// verifies, counts and times.
//
// A pass is a unit: passes/<verb_object>.cpp defines pass_<verb_object>(), and CMakeLists.txt names it at its place in
// the order, with the reason. Thread rule: passes are stateless; a PassContext belongs to one run over one graph.
// Example: see passes/eliminate_dead_nodes.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/graph/patch.h"
#include "engine/stages/optimize/optimize.h"

namespace cutaway::optimize {

class PassContext {
 public:
  PassContext(const Model& model, const Graph& graph, const PassContext* outer, const OptimizeOptions& options)
      : m_model(model), m_graph(graph), m_outer(outer), m_options(options) {}

  const Model& model() const { return m_model; }
  const Graph& graph() const { return m_graph; }
  const OptimizeOptions& options() const { return m_options; }
  const Node& node(NodeId id) const { return m_graph.node(id); }
  const ValueType& type(ValueId id) const { return m_graph.value(id).type; }

  // The bytes of a constant, looked up through outer scopes; nullptr when the value is none (overridable initializers
  // are none).
  const Tensor* constant(ValueId id) const;
  bool isOutput(ValueId id) const { return m_graph.value(id).outputCount > 0; }
  // The node that makes a value; invalid for inputs, initializers and outer values.
  NodeId producer(ValueId id) const { return id.valid() ? m_graph.value(id).producer : NodeId(); }
  // The one node that reads a value, when it is read once, as a plain input, and is not a graph output; else invalid.
  NodeId onlyReader(ValueId id) const;
  ValueId input(NodeId id, size_t slot) const;
  ValueId output(NodeId id, size_t slot) const;
  bool is(NodeId id, std::string_view opType) const {
    return id.valid() && node(id).opType == opType && node(id).domain.empty();
  }
  std::string label(NodeId id) const;

  // Scratch of a pass over one graph, empty at its start.
  mutable std::unordered_map<std::string, NodeId> seen;
  // The same for constant folding, by node index: inputs before this slot do not come dequantised, and whether a result
  // is quantised.
  mutable std::unordered_map<size_t, size_t> plainInputs;
  mutable std::unordered_map<size_t, bool> quantizedResults;

 private:
  const Model& m_model;
  const Graph& m_graph;
  const PassContext* m_outer;
  const OptimizeOptions& m_options;
};

struct GraphPass {
  std::string_view name;     // as in optimization.disable_specified_optimizers
  std::string_view purpose;  // one line for people
  int level = 1;
  bool wholeGraph = false;  // looks at every node each round, not only at those that changed
  std::optional<GraphPatch> (*match)(const PassContext& context, NodeId node) = nullptr;
  // In place of it, for passes that are known only when the program runs.
  std::optional<GraphPatch> (*matchWith)(const PassContext& context, NodeId node, const void* data) = nullptr;
  const void* data = nullptr;

  std::optional<GraphPatch> propose(const PassContext& context, NodeId node) const {
    return match != nullptr ? match(context, node) : matchWith(context, node, data);
  }
};

// Every built pass in the order it runs (CMakeLists.txt); those of plug-ins come behind (plugin_passes.h).
std::span<const GraphPass* const> passPipeline();

}  // namespace cutaway::optimize

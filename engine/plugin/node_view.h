#pragma once
// A node of ours as plug-ins see it.
//
// Thread rule: as the graph that it looks at. Example: const NodeView node(graph, id);  each->match(node);

#include "engine/graph/graph.h"
#include "engine/plugin/plugin_interface.h"

namespace cutaway {

class NodeView final : public plugin::Node {
 public:
  NodeView(const Graph& graph, NodeId id) : m_graph(graph), m_node(graph.node(id)) {}

  const char* name() const override { return m_node.name.c_str(); }
  const char* opType() const override { return m_node.opType.c_str(); }
  const char* domain() const override { return m_node.domain.c_str(); }
  size_t inputCount() const override { return m_node.inputs.size(); }
  size_t outputCount() const override { return m_node.outputs.size(); }
  const char* input(size_t slot) const override { return nameAt(m_node.inputs, slot); }
  const char* output(size_t slot) const override { return nameAt(m_node.outputs, slot); }
  bool attribute(const char* name, int64_t* value) const override;
  bool attribute(const char* name, float* value) const override;
  bool attribute(const char* name, const char** value) const override;
  bool attribute(const char* name, const int64_t** values, size_t* count) const override;

 private:
  const char* nameAt(std::span<const ValueId> values, size_t slot) const {
    return slot < values.size() && values[slot].valid() ? m_graph.value(values[slot]).name.c_str() : "";
  }
  const Graph& m_graph;
  const cutaway::Node& m_node;
};

plugin::Tensor viewOf(const Tensor& tensor);

}  // namespace cutaway

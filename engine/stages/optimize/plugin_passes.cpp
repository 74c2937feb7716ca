#include "engine/stages/optimize/plugin_passes.h"

#include <map>

#include "engine/base/log.h"
#include "engine/plugin/node_view.h"
#include "engine/plugin/plugin_folder.h"

namespace cutaway::optimize {
namespace {

class GraphView final : public plugin::Graph {
 public:
  explicit GraphView(const PassContext& context) : m_context(context) {}

  size_t nodeCount() const override { return graph().nodeSlots(); }
  bool exists(size_t index) const override { return index < nodeCount() && !graph().node(NodeId{index}).removed; }
  const plugin::Node& node(size_t index) const override {
    return m_nodes.try_emplace(index, graph(), NodeId{index}).first->second;
  }
  size_t producerOf(const char* value) const override {
    const ValueId id = graph().findValue(value);
    return id.valid() && graph().value(id).producer.valid() ? graph().value(id).producer.index() : kNoNode;
  }
  size_t readersOf(const char* value) const override {
    const ValueId id = graph().findValue(value);
    return id.valid() ? graph().value(id).uses.size() : 0;
  }
  bool isOutput(const char* value) const override {
    const ValueId id = graph().findValue(value);
    return id.valid() && m_context.isOutput(id);
  }
  const plugin::Tensor* constant(const char* value) const override {
    const ValueId id = graph().findValue(value);
    const Tensor* const tensor = id.valid() ? m_context.constant(id) : nullptr;
    if (tensor == nullptr) return nullptr;
    m_constant = viewOf(*tensor);
    return &m_constant;
  }

 private:
  const cutaway::Graph& graph() const { return m_context.graph(); }
  const PassContext& m_context;
  mutable std::map<size_t, NodeView> m_nodes;  // those that were looked at
  mutable plugin::Tensor m_constant;
};

class PatchWriter final : public plugin::Patch {
 public:
  explicit PatchWriter(const cutaway::Graph& graph) : m_graph(graph) {}

  void note(const char* text) override { patch.note = text; }
  void remove(size_t node) override {
    if (node < m_graph.nodeSlots() && !m_graph.node(NodeId{node}).removed)
      patch.removeNodes.emplace_back(node);
    else
      problem = "it removes a node that there is not";
  }
  void replace(const char* value, const char* by) override {
    const ValueId from = m_graph.findValue(value), to = m_graph.findValue(by);
    if (from.valid() && to.valid())
      patch.replaceValues.emplace_back(from, to);
    else
      problem = "it replaces a value that there is not";
  }
  void add(const char* domain, const char* opType, const char* const* inputs, size_t inputCount,
           const char* const* outputs, size_t outputCount) override {
    NewNode& node = patch.addNodes.emplace_back();
    node.node.domain = domain;
    node.node.opType = opType;
    node.inputs.assign(inputs, inputs + inputCount);
    node.outputs.assign(outputs, outputs + outputCount);
  }
  void attribute(const char* name, int64_t value) override { set(name, value); }
  void attribute(const char* name, float value) override { set(name, value); }

  GraphPatch patch;
  std::string problem;

 private:
  void set(const char* name, AttributeValue value) {
    if (patch.addNodes.empty())
      problem = "it sets an attribute of no node";
    else
      patch.addNodes.back().node.setAttribute(name, std::move(value));
  }
  const cutaway::Graph& m_graph;
};

std::optional<GraphPatch> matchPlugin(const PassContext& context, NodeId id, const void* data) {
  const auto& pass = *static_cast<const plugin::Pass*>(data);
  const GraphView graph(context);
  PatchWriter writer(context.graph());
  if (!pass.match(graph, id.index(), writer)) return std::nullopt;
  if (!writer.problem.empty()) {
    log::warn(log::Category::kStages, "pass {} of a plug-in at {}: {}", pass.name, context.label(id), writer.problem);
    return std::nullopt;
  }
  if (writer.patch.note.empty()) writer.patch.note = pass.purpose;
  return std::move(writer.patch);
}

}  // namespace

std::vector<GraphPass> pluginPasses() {
  std::vector<GraphPass> passes;
  for (const OpenedPlugin* library : openedPlugins()) {
    for (size_t i = 0; i < library->tables->passCount; ++i) {
      const plugin::Pass& each = library->tables->passes[i];
      passes.push_back(
          {.name = each.name, .purpose = each.purpose, .level = each.level, .matchWith = matchPlugin, .data = &each});
    }
  }
  return passes;
}

}  // namespace cutaway::optimize

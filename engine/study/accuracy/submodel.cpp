#include "engine/study/accuracy/submodel.h"

#include <algorithm>

#include "engine/graph/topology.h"
#include "engine/stages/partition/extract.h"

namespace cutaway::study {
namespace {

Result<std::vector<ValueId>> findValues(const Graph& graph, std::span<const std::string> names, std::string_view what) {
  std::vector<ValueId> ids;
  for (const std::string& name : names) {
    const ValueId id = graph.findValue(name);
    if (!id.valid())
      return fail(
          atValue({ErrorCode::kInvalidArgument,
                   fmt::format("'{}' cannot be an {} of the submodel: the main graph has no such value", name, what),
                   {}},
                  name));
    if (std::find(ids.begin(), ids.end(), id) != ids.end())
      return fail(
          atValue({ErrorCode::kInvalidArgument, fmt::format("'{}' is listed as an {} twice", name, what), {}}, name));
    ids.push_back(id);
  }
  return ids;
}

// Walks from the outputs back to the given inputs.
class BackwardCut {
 public:
  BackwardCut(const Graph& graph, const std::vector<ValueId>& stops)
      : m_graph(graph),
        m_isStop(graph.valueSlots(), 0),
        m_seenValue(graph.valueSlots(), 0),
        m_inside(graph.nodeSlots(), 0) {
    for (const ValueId id : stops)
      m_isStop[id.index()] = 1;
  }

  void walkFrom(ValueId output) {
    visit(output);
    while (!m_open.empty()) {
      const NodeId id = m_open.back();
      m_open.pop_back();
      const Node& node = m_graph.node(id);
      for (const ValueId value : node.inputs)
        visit(value);
      for (const ValueId value : node.implicitInputs)
        visit(value);
    }
  }

  bool reached(ValueId id) const { return m_seenValue[id.index()] != 0; }
  bool inside(NodeId id) const { return m_inside[id.index()] != 0; }
  bool stopsAt(ValueId id) const { return m_isStop[id.index()] != 0; }

 private:
  void visit(ValueId id) {
    if (!id.valid() || m_seenValue[id.index()]) return;
    m_seenValue[id.index()] = 1;
    if (m_isStop[id.index()]) return;
    const NodeId producer = m_graph.value(id).producer;
    if (!producer.valid() || m_inside[producer.index()]) return;
    m_inside[producer.index()] = 1;
    m_open.push_back(producer);
  }

  const Graph& m_graph;
  std::vector<char> m_isStop, m_seenValue, m_inside;
  std::vector<NodeId> m_open;
};

Model shellOf(const Model& model) {
  Model shell;
  shell.irVersion = model.irVersion;
  shell.opsets = model.opsets;
  shell.functions = model.functions;
  shell.producerName = "cutaway";
  shell.domain = model.domain;
  shell.modelVersion = model.modelVersion;
  shell.metadata = model.metadata;
  shell.origins = model.origins;
  shell.externalFiles = model.externalFiles;
  return shell;
}

Result<Model> modelOf(const Model& model, const Graph& graph, std::span<const NodeId> nodes,
                      const GroupBorder& border) {
  Model cut = shellOf(model);
  CUTAWAY_TRY(cut.graph, partition::extractGroup(graph, nodes, border));
  cut.graph.loadedFromFile = true;  // its lists of inputs and outputs are what they are
  return cut;
}

}  // namespace

Result<Submodel> cutSubmodel(const Model& model, std::span<const std::string> inputs,
                             std::span<const std::string> outputs) {
  const Graph& graph = model.graph;
  if (outputs.empty()) return fail(ErrorCode::kInvalidArgument, "a submodel needs at least one output");
  GroupBorder border;
  CUTAWAY_TRY(border.inputs, findValues(graph, inputs, "input"));
  CUTAWAY_TRY(border.outputs, findValues(graph, outputs, "output"));
  BackwardCut cut(graph, border.inputs);
  for (const ValueId output : border.outputs) {
    const std::string& name = graph.value(output).name;
    if (cut.stopsAt(output) || !graph.value(output).producer.valid())
      return fail(atValue(
          {ErrorCode::kInvalidArgument, fmt::format("'{}' is an input or a constant: no node makes it", name), {}},
          name));
    cut.walkFrom(output);
  }
  for (const ValueId input : border.inputs) {
    const std::string& name = graph.value(input).name;
    if (!cut.reached(input))
      return fail(atValue({ErrorCode::kInvalidArgument,
                           fmt::format("the outputs do not need '{}' (or other listed inputs hide it)", name),
                           {}},
                          name));
  }
  Submodel result;
  for (const ValueId input : graph.inputs()) {
    const bool needed = cut.reached(input) && !cut.stopsAt(input) && !graph.value(input).initializer;
    if (!needed) continue;
    border.inputs.push_back(input);
    result.addedInputs.push_back(graph.value(input).name);
  }
  CUTAWAY_TRY(std::vector<NodeId> order, topologicalOrder(graph));
  std::erase_if(order, [&](NodeId id) { return !cut.inside(id); });
  CUTAWAY_TRY(result.model, modelOf(model, graph, order, border));
  return result;
}

Result<Submodel> cutNodes(const Model& model, const Graph& graph, std::span<const NodeId> nodes) {
  if (nodes.empty()) return fail(ErrorCode::kInvalidArgument, "a submodel needs at least one node");
  std::vector<char> inside(graph.nodeSlots(), 0);
  for (const NodeId id : nodes)
    inside[id.index()] = 1;
  CUTAWAY_TRY(std::vector<NodeId> order, topologicalOrder(graph));
  std::erase_if(order, [&](NodeId id) { return !inside[id.index()]; });
  const GroupBorder border = borderOf(graph, order, false);
  Submodel result;
  CUTAWAY_TRY(result.model, modelOf(model, graph, order, border));
  return result;
}

}  // namespace cutaway::study

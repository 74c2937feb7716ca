// What edits share: finding graphs, nodes and values, and working out types.
#include "engine/edit/model_editor.h"

#include <algorithm>

#include "engine/base/quote.h"
#include "engine/graph/node_label.h"
#include "engine/schema/function_body.h"
#include "engine/schema/schema.h"

namespace cutaway::edit {
namespace {

// The bodies of `root`, depth first in node order, behind it: the order that reports number graphs in.
void listBelow(Graph& root, bool isFunction, std::vector<EditableGraph>& list) {
  struct Open {
    int32_t index;
    size_t nextNode = 0;
  };
  list.push_back({&root, -1, isFunction});
  std::vector<Open> path{{static_cast<int32_t>(list.size()) - 1}};
  while (!path.empty()) {
    const int32_t index = path.back().index;
    Graph& graph = *list[static_cast<size_t>(index)].graph;
    if (path.back().nextNode == graph.nodeSlots()) {
      path.pop_back();
      continue;
    }
    Node& node = graph.mutableNode(NodeId{path.back().nextNode++});
    if (node.removed) continue;
    const size_t before = path.size();
    forEachBody(node, [&](const std::string&, Graph& body) {
      list.push_back({&body, index, isFunction});
      path.push_back({static_cast<int32_t>(list.size()) - 1});
    });
    std::reverse(path.begin() + static_cast<std::ptrdiff_t>(before), path.end());
  }
}

}  // namespace

tl::unexpected<Error> refuseValue(const std::string& name, std::string message) {
  return fail(atValue({ErrorCode::kInvalidArgument, std::move(message), {}}, name));
}
tl::unexpected<Error> refuseNode(const NodePlaceIn& place, std::string message) {
  return fail(atNode({ErrorCode::kInvalidArgument, std::move(message), {}}, place.graph->node(place.id).name));
}

ModelEditor::ModelEditor(Model& model) : m_model(model) {
  connectScopes(model.graph);
  for (Function& function : model.functions)
    connectScopes(function.body);
  relist();
}

void ModelEditor::relist() {
  m_graphs.clear();
  m_nodeNames.clear();
  listBelow(m_model.graph, false, m_graphs);
  for (Function& function : m_model.functions)
    listBelow(function.body, true, m_graphs);
  m_places.assign(m_model.origins.size(), {-1, NodeId{}});
  for (size_t i = 0; i < m_graphs.size(); ++i)
    for (const NodeId id : m_graphs[i].graph->nodeIds())
      for (const OriginId origin : m_graphs[i].graph->node(id).origins)
        if (origin.index() < m_places.size() && m_places[origin.index()].first < 0)
          m_places[origin.index()] = {static_cast<int32_t>(i), id};
}

Result<EditableGraph> ModelEditor::graph(int32_t index) const {
  if (index < 0 || index >= static_cast<int32_t>(m_graphs.size()))
    return fail(ErrorCode::kInvalidArgument, "the model has no graph {}; it has {}", index, m_graphs.size());
  return m_graphs[static_cast<size_t>(index)];
}

Result<NodePlaceIn> ModelEditor::node(int32_t origin) const {
  if (origin < 0 || origin >= static_cast<int32_t>(m_places.size()))
    return fail(ErrorCode::kInvalidArgument, "the model has no node {}; it has {}", origin, m_places.size());
  const auto& [graph, id] = m_places[static_cast<size_t>(origin)];
  const Origin& was = m_model.origins[static_cast<size_t>(origin)];
  const bool there = graph >= 0 && !m_graphs[static_cast<size_t>(graph)].graph->node(id).removed;
  if (!there)
    return fail(atNode({ErrorCode::kInvalidArgument,
                        fmt::format("the {} node is gone: an edit before this one took it out", was.opType),
                        {}},
                       was.name));
  return NodePlaceIn{m_graphs[static_cast<size_t>(graph)].graph, graph, id};
}

Result<ValueId> ModelEditor::value(int32_t index, const std::string& name) const {
  CUTAWAY_TRY(const EditableGraph at, graph(index));
  const ValueId id = at.graph->findValue(name);
  if (!id.valid()) return refuseValue(name, fmt::format("graph {} has no value {}", index, quotedText(name)));
  if (at.graph->value(id).outerScope)
    return refuseValue(name, fmt::format("{} belongs to a graph around this body: edit it there", quotedText(name)));
  return id;
}

bool ModelEditor::nameTaken(int32_t index, const std::string& name) const {
  for (int32_t at = index; at >= 0; at = m_graphs[static_cast<size_t>(at)].parent)
    if (m_graphs[static_cast<size_t>(at)].graph->findValue(name).valid()) return true;
  // Bodies stand behind the graph that holds them.
  std::vector<char> below(m_graphs.size(), 0);
  below[static_cast<size_t>(index)] = 1;
  for (size_t i = static_cast<size_t>(index) + 1; i < m_graphs.size(); ++i) {
    const int32_t parent = m_graphs[i].parent;
    if (parent < 0 || !below[static_cast<size_t>(parent)]) continue;
    below[i] = 1;
    if (m_graphs[i].graph->findValue(name).valid()) return true;
  }
  return false;
}

void ModelEditor::infer() {
  Graph copy = m_model.graph;
  assignOpsetVersions(copy, m_model.opsets, {});
  std::vector<InferenceWarning> warnings;
  (void)inferGraph(m_model, copy, {}, warnings);  // what came before an error is typed all the same
  m_inferred = std::move(copy);
}

ValueType ModelEditor::typeOf(int32_t index, ValueId id) {
  const Graph& at = *m_graphs[static_cast<size_t>(index)].graph;
  const Value& value = at.value(id);
  const bool complete = value.type.known() && (!value.type.isTensor() || value.type.shape);
  if (complete || index != 0) return value.type;
  if (!m_inferred) infer();
  const ValueId found = m_inferred->findValue(value.name);
  const ValueType type = found.valid() ? m_inferred->value(found).type : ValueType();
  return type.known() ? type : value.type;
}

void ModelEditor::declareType(int32_t index, ValueId id) {
  const ValueType type = typeOf(index, id);
  if (type.known()) m_graphs[static_cast<size_t>(index)].graph->mutableValue(id).type = type;
}

std::unordered_map<std::string, int>& ModelEditor::nodeNames(int32_t index) {
  const auto [at, isNew] = m_nodeNames.try_emplace(index);
  const Graph& graph = *m_graphs[static_cast<size_t>(index)].graph;
  if (isNew)
    for (size_t i = 0; i < graph.nodeSlots(); ++i)
      if (!graph.node(NodeId{i}).removed) ++at->second[graph.node(NodeId{i}).name];
  return at->second;
}

}  // namespace cutaway::edit

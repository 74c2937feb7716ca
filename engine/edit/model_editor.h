#pragma once
// A model under edit: its graphs by index, its nodes by origin, and types that were never declared.
//
// Thread rule: one thread. Example: ModelEditor editor(model);  CUTAWAY_TRY(const NodePlaceIn place,
// editor.node(edit.origin));  place.graph->mutableNode(place.id).name = edit.text;

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/edit/model_edit.h"
#include "engine/graph/model.h"

namespace cutaway::edit {

struct EditableGraph {
  Graph* graph = nullptr;
  int32_t parent = -1;      // graph that holds this body; -1: main graph or function
  bool isFunction = false;  // the body of a function, or inside one
};

struct NodePlaceIn {
  Graph* graph = nullptr;
  int32_t index = 0;  // of the graph
  NodeId id;
};

class ModelEditor {
 public:
  // Connects what bodies capture, so that edits of edges reach into them.
  explicit ModelEditor(Model& model);

  Model& model() { return m_model; }
  // In the order of ModelGraphs: main graph, its bodies depth first, then functions with theirs. INVALID_ARGUMENT: no
  // such graph.
  Result<EditableGraph> graph(int32_t index) const;
  const std::vector<EditableGraph>& graphs() const { return m_graphs; }
  // INVALID_ARGUMENT: the model has no such origin, or the node was deleted.
  Result<NodePlaceIn> node(int32_t origin) const;
  // A value of that name that this graph itself defines. INVALID_ARGUMENT: there is none, or a graph around has it.
  Result<ValueId> value(int32_t graph, const std::string& name) const;
  // Whether a value of this name is in the graph, around it or inside one of its bodies.
  bool nameTaken(int32_t graph, const std::string& name) const;
  // As declared, else as inferred; unknown when it cannot be known.
  ValueType typeOf(int32_t graph, ValueId id);
  // Declares the inferred type where none is declared.
  void declareType(int32_t graph, ValueId id);
  // Values or types have other names or forms now: inferred ones are worked out anew when asked for.
  void typesChanged() { m_inferred.reset(); }

  // A node with bodies was taken out: graphs and nodes are listed anew, and graph indexes are those of the model as it
  // is now.
  void relist();

  // Node names of a graph, for "taken": counts by name.
  std::unordered_map<std::string, int>& nodeNames(int32_t graph);

 private:
  void infer();

  Model& m_model;
  std::vector<EditableGraph> m_graphs;
  std::vector<std::pair<int32_t, NodeId>> m_places;  // by origin; graph -1: none
  std::optional<Graph> m_inferred;                   // the main graph with types; inner graphs are not looked up
  std::unordered_map<int32_t, std::unordered_map<std::string, int>> m_nodeNames;
};

tl::unexpected<Error> refuseValue(const std::string& name, std::string message);
tl::unexpected<Error> refuseNode(const NodePlaceIn& place, std::string message);

// One function for each kind of edit; INVALID_ARGUMENT with what was wrong, the model may be half edited then and is
// thrown away.
using ApplyEdit = Result<void> (*)(ModelEditor& editor, const ModelEdit& edit);
Result<void> renameValue(ModelEditor& editor, const ModelEdit& edit);
Result<void> setElementType(ModelEditor& editor, const ModelEdit& edit);
Result<void> setShape(ModelEditor& editor, const ModelEdit& edit);
Result<void> setDim(ModelEditor& editor, const ModelEdit& edit);
Result<void> addOutput(ModelEditor& editor, const ModelEdit& edit);
Result<void> removeOutput(ModelEditor& editor, const ModelEdit& edit);
Result<void> renameNode(ModelEditor& editor, const ModelEdit& edit);
Result<void> deleteNode(ModelEditor& editor, const ModelEdit& edit);
Result<void> bypassNode(ModelEditor& editor, const ModelEdit& edit);
Result<void> setAttribute(ModelEditor& editor, const ModelEdit& edit);
Result<void> removeAttribute(ModelEditor& editor, const ModelEdit& edit);
Result<void> extractPart(ModelEditor& editor, const ModelEdit& edit);
Result<void> setMetadata(ModelEditor& editor, const ModelEdit& edit);
Result<void> removeMetadata(ModelEditor& editor, const ModelEdit& edit);
Result<void> setProducer(ModelEditor& editor, const ModelEdit& edit);
Result<void> setDocumentation(ModelEditor& editor, const ModelEdit& edit);

}  // namespace cutaway::edit

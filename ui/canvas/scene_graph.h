#pragma once
// The graph that a scene shows: one graph, and in the places of unfolded call nodes the nodes of their functions and of
// their If, Loop and Scan bodies.
//
// Nodes and values of the base graph keep their numbers; those of bodies come behind. A function's inputs and outputs
// are the values outside themselves; a body that runs with conditions or in turns keeps its own inputs and outputs as
// terminals, because they are other values each time. Thread rule: pure. Used by buildScene() only. Example: SceneGraph
// shown = sceneGraph(graphs, 0, tree, {"/@if_1"});  shown.nodes[shown.baseNodes]   // the first node of the body

#include <memory>
#include <unordered_map>
#include <vector>

#include <QSet>
#include <QString>

#include "engine/report/graph_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

struct SceneGraph {
  struct Node {
    int graph = 0;
    int node = 0;
    int scope = 0;
    int body = -1;  // scope that stands in its place
  };
  struct Value {
    int graph = 0;
    int value = 0;
    int producer = -1;  // node of the scene graph
  };
  struct Terminal {  // input or output of a graph, drawn as a card of its own
    bool output = false;
    int value = 0;  // of the scene graph
    int scope = 0;
  };

  std::shared_ptr<const ScopeTree> tree;  // with scopes of bodies; scopeOfNode as in `nodes`
  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<Terminal> terminals;
  int baseNodes = 0;
  int baseValues = 0;
  std::unordered_map<int, std::vector<int>> readersInside;  // nodes of bodies that read a value
  bool anyBody = false;
};

// What the path of a node's body begins with is the path of the scope that holds the node.
QString bodyPath(const QString& scopePath, const GraphReport& graph, int node);
bool hasBody(const NodeReport& node);

SceneGraph sceneGraph(const ModelGraphs& graphs, int graph, std::shared_ptr<const ScopeTree> tree,
                      const QSet<QString>& unfolded);

}  // namespace cutaway::ui

#include "ui/canvas/scene_nets.h"

namespace cutaway::ui {
namespace {

void placeEntities(VisibleGraph& visible, const GraphReport& graph, const ScopeTree& tree, const SceneRequest& request) {
  const int scopeCount = static_cast<int>(tree.scopes.size());
  for (const int32_t value : graph.inputs)
    // Inputs that only give a weight its name are no doors of the model.
    if (!graph.values[value].isInitializer) visible.doors.push_back(value);
  for (size_t v = 0; v < graph.values.size(); ++v)
    if (graph.values[v].role == ValueRole::kOuterScope && !graph.values[v].consumers.empty()) visible.doors.push_back(static_cast<int>(v));
  visible.entities = {static_cast<int>(graph.nodes.size()), scopeCount, static_cast<int>(visible.doors.size()), static_cast<int>(graph.outputs.size())};
  const EntityNumbers& entities = visible.entities;
  visible.open.assign(scopeCount, false);
  visible.holder.assign(entities.count(), -1);
  visible.members.resize(scopeCount);
  visible.nets.resize(scopeCount);

  // Outermost folded scope above each scope, itself included; -1: everything above is open.
  std::vector<int> foldedAbove(scopeCount, -1);
  visible.open[0] = true;
  for (int s = 1; s < scopeCount; ++s) {
    const Scope& scope = tree.scopes[s];
    foldedAbove[s] = foldedAbove[scope.parent];
    if (foldedAbove[s] >= 0) continue;
    visible.open[s] = request.unfoldAll || request.unfolded.contains(scope.path);
    if (!visible.open[s]) foldedAbove[s] = s;
    visible.holder[entities.ofScope(s)] = scope.parent;
    visible.members[scope.parent].push_back(entities.ofScope(s));
  }
  visible.shownAs.resize(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const int scope = tree.scopeOfNode[n];
    visible.shownAs[n] = foldedAbove[scope] >= 0 ? entities.ofScope(foldedAbove[scope]) : static_cast<int>(n);
    if (foldedAbove[scope] >= 0) continue;
    visible.holder[n] = scope;
    visible.members[scope].push_back(static_cast<int>(n));
  }
  for (int i = 0; i < entities.inputs; ++i) visible.holder[entities.ofInput(i)] = 0;
  for (int i = 0; i < entities.outputs; ++i) visible.holder[entities.ofOutput(i)] = 0;
}

class NetSplitter {
 public:
  NetSplitter(VisibleGraph& visible, const ScopeTree& tree) : m_visible(visible), m_tree(tree), m_stamp(visible.entities.count(), -1), m_local(tree.scopes.size(), {-1, -1}) {}

  void split(int value, int source, const std::vector<int>& targets) {
    m_value = value;
    int top = m_visible.holder[source];
    for (const int target : targets) top = commonScope(top, m_visible.holder[target]);
    m_stamp[source] = value;
    for (int scope = m_visible.holder[source], entity = source;; entity = m_visible.entities.ofScope(scope), scope = m_tree.scopes[scope].parent) {
      LocalNet& net = netIn(scope, entity);
      m_stamp[entity] = value;
      if (scope == top) break;
      net.targets.push_back(kBorder);
    }
    for (const int target : targets) addTarget(target, top);
  }

 private:
  struct Local {
    int value;
    int net;
  };

  int commonScope(int a, int b) const {
    while (a != b) {
      if (m_tree.scopes[a].depth >= m_tree.scopes[b].depth) {
        a = m_tree.scopes[a].parent;
      } else {
        b = m_tree.scopes[b].parent;
      }
    }
    return a;
  }

  LocalNet& netIn(int scope, int source) {
    Local& local = m_local[scope];
    std::vector<LocalNet>& nets = m_visible.nets[scope];
    if (local.value != m_value) {
      local = {m_value, static_cast<int>(nets.size())};
      nets.push_back({m_value, source, {}});
    }
    return nets[local.net];
  }

  void addTarget(int target, int top) {
    for (int entity = target, scope = m_visible.holder[target];; entity = m_visible.entities.ofScope(scope), scope = m_tree.scopes[scope].parent) {
      const bool reached = m_local[scope].value == m_value;
      LocalNet& net = netIn(scope, kBorder);
      if (m_stamp[entity] != m_value) net.targets.push_back(entity);
      m_stamp[entity] = m_value;
      if (reached || scope == top) return;
    }
  }

  VisibleGraph& m_visible;
  const ScopeTree& m_tree;
  std::vector<int> m_stamp;   // per entity: value it was last reached by
  std::vector<Local> m_local;  // per scope: net of the value being split
  int m_value = -1;
};

}  // namespace

VisibleGraph visibleGraph(const GraphReport& graph, const ScopeTree& tree, const SceneRequest& request) {
  VisibleGraph visible;
  placeEntities(visible, graph, tree, request);
  std::vector<int> inputOf(graph.values.size(), -1), outputOf(graph.values.size(), -1);
  for (int i = 0; i < visible.entities.inputs; ++i) {
    const int value = visible.doors[i];
    if (inputOf[value] >= 0) continue;
    inputOf[value] = visible.entities.ofInput(i);
    visible.members[0].push_back(inputOf[value]);
  }
  for (int i = 0; i < visible.entities.outputs; ++i) {
    const int value = graph.outputs[i];
    if (outputOf[value] >= 0) continue;
    outputOf[value] = visible.entities.ofOutput(i);
    visible.members[0].push_back(outputOf[value]);
  }
  NetSplitter splitter(visible, tree);
  std::vector<int> targets;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const ValueReport& value = graph.values[v];
    const int source = value.producer >= 0 ? visible.shownAs[value.producer] : inputOf[v];
    if (source < 0) continue;
    targets.clear();
    for (const int32_t consumer : value.consumers)
      if (visible.shownAs[consumer] != source) targets.push_back(visible.shownAs[consumer]);
    if (outputOf[v] >= 0) targets.push_back(outputOf[v]);
    if (!targets.empty()) splitter.split(static_cast<int>(v), source, targets);
  }
  return visible;
}

}  // namespace cutaway::ui

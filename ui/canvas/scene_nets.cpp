#include "ui/canvas/scene_nets.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

void placeEntities(VisibleGraph& visible, const SceneGraph& shown, const SceneRequest& request) {
  const ScopeTree& tree = *shown.tree;
  const int scopeCount = static_cast<int>(tree.scopes.size());
  visible.entities = {static_cast<int>(shown.nodes.size()), scopeCount, static_cast<int>(shown.terminals.size())};
  const EntityNumbers& entities = visible.entities;
  visible.open.assign(scopeCount, false);
  visible.holder.assign(entities.count(), -1);
  visible.members.resize(scopeCount);
  visible.nets.resize(scopeCount);
  visible.bundledInto.resize(scopeCount);

  // Outermost folded scope above each scope, itself included; -1: everything above is open.
  std::vector<int> foldedAbove(scopeCount, -1);
  visible.open[0] = true;
  for (int s = 1; s < scopeCount; ++s) {
    const Scope& scope = tree.scopes[s];
    foldedAbove[s] = foldedAbove[scope.parent];
    if (foldedAbove[s] >= 0) continue;
    visible.open[s] = scope.kind == ScopeKind::kBody || scope.kind == ScopeKind::kBranch ||
                      (request.unfoldAll && scope.kind != ScopeKind::kCard) || request.unfolded.contains(scope.path);
    if (!visible.open[s]) foldedAbove[s] = s;
    visible.holder[entities.ofScope(s)] = scope.parent;
    visible.members[scope.parent].push_back(entities.ofScope(s));
  }
  visible.shownAs.resize(shown.nodes.size());
  for (size_t n = 0; n < shown.nodes.size(); ++n) {
    const int scope = shown.nodes[n].scope, body = shown.nodes[n].body;
    visible.shownAs[n] = foldedAbove[scope] >= 0 ? entities.ofScope(foldedAbove[scope])
                         : body >= 0             ? entities.ofScope(body)
                                                 : static_cast<int>(n);
    if (foldedAbove[scope] >= 0 || body >= 0) continue;
    visible.holder[n] = scope;
    visible.members[scope].push_back(static_cast<int>(n));
  }
  for (int i = 0; i < entities.terminals; ++i)
    if (foldedAbove[shown.terminals[i].scope] < 0) visible.holder[entities.ofTerminal(i)] = shown.terminals[i].scope;
}

class NetSplitter {
 public:
  NetSplitter(VisibleGraph& visible, const ScopeTree& tree)
      : m_visible(visible),
        m_tree(tree),
        m_stamp(visible.entities.count(), -1),
        m_local(tree.scopes.size(), {-1, -1}) {}

  void split(int value, int source, const std::vector<int>& targets) {
    m_value = value;
    int top = m_visible.holder[source];
    for (const int target : targets)
      top = commonScope(top, m_visible.holder[target]);
    m_stamp[source] = value;
    for (int scope = m_visible.holder[source], entity = source;;
         entity = m_visible.entities.ofScope(scope), scope = m_tree.scopes[scope].parent) {
      LocalNet& net = netIn(scope, entity);
      m_stamp[entity] = value;
      if (scope == top) break;
      net.targets.push_back(kBorder);
    }
    for (const int target : targets)
      addTarget(target, top);
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
      nets.push_back({m_value, source, {}, {}});
    }
    return nets[local.net];
  }

  void addTarget(int target, int top) {
    for (int entity = target, scope = m_visible.holder[target];;
         entity = m_visible.entities.ofScope(scope), scope = m_tree.scopes[scope].parent) {
      const bool reached = m_local[scope].value == m_value;
      LocalNet& net = netIn(scope, kBorder);
      if (m_stamp[entity] != m_value) net.targets.push_back(entity);
      m_stamp[entity] = m_value;
      if (reached || scope == top) return;
    }
  }

  VisibleGraph& m_visible;
  const ScopeTree& m_tree;
  std::vector<int> m_stamp;    // per entity: value it was last reached by
  std::vector<Local> m_local;  // per scope: net of the value being split
  int m_value = -1;
};

// Nets with the same ends, one of which is a scope, become one. Nodes keep their lines apart: which output goes to
// which input is what one wants to see there.
void bundleNets(VisibleGraph& visible, const ScopeTree& tree, int scope) {
  std::vector<LocalNet>& nets = visible.nets[scope];
  const auto isScope = [&](int entity) {
    const int inner = entity - visible.entities.nodes;
    return inner >= 0 && inner < visible.entities.scopes && tree.scopes[inner].kind != ScopeKind::kCard;
  };
  std::unordered_multimap<size_t, int> known;
  std::vector<bool> gone(nets.size(), false);
  for (size_t n = 0; n < nets.size(); ++n) {
    LocalNet& net = nets[n];
    if (!isScope(net.source) && std::none_of(net.targets.begin(), net.targets.end(), isScope)) continue;
    std::sort(net.targets.begin(), net.targets.end());
    size_t key = static_cast<size_t>(net.source) * 0x9e3779b97f4a7c15ULL;
    for (const int target : net.targets)
      key = (key ^ static_cast<size_t>(target)) * 0xff51afd7ed558ccdULL + 1;
    const auto [begin, end] = known.equal_range(key);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return nets[entry.second].source == net.source && nets[entry.second].targets == net.targets;
    });
    if (same == end) {
      known.emplace(key, static_cast<int>(n));
      continue;
    }
    nets[same->second].others.push_back(net.value);
    visible.bundledInto[scope][net.value] = nets[same->second].value;
    gone[n] = true;
  }
  size_t kept = 0;
  for (size_t n = 0; n < nets.size(); ++n)
    if (!gone[n]) {
      if (kept != n) nets[kept] = std::move(nets[n]);
      ++kept;
    }
  nets.erase(nets.begin() + static_cast<std::ptrdiff_t>(kept), nets.end());
}

bool standsIn(const SceneGraph& shown, int node, int scope) {
  for (int s = shown.nodes[node].scope; s > 0; s = shown.tree->scopes[s].parent)
    if (s == scope) return true;
  return false;
}

// What reads a value: as entities of the picture.
void listTargets(const ModelGraphs& graphs, const SceneGraph& shown, const VisibleGraph& visible, int v, int source,
                 std::vector<int>& targets) {
  const auto inside = shown.readersInside.find(v);
  const auto add = [&](int node) {
    // A node whose body is shown lets its readers inside speak for it.
    const int body = shown.nodes[node].body;
    if (body >= 0 && inside != shown.readersInside.end() &&
        std::any_of(inside->second.begin(), inside->second.end(),
                    [&](int reader) { return standsIn(shown, reader, body); }))
      return;
    if (visible.shownAs[node] != source) targets.push_back(visible.shownAs[node]);
  };
  if (v < shown.baseValues)
    for (const int32_t consumer : graphs.graphs[shown.values[v].graph].values[v].consumers)
      add(consumer);
  if (inside == shown.readersInside.end()) return;
  for (const int reader : inside->second)
    add(reader);
}

}  // namespace

VisibleGraph visibleGraph(const ModelGraphs& graphs, const SceneGraph& shown, const SceneRequest& request,
                          const SeenConnection& onConnection) {
  VisibleGraph visible;
  placeEntities(visible, shown, request);
  std::vector<int> inputOf(shown.values.size(), -1);
  std::unordered_map<int, std::vector<int>> outputsOf;  // a value may leave several bodies
  for (int i = 0; i < visible.entities.terminals; ++i) {
    const SceneGraph::Terminal& terminal = shown.terminals[i];
    const int entity = visible.entities.ofTerminal(i);
    if (visible.holder[entity] < 0) continue;
    if (terminal.output) {
      std::vector<int>& known = outputsOf[terminal.value];
      if (std::any_of(known.begin(), known.end(), [&](int other) { return visible.holder[other] == terminal.scope; }))
        continue;
      known.push_back(entity);
    } else {
      if (inputOf[terminal.value] >= 0) continue;
      inputOf[terminal.value] = entity;
    }
    visible.members[terminal.scope].push_back(entity);
  }
  NetSplitter splitter(visible, *shown.tree);
  std::vector<int> targets;
  for (size_t v = 0; v < shown.values.size(); ++v) {
    const int producer = shown.values[v].producer;
    const int source = producer >= 0 ? visible.shownAs[producer] : inputOf[v];
    if (source < 0) continue;
    targets.clear();
    listTargets(graphs, shown, visible, static_cast<int>(v), source, targets);
    if (const auto outputs = outputsOf.find(static_cast<int>(v)); outputs != outputsOf.end())
      targets.insert(targets.end(), outputs->second.begin(), outputs->second.end());
    if (targets.empty()) continue;
    if (onConnection) onConnection(static_cast<int>(v), source, targets);
    splitter.split(static_cast<int>(v), source, targets);
  }
  for (size_t scope = 0; scope < visible.open.size(); ++scope)
    if (visible.open[scope]) bundleNets(visible, *shown.tree, static_cast<int>(scope));
  return visible;
}

}  // namespace cutaway::ui

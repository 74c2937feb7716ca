#include "ui/canvas/scene_graph.h"

#include <algorithm>
#include <string_view>

#include "ui/base/format.h"
#include "ui/canvas/opened_groups.h"

namespace cutaway::ui {
namespace {

constexpr int kDeepestBody = 12;  // functions of hostile models may call one another in a ring
constexpr size_t kMostNodes = 2'000'000;

// Inputs that only give a weight its name are no terminals of the model.
std::vector<int> doorValues(const GraphReport& graph, bool outer) {
  std::vector<int> values;
  for (const int32_t value : graph.inputs)
    if (!graph.values[value].isInitializer) values.push_back(value);
  for (size_t v = 0; outer && v < graph.values.size(); ++v)
    if (graph.values[v].role == ValueRole::kOuterScope && !graph.values[v].consumers.empty())
      values.push_back(static_cast<int>(v));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

class Unfolder {
 public:
  Unfolder(const ModelGraphs& graphs, const QSet<QString>& unfolded, SceneGraph& shown)
      : m_graphs(graphs), m_unfolded(unfolded), m_shown(shown) {}

  void unfoldAll() {
    // Bodies append nodes, which are looked at in their turn.
    for (size_t n = 0; n < m_shown.nodes.size() && m_shown.nodes.size() < kMostNodes; ++n) {
      const SceneGraph::Node node = m_shown.nodes[n];
      const GraphReport& graph = m_graphs.graphs[node.graph];
      if (!hasBody(graph.nodes[node.node])) continue;
      const ScopeTree& tree = m_tree ? *m_tree : *m_shown.tree;
      const QString path = bodyPath(tree.scopes[node.scope].path, graph, node.node);
      if (m_unfolded.contains(path) && bodyDepth(node.scope) < kDeepestBody) unfold(static_cast<int>(n), path);
    }
    if (m_tree) m_shown.tree = m_tree;
  }

 private:
  int bodyDepth(int scope) const {
    int depth = 0;
    const ScopeTree& tree = m_tree ? *m_tree : *m_shown.tree;
    for (int s = scope; s > 0; s = tree.scopes[s].parent)
      depth += tree.scopes[s].kind == ScopeKind::kBody;
    return depth;
  }

  int addScope(int parent, ScopeKind kind, const QString& title, const QString& path, int nodeCount) {
    if (!m_tree) m_tree = std::make_shared<ScopeTree>(*m_shown.tree);
    Scope scope;
    scope.title = title;
    scope.path = path;
    scope.parent = parent;
    scope.depth = m_tree->scopes[parent].depth + 1;
    scope.nodeCount = nodeCount;
    scope.kind = kind;
    m_tree->scopes.push_back(scope);
    return static_cast<int>(m_tree->scopes.size()) - 1;
  }

  std::vector<int> bodiesOf(const NodeReport& node) const {
    std::vector<int> bodies(node.bodies.begin(), node.bodies.end());
    if (bodies.empty() && node.function >= 0) bodies.push_back(node.function);
    if (bodies.empty() && node.inside >= 0) bodies.push_back(node.inside);
    std::erase_if(bodies, [this](int body) { return body < 0 || body >= static_cast<int>(m_graphs.graphs.size()); });
    return bodies;
  }

  void unfold(int n, const QString& path) {
    const SceneGraph::Node call = m_shown.nodes[n];
    const NodeReport& node = m_graphs.graphs[call.graph].nodes[call.node];
    const std::vector<int> bodies = bodiesOf(node);
    if (bodies.empty()) return;
    int count = 0;
    for (const int body : bodies)
      count += static_cast<int>(m_graphs.graphs[body].nodes.size());
    const int scope =
        addScope(call.scope, ScopeKind::kBody, nodeTitle(m_graphs.graphs[call.graph], call.node), path, count);
    m_tree->scopes[scope].callGraph = call.graph;
    m_tree->scopes[scope].callNode = call.node;
    m_shown.nodes[n].body = scope;
    m_shown.anyBody = true;
    for (size_t b = 0; b < bodies.size(); ++b) {
      const GraphReport& body = m_graphs.graphs[bodies[b]];
      int inner = scope;
      if (bodies.size() > 1) {
        QString title = text(body.title);
        if (const qsizetype of = title.indexOf(QLatin1String(" of ")); of > 0) title.truncate(of);
        inner = addScope(scope, ScopeKind::kBranch, title, path + QStringLiteral("/%1").arg(b),
                         static_cast<int>(body.nodes.size()));
      }
      place(n, bodies[b], inner, node.bodies.empty() && (node.function >= 0 || opensAsHull(node)));
    }
  }

  // Values outside by name, for what bodies read from there.
  int outsideValue(int n, std::string_view name) {
    const SceneGraph::Node call = m_shown.nodes[n];
    const Instance& around = m_instances[m_instanceOf.contains(n) ? m_instanceOf[n] : 0];
    const GraphReport& graph = m_graphs.graphs[call.graph];
    auto& names = m_names[call.graph];
    if (names.empty())
      for (size_t v = 0; v < graph.values.size(); ++v)
        names.try_emplace(graph.values[v].name, static_cast<int>(v));
    const auto known = names.find(name);
    if (known == names.end()) return -1;
    return around.shownAs.empty() ? known->second : around.shownAs[known->second];
  }

  void place(int n, int bodyIndex, int scope, bool function) {
    const GraphReport& body = m_graphs.graphs[bodyIndex];
    const int firstNode = static_cast<int>(m_shown.nodes.size());
    std::vector<int> shownAs(body.values.size(), -1);
    if (function) bindFunction(n, body, shownAs, firstNode);
    if (!function)
      for (size_t v = 0; v < body.values.size(); ++v)
        if (body.values[v].role == ValueRole::kOuterScope) shownAs[v] = outsideValue(n, body.values[v].name);
    for (size_t v = 0; v < body.values.size(); ++v) {
      const int producer = body.values[v].producer;
      if (shownAs[v] < 0) {
        shownAs[v] = static_cast<int>(m_shown.values.size());
        m_shown.values.push_back({bodyIndex, static_cast<int>(v), producer >= 0 ? firstNode + producer : -1});
      }
      if (body.values[v].consumers.empty()) continue;
      std::vector<int>& readers = m_shown.readersInside[shownAs[v]];
      for (const int32_t consumer : body.values[v].consumers)
        readers.push_back(firstNode + consumer);
    }
    const int instance = static_cast<int>(m_instances.size());
    for (size_t i = 0; i < body.nodes.size(); ++i) {
      m_instanceOf[firstNode + static_cast<int>(i)] = instance;
      m_shown.nodes.push_back({bodyIndex, static_cast<int>(i), scope, -1});
    }
    if (!function) {
      for (const int value : doorValues(body, false))
        m_shown.terminals.push_back({false, shownAs[value], scope});
      for (const int32_t value : body.outputs)
        m_shown.terminals.push_back({true, shownAs[value], scope});
    }
    m_instances.push_back({std::move(shownAs)});
  }

  void bindFunction(int n, const GraphReport& body, std::vector<int>& shownAs, int firstNode) {
    const SceneGraph::Node call = m_shown.nodes[n];
    const NodeReport& node = m_graphs.graphs[call.graph].nodes[call.node];
    const Instance& around = m_instances[m_instanceOf.contains(n) ? m_instanceOf[n] : 0];
    const auto outside = [&](int32_t value) {
      return value < 0 ? -1 : around.shownAs.empty() ? value : around.shownAs[value];
    };
    for (size_t i = 0; i < std::min(body.inputs.size(), node.inputs.size()); ++i)
      shownAs[body.inputs[i]] = outside(node.inputs[i]);
    for (size_t i = 0; i < std::min(body.outputs.size(), node.outputs.size()); ++i) {
      const int inner = body.outputs[i], outer = outside(node.outputs[i]);
      if (outer < 0 || shownAs[inner] >= 0 || body.values[inner].producer < 0)
        continue;  // what is only passed on comes out of the box itself
      shownAs[inner] = outer;
      m_shown.values[outer].producer = firstNode + body.values[inner].producer;
    }
  }

  struct Instance {
    std::vector<int> shownAs;  // per value of the graph: value of the scene graph; empty: the same (base graph)
  };

  const ModelGraphs& m_graphs;
  const QSet<QString>& m_unfolded;
  SceneGraph& m_shown;
  std::shared_ptr<ScopeTree> m_tree;
  std::vector<Instance> m_instances = {Instance()};
  std::unordered_map<int, int> m_instanceOf;  // nodes of bodies
  std::unordered_map<int, std::unordered_map<std::string_view, int>> m_names;
};

}  // namespace

bool hasBody(const NodeReport& node) {
  return !node.bodies.empty() || node.function >= 0 || node.inside >= 0;
}

QString bodyPath(const QString& scopePath, const GraphReport& graph, int node) {
  const std::string& name = graph.nodes[node].name;
  return scopePath + QStringLiteral("/@") + (name.empty() ? QString::number(node) : text(name));
}

SceneGraph sceneGraph(const ModelGraphs& graphs, int graph, std::shared_ptr<const ScopeTree> tree,
                      const QSet<QString>& unfolded) {
  const GraphReport& report = graphs.graphs[graph];
  SceneGraph shown;
  shown.tree = std::move(tree);
  shown.baseNodes = static_cast<int>(report.nodes.size());
  shown.baseValues = static_cast<int>(report.values.size());
  shown.nodes.reserve(report.nodes.size());
  for (int n = 0; n < shown.baseNodes; ++n)
    shown.nodes.push_back({graph, n, shown.tree->scopeOfNode[n], -1});
  shown.values.reserve(report.values.size());
  for (int v = 0; v < shown.baseValues; ++v)
    shown.values.push_back({graph, v, report.values[v].producer});
  for (const int value : doorValues(report, true))
    shown.terminals.push_back({false, value, 0});
  std::vector<int> outputs(report.outputs.begin(), report.outputs.end());
  for (const int value : outputs)
    shown.terminals.push_back({true, value, 0});
  Unfolder(graphs, unfolded, shown).unfoldAll();
  return shown;
}

}  // namespace cutaway::ui

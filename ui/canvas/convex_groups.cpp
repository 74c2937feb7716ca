// Innermost scopes first: nodes are joined into the scopes of one depth, and the graph of what was joined must have no
// cycle. Knots (strongly connected components, Tarjan 1972) are cut: their scopes are taken apart and joined again one
// after the other, the largest first, each in as many pieces as paths come back into it. Joining a convex part of an
// acyclic graph keeps it acyclic, so what is joined last is right as well.
//
// Example: scope A holds a constant that B reads, and nodes that read B. A -> B -> A is a knot; B stays whole, A is the
// nodes behind B, and the constant stands outside.
#include "ui/canvas/convex_groups.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "ui/canvas/grouping.h"

namespace cutaway::ui {
namespace {

constexpr double kFairShare = 0.25;        // of a scope's nodes, that a piece must hold to stay a scope
constexpr size_t kMostSteps = 50'000'000;  // of cutting one knot; above, its scopes are given up
constexpr int kFar = std::numeric_limits<int>::max();

// Successors of every vertex, in one piece of memory.
struct Arcs {
  std::vector<int> starts;
  std::vector<int> to;

  Arcs(size_t vertices, const std::vector<std::pair<int, int>>& pairs) : starts(vertices + 1, 0), to(pairs.size()) {
    for (const auto& [from, target] : pairs)
      ++starts[from + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (const auto& [from, target] : pairs)
      to[next[from]++] = target;
  }
  size_t size() const { return starts.size() - 1; }
};

// Which strongly connected component every vertex is in. No recursion: graphs may be a million nodes deep.
std::vector<int> componentsOf(const Arcs& arcs, int& count) {
  const auto vertices = static_cast<int>(arcs.size());
  std::vector<int> component(vertices, -1), index(vertices, -1), low(vertices, 0);
  std::vector<int> next(arcs.starts.begin(), arcs.starts.end() - 1);
  std::vector<int> path, open;
  int numbered = 0;
  count = 0;
  for (int root = 0; root < vertices; ++root) {
    if (index[root] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int vertex = path.back();
      if (index[vertex] < 0) {
        index[vertex] = low[vertex] = numbered++;
        open.push_back(vertex);
      }
      if (next[vertex] < arcs.starts[vertex + 1]) {
        const int to = arcs.to[next[vertex]++];
        if (index[to] < 0) {
          path.push_back(to);
        } else if (component[to] < 0) {
          low[vertex] = std::min(low[vertex], index[to]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[vertex]);
      if (low[vertex] != index[vertex]) continue;
      for (int member = -1; member != vertex; open.pop_back())
        component[member = open.back()] = count;
      ++count;
    }
  }
  return component;
}

// Empty: there is a cycle.
std::vector<int> topologicalOrder(const Arcs& arcs) {
  std::vector<int> missing(arcs.size(), 0), order;
  for (const int to : arcs.to)
    ++missing[to];
  for (size_t vertex = 0; vertex < arcs.size(); ++vertex)
    if (missing[vertex] == 0) order.push_back(static_cast<int>(vertex));
  for (size_t i = 0; i < order.size(); ++i)
    for (int a = arcs.starts[order[i]]; a < arcs.starts[order[i] + 1]; ++a)
      if (--missing[arcs.to[a]] == 0) order.push_back(arcs.to[a]);
  if (order.size() < arcs.size()) order.clear();
  return order;
}

// The piece of the scope that every vertex is in or behind: how often paths have come back into the scope. Pieces that
// are numbered like this are convex. What nothing feeds goes to the latest piece it may be in: beside its readers.
std::vector<int> piecesOf(const Arcs& arcs, const std::vector<int>& order, const std::vector<bool>& inside) {
  std::vector<int> piece(arcs.size(), 0), latest(arcs.size(), kFar);
  std::vector<bool> fed(arcs.size(), false);
  for (const int vertex : order)
    for (int a = arcs.starts[vertex]; a < arcs.starts[vertex + 1]; ++a) {
      const int to = arcs.to[a];
      piece[to] = std::max(piece[to], piece[vertex] + (inside[vertex] && !inside[to]));
      fed[to] = fed[to] || fed[vertex] || !inside[vertex];
    }
  for (auto vertex = order.rbegin(); vertex != order.rend(); ++vertex) {
    for (int a = arcs.starts[*vertex]; a < arcs.starts[*vertex + 1]; ++a) {
      const int to = arcs.to[a];
      const int there = latest[to] == kFar ? kFar : latest[to] - (inside[to] && !inside[*vertex]);
      latest[*vertex] = std::min(latest[*vertex], there);
    }
    if (!inside[*vertex]) continue;
    if (!fed[*vertex] && latest[*vertex] != kFar) piece[*vertex] = std::max(piece[*vertex], latest[*vertex]);
    latest[*vertex] = piece[*vertex];
  }
  return piece;
}

class ConvexCutter {
 public:
  ConvexCutter(const ScopeTree& tree, const GraphReport& graph)
      : m_tree(tree),
        m_graph(graph),
        m_at(tree.scopeOfNode),
        m_joined(graph.nodes.size()),
        m_weight(graph.nodes.size(), 1) {
    std::iota(m_joined.begin(), m_joined.end(), 0);
    m_outside.assign(graph.nodes.size(), -1);
  }

  // True: the tree is not what it was.
  bool run() {
    int deepest = 0;
    for (const Scope& scope : m_tree.scopes)
      deepest = std::max(deepest, scope.depth);
    for (int depth = deepest; depth > 0; --depth) {
      joinDepth(depth);
      for (int& scope : m_at)
        if (m_tree.scopes[scope].depth == depth) scope = m_tree.scopes[scope].parent;
    }
    return m_anyCut;
  }

  ScopeTree result() const {
    // Parents before children: in the order of the scopes that the pieces are of.
    std::vector<int> byScope(m_pieces.size());
    std::iota(byScope.begin(), byScope.end(), 0);
    std::stable_sort(byScope.begin(), byScope.end(),
                     [&](int a, int b) { return m_pieces[a].scope < m_pieces[b].scope; });
    std::vector<int> numberOf(m_pieces.size(), 0);
    ScopeTree tree;
    tree.scopes.push_back(m_tree.scopes[0]);
    for (const int p : byScope) {
      const Piece& piece = m_pieces[p];
      Scope scope = m_tree.scopes[piece.scope];
      const int outside = m_outside[m_graph.nodes.size() + p];
      scope.parent = outside < 0 ? 0 : numberOf[outside];
      scope.depth = tree.scopes[scope.parent].depth + 1;
      if (piece.number > 0) {
        scope.title += QStringLiteral(" (%1)").arg(piece.number + 1);
        scope.path += QStringLiteral("#%1").arg(piece.number + 1);
      }
      numberOf[p] = static_cast<int>(tree.scopes.size());
      tree.scopes.push_back(std::move(scope));
    }
    tree.scopeOfNode.resize(m_graph.nodes.size());
    for (size_t n = 0; n < m_graph.nodes.size(); ++n)
      tree.scopeOfNode[n] = m_outside[n] < 0 ? 0 : numberOf[m_outside[n]];
    return tree;
  }

 private:
  struct Piece {
    int scope;   // of the tree as it was
    int number;  // among the pieces of that scope
  };

  template <typename Visit>
  void eachArc(Visit&& visit) const {
    for (size_t n = 0; n < m_graph.nodes.size(); ++n)
      for (const int32_t output : m_graph.nodes[n].outputs)
        if (output >= 0)
          for (const int32_t consumer : m_graph.values[output].consumers)
            visit(static_cast<int>(n), consumer);
  }

  void joinDepth(int depth) {
    // Vertices: what was joined so far, and behind it the scopes of this depth.
    const int behind = static_cast<int>(m_weight.size());
    const auto vertexOf = [&](int node) {
      return m_tree.scopes[m_at[node]].depth == depth ? behind + m_at[node] : m_joined[node];
    };
    std::vector<std::pair<int, int>> pairs;
    eachArc([&](int from, int to) {
      if (vertexOf(from) != vertexOf(to)) pairs.emplace_back(vertexOf(from), vertexOf(to));
    });
    int count = 0;
    const std::vector<int> component = componentsOf(Arcs(behind + m_tree.scopes.size(), pairs), count);
    pairs = {};
    std::vector<int> size(count, 0);
    for (const int c : component)
      ++size[c];
    std::map<int, std::vector<int>> knots;  // nodes, by component
    std::vector<int> pieceOf(m_tree.scopes.size(), -1);
    for (size_t n = 0; n < m_at.size(); ++n) {
      const int node = static_cast<int>(n), scope = m_at[n];
      if (const int c = component[vertexOf(node)]; size[c] > 1) {
        knots[c].push_back(node);
      } else if (m_tree.scopes[scope].depth == depth) {
        if (pieceOf[scope] < 0) pieceOf[scope] = addPiece(scope, 0);
        join(node, pieceOf[scope]);
      }
    }
    for (const auto& [c, nodes] : knots)
      cutKnot(depth, nodes);
  }

  int addPiece(int scope, int number) {
    m_pieces.push_back({scope, number});
    m_outside.push_back(-1);
    m_weight.push_back(0);
    return static_cast<int>(m_pieces.size()) - 1;
  }

  void join(int node, int piece) {
    m_outside[m_joined[node]] = piece;
    m_joined[node] = static_cast<int>(m_graph.nodes.size()) + piece;
    ++m_weight[m_joined[node]];
  }

  // The vertices of a knot while it is cut: parts that were joined at greater depths, numbered from 0.
  struct Knot {
    std::vector<int> partOfNode;  // like the nodes of the knot
    std::vector<int> scopeOfPart;
    std::vector<int> weight;
    std::vector<int> label;  // per part: the part that stands for what it is joined with
    std::vector<std::pair<int, int>> arcs;
  };

  Knot knotOf(int depth, const std::vector<int>& nodes) const {
    Knot knot;
    std::map<int, int> partOf;
    for (const int node : nodes) {
      const auto [entry, added] = partOf.try_emplace(m_joined[node], static_cast<int>(partOf.size()));
      knot.partOfNode.push_back(entry->second);
      if (!added) continue;
      knot.scopeOfPart.push_back(m_tree.scopes[m_at[node]].depth == depth ? m_at[node] : -1);
      knot.weight.push_back(m_weight[m_joined[node]]);
    }
    for (size_t i = 0; i < nodes.size(); ++i)
      for (const int32_t output : m_graph.nodes[nodes[i]].outputs)
        if (output >= 0)
          for (const int32_t consumer : m_graph.values[output].consumers)
            if (const auto to = partOf.find(m_joined[consumer]); to != partOf.end() && to->second != knot.partOfNode[i])
              knot.arcs.emplace_back(knot.partOfNode[i], to->second);
    knot.label.resize(partOf.size());
    std::iota(knot.label.begin(), knot.label.end(), 0);
    return knot;
  }

  void cutKnot(int depth, const std::vector<int>& nodes) {
    m_anyCut = true;
    Knot knot = knotOf(depth, nodes);
    std::vector<int> scopes(knot.scopeOfPart);
    std::sort(scopes.begin(), scopes.end());
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    // A card is its node with what belongs to it, or nothing.
    std::erase_if(scopes, [this](int scope) { return scope < 0 || m_tree.scopes[scope].kind == ScopeKind::kCard; });
    std::stable_sort(scopes.begin(), scopes.end(), [this](int a, int b) {
      const Scope &left = m_tree.scopes[a], &right = m_tree.scopes[b];
      return left.compiled != right.compiled ? left.compiled : left.nodeCount > right.nodeCount;
    });
    if (scopes.size() * (knot.arcs.size() + knot.label.size()) > kMostSteps) return;
    for (const int scope : scopes) {
      const std::vector<int> pieceOfPart = cutScope(knot, scope);
      for (size_t i = 0; i < nodes.size() && !pieceOfPart.empty(); ++i)
        if (const int piece = pieceOfPart[knot.partOfNode[i]]; piece >= 0) join(nodes[i], piece);
    }
  }

  // Pieces of one scope, joined in the knot and listed; per part, -1: in none.
  std::vector<int> cutScope(Knot& knot, int scope) {
    std::vector<std::pair<int, int>> arcs;
    for (const auto& [from, to] : knot.arcs)
      if (knot.label[from] != knot.label[to]) arcs.emplace_back(knot.label[from], knot.label[to]);
    const Arcs joined(knot.label.size(), arcs);
    const std::vector<int> order = topologicalOrder(joined);
    if (order.empty()) return {};  // nodes that read themselves: no order to keep
    std::vector<bool> inside(knot.label.size());
    for (size_t part = 0; part < inside.size(); ++part)
      inside[part] = knot.scopeOfPart[part] == scope;
    const std::vector<int> piece = piecesOf(joined, order, inside);
    std::map<int, std::pair<int, int>> parts;  // by piece: nodes in it, its first part
    int all = 0;
    for (size_t part = 0; part < inside.size(); ++part) {
      if (!inside[part]) continue;
      all += knot.weight[part];
      parts.try_emplace(piece[part], 0, static_cast<int>(part)).first->second.first += knot.weight[part];
    }
    std::map<int, int> kept;  // by piece: of m_pieces
    int number = 0;
    for (const auto& [p, content] : parts)
      if (content.first >= std::max(2.0, kFairShare * all)) kept[p] = addPiece(scope, number++);
    std::vector<int> result(knot.label.size(), -1);
    for (size_t part = 0; part < inside.size(); ++part) {
      const auto own = inside[part] ? kept.find(piece[part]) : kept.end();
      if (own == kept.end()) continue;
      result[part] = own->second;
      knot.label[part] = parts[piece[part]].second;
    }
    return result;
  }

  const ScopeTree& m_tree;
  const GraphReport& m_graph;
  std::vector<int> m_at;       // per node: its scope at the depth that is joined now, or one further out
  std::vector<int> m_joined;   // per node: itself, or behind all nodes the piece that it is in
  std::vector<int> m_weight;   // per node and piece: nodes in it
  std::vector<int> m_outside;  // per node and piece: the piece around it, -1: the graph
  std::vector<Piece> m_pieces;
  bool m_anyCut = false;
};

}  // namespace

void keepConvex(ScopeTree& tree, const GraphReport& graph) {
  if (tree.scopes.size() < 2) return;
  ConvexCutter cutter(tree, graph);
  if (!cutter.run()) return;
  tree = cutter.result();
  completeTree(tree, graph);
}

}  // namespace cutaway::ui

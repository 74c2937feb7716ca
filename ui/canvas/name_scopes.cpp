#include "ui/canvas/name_scopes.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ui/base/format.h"
#include "ui/canvas/grouping.h"

namespace cutaway::ui {
namespace {

constexpr size_t kDeepest = 24;  // a name may have a million slashes
constexpr int kAlmostAll = 9;    // tenths of a graph's nodes

struct RawScope {
  std::string_view part;
  int parent;
  int childCount = 0;
  int direct = 0;  // nodes directly inside
  int total = 0;
};

struct PartKey {
  int parent;
  std::string_view part;
  bool operator==(const PartKey&) const = default;
};
struct PartHash {
  size_t operator()(const PartKey& key) const {
    return std::hash<std::string_view>()(key.part) * 31 + static_cast<size_t>(key.parent);
  }
};

// Parts of a name without the last, which is the node's own.
std::vector<std::string_view> scopeParts(std::string_view name) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t i = 0; i <= name.size() && parts.size() <= kDeepest; ++i) {
    if (i < name.size() && name[i] != '/' && name[i] != '.') continue;
    if (i > start) parts.push_back(name.substr(start, i - start));
    start = i + 1;
  }
  if (!parts.empty()) parts.pop_back();
  return parts;
}

bool isNumber(std::string_view part) {
  return part.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

ScopeTree scopesOf(const GraphReport& graph) {
  std::vector<RawScope> raw = {{{}, -1}};
  std::unordered_set<std::string_view> operators;
  for (const NodeReport& node : graph.nodes)
    operators.insert(node.opType);
  std::unordered_map<PartKey, int, PartHash> known;
  std::vector<int> rawOfNode(graph.nodes.size(), 0);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    int scope = 0;
    for (const std::string_view part : scopeParts(graph.nodes[n].name)) {
      if (operators.contains(part)) continue;
      const auto [entry, added] = known.try_emplace({scope, part}, static_cast<int>(raw.size()));
      if (added) {
        ++raw[scope].childCount;
        raw.push_back({part, scope});
      }
      scope = entry->second;
    }
    ++raw[scope].direct;
    rawOfNode[n] = scope;
  }
  for (size_t s = raw.size(); s-- > 0;) {
    raw[s].total += raw[s].direct;
    if (raw[s].parent >= 0) raw[raw[s].parent].total += raw[s].total;
  }

  ScopeTree tree;
  tree.scopes.push_back({});
  std::vector<int> kept(raw.size(), 0);  // the scope that stands for each raw scope
  std::vector<QString> path(raw.size());
  for (size_t s = 1; s < raw.size(); ++s) {
    const RawScope& scope = raw[s];
    const QString part = text(scope.part);
    path[s] = path[scope.parent].isEmpty() ? part : path[scope.parent] + QLatin1Char('/') + part;
    const int parent = kept[scope.parent];
    const bool onlyPassesOn = scope.direct == 0 && scope.childCount == 1;
    // What optimisation and layout changes add stands outside of an exporter's prefix.
    const bool holdsAlmostAll = parent == 0 && scope.total * 10 >= raw[0].total * kAlmostAll;
    kept[s] = parent;
    if (scope.total < 2 || onlyPassesOn || holdsAlmostAll) continue;
    kept[s] = static_cast<int>(tree.scopes.size());
    const QString title =
        isNumber(scope.part) && scope.parent > 0 ? text(raw[scope.parent].part) + QLatin1Char('.') + part : part;
    Scope shown;
    shown.title = title;
    shown.path = path[s];
    shown.parent = parent;
    shown.depth = tree.scopes[parent].depth + 1;
    tree.scopes.push_back(shown);
  }
  tree.scopeOfNode.resize(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    tree.scopeOfNode[n] = kept[rawOfNode[n]];
  completeTree(tree, graph);
  return tree;
}

}  // namespace cutaway::ui

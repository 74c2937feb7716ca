#include "ui/canvas/opened_groups.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/base/group_words.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/overlay_fill.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostInside = 20'000;  // nodes in all groups: they are copied while the window waits

// The nodes of one group as a graph of their own. Values that come from outside are its inputs.
class InsideGraph {
 public:
  InsideGraph(const GraphReport& asked, const GroupReport& group) : m_asked(asked), m_group(group) {
    for (const int32_t node : group.nodes)
      m_nodeOf.emplace(node, static_cast<int32_t>(m_nodeOf.size()));
  }

  // False: the values at the border of the group are not all known.
  bool build(GraphReport& inside) {
    for (const int32_t node : m_group.nodes) {
      NodeReport copy = m_asked.nodes[static_cast<size_t>(node)];
      for (auto* values : {&copy.inputs, &copy.outputs, &copy.implicitInputs})
        for (int32_t& value : *values)
          value = value < 0 ? value : valueOf(value, inside);
      // Bodies were compiled with their node.
      copy.bodies.clear();
      copy.function = copy.inside = kNone;
      copy.provider = m_group.provider;
      inside.nodes.push_back(std::move(copy));
    }
    return addBorder(m_group.inputs, inside, inside.inputs) && addBorder(m_group.outputs, inside, inside.outputs);
  }

 private:
  int32_t valueOf(int32_t value, GraphReport& inside) {
    const auto [entry, added] = m_valueOf.try_emplace(value, static_cast<int32_t>(inside.values.size()));
    if (!added) return entry->second;
    ValueReport copy = m_asked.values[static_cast<size_t>(value)];
    const auto producer = m_nodeOf.find(copy.producer);
    copy.producer = producer == m_nodeOf.end() ? kNone : producer->second;
    IndexList readers;
    for (const int32_t consumer : copy.consumers)
      if (const auto reader = m_nodeOf.find(consumer); reader != m_nodeOf.end()) readers.push_back(reader->second);
    copy.consumers = std::move(readers);
    inside.values.push_back(std::move(copy));
    return entry->second;
  }

  bool addBorder(const std::vector<std::string>& names, GraphReport& inside, std::vector<int32_t>& border) {
    if (m_byName.empty())
      for (size_t v = 0; v < m_asked.values.size(); ++v)
        m_byName.emplace(m_asked.values[v].name, static_cast<int32_t>(v));
    for (const std::string& name : names) {
      const auto value = m_byName.find(name);
      if (value == m_byName.end()) return false;
      border.push_back(valueOf(value->second, inside));
    }
    return true;
  }

  const GraphReport& m_asked;
  const GroupReport& m_group;
  std::unordered_map<int32_t, int32_t> m_nodeOf, m_valueOf;  // of the asked graph -> of the graph inside
  std::unordered_map<std::string_view, int32_t> m_byName;
};

bool fitsIn(const GroupReport& group, const ModelGraphs& asked) {
  if (!group.compiled || group.graph < 0 || static_cast<size_t>(group.graph) >= asked.graphs.size()) return false;
  const auto count = static_cast<int32_t>(asked.graphs[static_cast<size_t>(group.graph)].nodes.size());
  return !group.nodes.empty() &&
         std::ranges::all_of(group.nodes, [count](int32_t node) { return node >= 0 && node < count; });
}

// The node that stands for a group; kNone: none does, or it has other borders.
int32_t fusedNode(const GraphReport& graph, const GroupReport& group) {
  const auto node = std::ranges::find_if(graph.nodes, [&](const NodeReport& each) { return each.name == group.name; });
  return node == graph.nodes.end() || isContextNode(*node) || node->inside != kNone ||
                 node->inputs.size() != group.inputs.size() || node->outputs.size() != group.outputs.size()
             ? kNone
             : static_cast<int32_t>(node - graph.nodes.begin());
}

}  // namespace

const OpenedGroup* OpenedGroups::of(int graph) const {
  const int group = graph - first;
  return group >= 0 && group < static_cast<int>(groups.size()) ? &groups[static_cast<size_t>(group)] : nullptr;
}

std::vector<std::pair<int, int>> OpenedGroups::placesOf(int graph, int optimizedNode) const {
  std::vector<std::pair<int, int>> places;
  for (size_t g = 0; g < groups.size(); ++g) {
    const std::vector<int>& nodes = groups[g].nodes;
    const auto node = std::ranges::lower_bound(nodes, optimizedNode);
    if (groups[g].graph == graph && node != nodes.end() && *node == optimizedNode)
      places.emplace_back(first + static_cast<int>(g), static_cast<int>(node - nodes.begin()));
  }
  return places;
}

OpenedGroups openedGroups(const WalkReport& walk) {
  OpenedGroups opened{.graphs = walk.partitionedGraphs, .first = 0, .groups = {}};
  if (!walk.partitionedGraphs || !walk.optimizedGraphs || !walk.partition) return opened;
  opened.first = static_cast<int>(walk.partitionedGraphs->graphs.size());
  size_t inside = 0;
  for (const GroupReport& group : walk.partition->groups)
    inside += group.compiled ? group.nodes.size() : 0;
  if (inside == 0 || inside > kMostInside) return opened;
  auto graphs = std::make_shared<ModelGraphs>(*walk.partitionedGraphs);
  for (GroupReport group : walk.partition->groups) {
    if (!fitsIn(group, *walk.optimizedGraphs) || group.graph >= opened.first) continue;
    std::ranges::sort(group.nodes);
    const int32_t fused = fusedNode(graphs->graphs[static_cast<size_t>(group.graph)], group);
    GraphReport own;
    if (fused == kNone ||
        !InsideGraph(walk.optimizedGraphs->graphs[static_cast<size_t>(group.graph)], group).build(own))
      continue;
    own.name = own.title = group.name;
    own.parentGraph = group.graph;
    own.parentNode = fused;
    own.isInside = true;
    graphs->graphs[static_cast<size_t>(group.graph)].nodes[static_cast<size_t>(fused)].inside =
        static_cast<int32_t>(graphs->graphs.size());
    graphs->graphs.push_back(std::move(own));
    opened.groups.push_back({group.graph, fused, {group.nodes.begin(), group.nodes.end()}});
  }
  if (!opened.groups.empty()) opened.graphs = std::move(graphs);
  return opened;
}

bool opensAsHull(const NodeReport& node) {
  return node.inside >= 0 && !isContextNode(node);
}

QString hullTitle(const ModelGraphs& graphs, const NodeReport& node) {
  return groupTitle(graphs.graphs[static_cast<size_t>(node.inside)].nodes.size());
}

QString hullName(const ModelGraphs& graphs, const NodeReport& node) {
  return text(node.provider) + QStringLiteral(" \u00b7 ") + hullTitle(graphs, node);
}

QSet<QString> hullPaths(const ModelGraphs& graphs, int graph, const ScopeTree& tree) {
  QSet<QString> paths;
  const GraphReport& report = graphs.graphs[static_cast<size_t>(graph)];
  for (size_t n = 0; n < report.nodes.size(); ++n)
    if (opensAsHull(report.nodes[n]))
      paths.insert(bodyPath(tree.scopes[static_cast<size_t>(tree.scopeOfNode[n])].path, report, static_cast<int>(n)));
  return paths;
}

Overlay insideGroup(const OpenedGroup& group, const Overlay& asked) {
  Overlay inside = asked;
  inside.category.clear();
  inside.amount.clear();
  inside.marks.clear();
  for (size_t i = 0; i < group.nodes.size(); ++i) {
    const auto n = static_cast<size_t>(group.nodes[i]);
    if (const auto mark = asked.marks.find(group.nodes[i]); mark != asked.marks.end())
      inside.marks.emplace(static_cast<int>(i), mark->second);
    if (n < asked.category.size()) inside.category.push_back(asked.category[n]);
    if (n < asked.amount.size()) inside.amount.push_back(asked.amount[n]);
  }
  return inside;
}

void spreadRamp(Overlay& overlay, const std::vector<int>& opened, const std::vector<const Overlay*>& inside) {
  if (!overlay.isRamp() || !overlay.available || opened.empty()) return;
  overlay.largest = 0;
  for (size_t n = 0; n < overlay.amount.size(); ++n)
    if (!std::ranges::binary_search(opened, static_cast<int>(n)))
      overlay.largest = std::max(overlay.largest, overlay.amount[n]);
  for (const Overlay* own : inside) {
    for (const double amount : own->amount)
      overlay.largest = std::max(overlay.largest, amount);
    if (overlay.legend.empty()) overlay.legend = own->legend;
  }
  overlay.highText = overlay.amountText(overlay.largest);
}

}  // namespace cutaway::ui

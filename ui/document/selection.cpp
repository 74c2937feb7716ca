#include "ui/document/selection.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

void sortUnique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool touches(const Document& document, const NodeTarget& node, const ValueTarget& target) {
  const NodeReport* report = document.node(node);
  const GraphIndex* index = document.index(node.version);
  const int value = report && index && node.graph == target.graph
                        ? index->valueIndex(target.graph, target.name.toStdString())
                        : kNone;
  if (value < 0) return false;
  return std::find(report->inputs.begin(), report->inputs.end(), value) != report->inputs.end() ||
         std::find(report->outputs.begin(), report->outputs.end(), value) != report->outputs.end();
}

}  // namespace

Selection::Selection(Document* document) : QObject(document), m_document(document) {}

std::vector<int> Selection::originsOf(const NodeTarget& target) const {
  const NodeReport* node = m_document->node(m_document->holderOf(target));
  return node ? std::vector<int>(node->origins.begin(), node->origins.end()) : std::vector<int>();
}

void Selection::selectNode(const NodeTarget& target) {
  if (!m_document->node(target)) return clear();
  if (m_focus == target && !m_value.valid()) {
    emit revealRequested();
    return;
  }
  m_focus = target;
  m_value = {};
  m_origins = originsOf(target);
  sortUnique(m_origins);
  emit changed();
  emit revealRequested();
}

void Selection::selectNodes(GraphVersion version, int graph, const std::vector<int>& nodes) {
  m_origins.clear();
  m_value = {};
  m_focus = nodes.empty() ? NodeTarget{} : NodeTarget{version, graph, nodes.front()};
  for (const int index : nodes) {
    const std::vector<int> origins = originsOf({version, graph, index});
    m_origins.insert(m_origins.end(), origins.begin(), origins.end());
  }
  sortUnique(m_origins);
  emit changed();
}

void Selection::selectTargets(const std::vector<NodeTarget>& targets) {
  if (targets.empty()) return clear();
  if (targets.size() == 1) return selectNode(targets.front());
  m_origins.clear();
  m_value = {};
  m_focus = targets.front();
  for (const NodeTarget& target : targets) {
    const std::vector<int> origins = originsOf(target);
    m_origins.insert(m_origins.end(), origins.begin(), origins.end());
  }
  sortUnique(m_origins);
  emit changed();
  emit revealRequested();
}

void Selection::selectOrigins(std::vector<int> origins) {
  sortUnique(origins);
  m_origins = std::move(origins);
  m_value = {};
  m_focus = {};
  m_focus = focusIn(m_document->shownVersion());
  emit changed();
}

void Selection::selectValue(const ValueTarget& target) {
  if (!target.valid()) return clear();
  m_value = target;
  if (!touches(*m_document, m_focus, target))
    m_focus = {};  // a node that was looked at stays marked beside a value that it reads or makes
  m_origins.clear();
  for (const GraphVersion version :
       {m_document->shownVersion(), GraphVersion::kPartitioned, GraphVersion::kOptimized, GraphVersion::kLoaded}) {
    const ValueReport* value = m_document->value(version, target);
    if (!value || value->producer < 0) continue;
    const NodeTarget producer{version, target.graph, value->producer};
    if (!m_document->node(producer)) continue;
    m_origins = originsOf(producer);
    sortUnique(m_origins);
    break;
  }
  emit changed();
  emit revealRequested();
}

void Selection::select(const RowTarget& target) {
  if (target.value.valid()) {
    if (target.node.valid() && touches(*m_document, target.node, target.value))
      selectNode(target.node);  // both are marked
    selectValue(target.value);
  } else if (target.node.valid()) {
    selectNode(target.node);
  }
}

void Selection::clear() {
  if (empty()) return;
  m_origins.clear();
  m_focus = {};
  m_value = {};
  emit changed();
}

std::vector<int> Selection::nodesIn(GraphVersion version, int graph) const {
  std::vector<int> nodes;
  if (const NodeTarget focus = m_focus.version == version ? m_focus : innerIn(version);
      focus.valid() && focus.graph == graph)
    nodes.push_back(focus.node);
  const GraphIndex* index = m_document->index(version);
  if (index)
    for (const int origin : m_origins)
      for (const NodePlace& place : index->nodesOf(origin))
        if (place.graph == graph) nodes.push_back(place.node);
  sortUnique(nodes);
  return nodes;
}

std::set<std::pair<int, QString>> Selection::markedValues() const {
  if (m_value.valid()) return {{m_value.graph, m_value.name}};
  std::set<std::pair<int, QString>> marked;
  const auto add = [&](const NodeTarget& target) {
    const NodeReport* node = m_document->node(target);
    if (!node) return;
    const std::vector<ValueReport>& values =
        m_document->graphs(target.version)->graphs[static_cast<size_t>(target.graph)].values;
    for (const int32_t output : node->outputs)
      if (output >= 0) marked.emplace(target.graph, text(values[static_cast<size_t>(output)].name));
  };
  for (const GraphVersion version : {m_document->shownVersion(), GraphVersion::kPartitioned}) {
    if (m_focus.version == version) add(m_focus);
    const GraphIndex* index = m_document->index(version);
    for (const int origin : index ? m_origins : std::vector<int>())
      for (const NodePlace& place : index->nodesOf(origin))
        add({version, place.graph, place.node});
  }
  return marked;
}

NodeTarget Selection::focusIn(GraphVersion version) const {
  if (m_focus.valid() && m_focus.version == version) return m_focus;
  if (const NodeTarget inner = innerIn(version); inner.valid()) return inner;
  const GraphIndex* index = m_document->index(version);
  if (!index) return {};
  for (const int origin : m_origins)
    for (const NodePlace& place : index->nodesOf(origin))
      return {version, place.graph, place.node};
  return {};
}

NodeTarget Selection::stepIn(GraphVersion version) const {
  return m_document->holderOf(focusIn(version));
}

// What is inside of a context node is told by the file alone: the same nodes in every version, in the graph that
// belongs to what became of the context node.
NodeTarget Selection::innerIn(GraphVersion version) const {
  if (!m_focus.valid() || m_document->holderOf(m_focus) == m_focus) return {};
  const GraphIndex* index = m_document->index(version);
  if (!index) return {};
  for (const int origin : m_origins)
    for (const NodePlace& place : index->nodesOf(origin)) {
      const NodeTarget inner{version, index->graphs().graphs[place.graph].nodes[place.node].inside, m_focus.node};
      if (m_document->node(inner)) return inner;
    }
  return {};
}

}  // namespace cutaway::ui

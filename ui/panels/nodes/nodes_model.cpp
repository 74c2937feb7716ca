// Rows are places in the list of all nodes; figures come from the columns of facts, texts from the reports.
#include "ui/panels/nodes/nodes_model.h"

#include <algorithm>
#include <numeric>

#include <QHash>

#include "ui/base/find_query.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

// The outermost two parts of a scoped name: "/encoder/layer.0/attention/MatMul" -> "encoder/layer.0".
QString scopeTitle(std::string_view name) {
  while (!name.empty() && name.front() == '/')
    name.remove_prefix(1);
  const size_t last = name.rfind('/');
  if (last == std::string_view::npos) return {};
  name = name.substr(0, last);
  const size_t first = name.find('/');
  const size_t second = first == std::string_view::npos ? first : name.find('/', first + 1);
  return text(name.substr(0, second));
}

}  // namespace

KnownNode NodesModel::known(int place) const {
  const FindHit& hit = m_places[static_cast<size_t>(place)];
  const auto graph = static_cast<size_t>(hit.graph);
  return {m_index->graphs()->graphs[graph], hit.node, graph < m_facts.size() ? m_facts[graph].get() : nullptr};
}

FindHit NodesModel::hitOf(int place) const {
  return m_places[static_cast<size_t>(place)];
}

void NodesModel::present(std::shared_ptr<const FindIndex> index, FindFacts facts, GraphVersion version) {
  const bool others = index != m_index;
  reset([&] {
    m_index = std::move(index);
    m_facts = std::move(facts);
    m_version = version;
    if (others) {
      m_places.clear();
      m_hits.reset();
      if (m_index)
        for (size_t g = 0; g < m_index->graphs()->graphs.size(); ++g)
          for (size_t n = 0; n < m_index->graphs()->graphs[g].nodes.size(); ++n)
            m_places.push_back({static_cast<int>(g), static_cast<int>(n)});
    }
    gather();
  });
}

void NodesModel::setHits(std::optional<std::vector<FindHit>> hits) {
  reset([&] {
    m_hits = std::move(hits);
    gather();
  });
}

void NodesModel::setGrouping(NodesGrouping grouping) {
  if (grouping == m_grouping) return;
  reset([&] {
    m_grouping = grouping;
    gather();
  });
}

void NodesModel::sort(int column, Qt::SortOrder order) {
  reset([&] {
    m_sortColumn = column;
    m_sortOrder = order;
    gather();
  });
}

void NodesModel::add(Totals& totals, int place) const {
  ++totals.nodes;
  const NodeFacts* facts = known(place).facts;
  if (!facts) return;
  const auto n = static_cast<size_t>(m_places[static_cast<size_t>(place)].node);
  const auto sum = [n](int64_t& total, const std::vector<int64_t>& column) {
    if (n < column.size() && column[n] > 0) total += column[n];
  };
  const auto open = [n](const std::vector<int64_t>& column) { return n < column.size() && column[n] < 0 ? 1 : 0; };
  totals.openFlops += open(facts->flops);
  totals.openMoved += open(facts->movedBytes);
  totals.openMemory += open(facts->outputBytes);
  sum(totals.parameters, facts->parameters);
  sum(totals.flops, facts->flops);
  sum(totals.weights, facts->weightBytes);
  sum(totals.moved, facts->movedBytes);
  sum(totals.memory, facts->outputBytes);
  sum(totals.timeNs, facts->timeNs);
  totals.timed = totals.timed || (n < facts->timeNs.size() && facts->timeNs[n] >= 0);
  if (n < facts->error.size()) totals.error = std::max(totals.error, facts->error[n]);
}

void NodesModel::gather() {
  m_shown.clear();
  m_groups.clear();
  m_totals = {};
  if (!m_hits) {
    m_shown.resize(m_places.size());
    std::iota(m_shown.begin(), m_shown.end(), 0);
  } else {
    // Both lists are in the same order.
    size_t place = 0;
    for (const FindHit& hit : *m_hits) {
      while (place < m_places.size() && !(m_places[place] == hit))
        ++place;
      if (place < m_places.size()) m_shown.push_back(static_cast<int>(place));
    }
  }
  for (const int place : m_shown)
    add(m_totals, place);
  if (m_grouping != NodesGrouping::kNone) makeGroups();
  arrange();
  m_rowOf.assign(m_places.size(), -1);
  m_longest = 0;
  if (m_grouping == NodesGrouping::kNone) {
    for (size_t row = 0; row < m_shown.size(); ++row) {
      m_rowOf[static_cast<size_t>(m_shown[row])] = static_cast<int>(row);
      m_longest = std::max(m_longest, nodeColumn(kTime).figure(known(m_shown[row])));
    }
  } else {
    for (size_t row = 0; row < m_groups.size(); ++row) {
      for (const int place : m_groups[row].places)
        m_rowOf[static_cast<size_t>(place)] = static_cast<int>(row);
      m_longest = std::max(m_longest, static_cast<double>(m_groups[row].totals.timeNs));
    }
  }
}

QString NodesModel::groupTitle(int place) const {
  const auto words = [this, place](int column) { return text(nodeColumn(column).words(known(place))); };
  switch (m_grouping) {
    case NodesGrouping::kOperator:
      return words(kOperator);
    case NodesGrouping::kProvider:
      return words(kProvider);
    case NodesGrouping::kScope:
      return scopeTitle(known(place).report().name);
    case NodesGrouping::kType:
      return words(kType);
    case NodesGrouping::kPass:
      return words(kPass);
    case NodesGrouping::kGroup:
      return words(kGroup);
    default:
      return words(kGraph);
  }
}

void NodesModel::makeGroups() {
  QHash<QString, int> known;
  for (const int place : m_shown) {
    const QString title = groupTitle(place);
    const auto found = known.find(title);
    const int index = found == known.end() ? static_cast<int>(m_groups.size()) : *found;
    if (found == known.end()) {
      known.insert(title, index);
      m_groups.push_back({title, {}, {}});
    }
    Group& group = m_groups[static_cast<size_t>(index)];
    add(group.totals, place);
    group.places.push_back(place);
  }
}

// Keys are made once, so that comparing is cheap.
void NodesModel::arrange() {
  const auto byKeys = [this](auto& rows, const auto& keys) {
    std::vector<int> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    const bool down = m_sortOrder == Qt::DescendingOrder;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return down ? keys[static_cast<size_t>(b)] < keys[static_cast<size_t>(a)]
                  : keys[static_cast<size_t>(a)] < keys[static_cast<size_t>(b)];
    });
    std::remove_reference_t<decltype(rows)> sorted;
    sorted.reserve(rows.size());
    for (const int row : order)
      sorted.push_back(std::move(rows[static_cast<size_t>(row)]));
    rows = std::move(sorted);
  };
  if (m_grouping != NodesGrouping::kNone) {
    const NodeColumn& column = nodeColumn(m_sortColumn < 0 ? kTime : m_sortColumn);
    if (m_sortColumn < 0 || column.figure) {
      std::vector<std::pair<double, double>> keys;
      for (const Group& group : m_groups)
        keys.emplace_back(column.sum ? column.sum(group.totals) : -1, static_cast<double>(group.totals.nodes));
      if (m_sortColumn < 0)  // most time first, else most nodes
        for (auto& key : keys)
          key = {-key.first, -key.second};
      return byKeys(m_groups, keys);
    }
    std::vector<QString> keys;
    for (const Group& group : m_groups)
      keys.push_back(group.title.toLower());
    return byKeys(m_groups, keys);
  }
  if (m_sortColumn < 0) return;
  const NodeColumn& column = nodeColumn(m_sortColumn);
  if (column.figure) {
    std::vector<double> keys;
    for (const int place : m_shown)
      keys.push_back(column.figure(known(place)));
    return byKeys(m_shown, keys);
  }
  std::vector<std::string> keys;
  keys.reserve(m_shown.size());
  for (const int place : m_shown)
    keys.push_back(lowered(column.words(known(place))));
  byKeys(m_shown, keys);
}

std::vector<Column> NodesModel::columns() const {
  std::vector<Column> columns;
  for (int index = 0; index < kColumnCount; ++index) {
    const NodeColumn& from = nodeColumn(index);
    Column column = {.title = tr(from.title),
                     .kind = from.figure ? Column::kNumber : Column::kText,
                     .help = from.help ? tr(from.help) : QString(),
                     .text = [this, &from](int row) { return cell(row, from); }};
    if (from.hasToolTip) column.toolTip = column.text;
    columns.push_back(std::move(column));
  }
  if (m_grouping != NodesGrouping::kNone) columns[kName].title = tr("Group");
  columns[kTime].share = [this](int row) { return shareOfLongest(row); };
  return columns;
}

QString NodesModel::cell(int row, const NodeColumn& column) const {
  if (m_grouping != NodesGrouping::kNone) {
    const Group& group = m_groups[static_cast<size_t>(row)];
    if (&column == &nodeColumn(kName)) return group.title.isEmpty() ? tr("none") : group.title;
    return column.sum ? sumText(column, group.totals) : QString();
  }
  const KnownNode node = known(m_shown[static_cast<size_t>(row)]);
  if (column.show) return column.show(node);
  return column.figure ? figureText(column, column.figure(node)) : text(column.words(node));
}

std::optional<double> NodesModel::shareOfLongest(int row) const {
  if (m_longest <= 0) return std::nullopt;
  const double time = m_grouping != NodesGrouping::kNone
                          ? nodeColumn(kTime).sum(m_groups[static_cast<size_t>(row)].totals)
                          : nodeColumn(kTime).figure(known(m_shown[static_cast<size_t>(row)]));
  return time > 0 ? std::optional(time / m_longest) : std::nullopt;
}

std::vector<NodeTarget> NodesModel::targets(int row) const {
  std::vector<NodeTarget> all;
  const auto push = [&](int place) {
    all.push_back({m_version, m_places[static_cast<size_t>(place)].graph, m_places[static_cast<size_t>(place)].node});
  };
  if (m_grouping == NodesGrouping::kNone) {
    push(m_shown[static_cast<size_t>(row)]);
  } else {
    for (const int place : m_groups[static_cast<size_t>(row)].places)
      push(place);
  }
  return all;
}

RowTarget NodesModel::rowTarget(int row) const {
  return {targets(row).front(), {}};
}

}  // namespace cutaway::ui

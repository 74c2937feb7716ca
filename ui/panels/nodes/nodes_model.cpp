// Rows are places in the list of all nodes; figures come from the columns of facts, texts from the reports.
#include "ui/panels/nodes/nodes_model.h"

#include <algorithm>
#include <numeric>

#include <QHash>

#include "ui/base/find_query.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

bool isFigure(int column) {
  switch (column) {
    case NodesModel::kNodes:
    case NodesModel::kParameters:
    case NodesModel::kFlops:
    case NodesModel::kWeights:
    case NodesModel::kMoved:
    case NodesModel::kMemory:
    case NodesModel::kTime:
    case NodesModel::kStep:
    case NodesModel::kError:
      return true;
    default:
      return false;
  }
}

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

const NodeReport& NodesModel::node(int place) const {
  const FindHit& hit = m_places[static_cast<size_t>(place)];
  return m_index->graphs()->graphs[static_cast<size_t>(hit.graph)].nodes[static_cast<size_t>(hit.node)];
}

const NodeFacts* NodesModel::factsOf(int place) const {
  const auto graph = static_cast<size_t>(m_places[static_cast<size_t>(place)].graph);
  return graph < m_facts.size() ? m_facts[graph].get() : nullptr;
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
  const NodeFacts* facts = factsOf(place);
  if (!facts) return;
  const auto n = static_cast<size_t>(m_places[static_cast<size_t>(place)].node);
  const auto sum = [n](int64_t& total, const std::vector<int64_t>& column) {
    if (n < column.size() && column[n] > 0) total += column[n];
  };
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
      m_longest = std::max(m_longest, figure(m_shown[row], kTime));
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
  switch (m_grouping) {
    case NodesGrouping::kOperator:
      return text(words(place, kOperator));
    case NodesGrouping::kProvider:
      return text(words(place, kProvider));
    case NodesGrouping::kScope:
      return scopeTitle(node(place).name);
    case NodesGrouping::kType:
      return text(words(place, kType));
    case NodesGrouping::kPass:
      return text(words(place, kPass));
    case NodesGrouping::kGroup:
      return text(words(place, kGroup));
    default:
      return text(words(place, kGraph));
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
    const int column = m_sortColumn < 0 ? kTime : m_sortColumn;
    if (m_sortColumn < 0 || isFigure(column)) {
      std::vector<std::pair<double, double>> keys;
      for (const Group& group : m_groups)
        keys.emplace_back(groupFigure(group.totals, column), static_cast<double>(group.totals.nodes));
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
  if (isFigure(m_sortColumn)) {
    std::vector<double> keys;
    for (const int place : m_shown)
      keys.push_back(figure(place, m_sortColumn));
    return byKeys(m_shown, keys);
  }
  std::vector<std::string> keys;
  keys.reserve(m_shown.size());
  for (const int place : m_shown)
    keys.push_back(lowered(words(place, m_sortColumn)));
  byKeys(m_shown, keys);
}

std::vector<Column> NodesModel::columns() const {
  const bool grouped = m_grouping != NodesGrouping::kNone;
  return {{grouped ? tr("Group") : tr("Node")},
          {tr("Operator")},
          {tr("Nodes"), Column::kNumber},
          {tr("Provider")},
          {tr("Type"), Column::kText, tr("Element type of the first output")},
          {tr("Shape"), Column::kText, tr("Shape of the first output")},
          {tr("Parameters"), Column::kNumber, tr("Elements of float initializers that it reads")},
          {tr("FLOPs"), Column::kNumber,
           tr("Floating point operations by operator and shapes; a multiply and an add are two")},
          {tr("Weights"), Column::kNumber, tr("Bytes of initializers that it reads")},
          {tr("Bytes moved"), Column::kNumber, tr("Activations read and written, each once")},
          {tr("Output"), Column::kNumber, tr("Bytes of its outputs")},
          {tr("Time"), Column::kNumber, tr("Measured, mean of a run; of nodes fused into one step the first has it")},
          {tr("Step"), Column::kNumber, tr("In the execution order")},
          {tr("Error"), Column::kNumber, tr("Largest relative error of the accuracy comparison")},
          {tr("Pass"), Column::kText, tr("Optimisation pass that made or changed it")},
          {tr("Compiled group")},
          {tr("Refused because"), Column::kText, tr("What the provider asked first said")},
          {tr("Domain")},
          {tr("Graph")}};
}

std::string_view NodesModel::words(int place, int column) const {
  const FindHit& hit = m_places[static_cast<size_t>(place)];
  const GraphReport& graph = m_index->graphs()->graphs[static_cast<size_t>(hit.graph)];
  const NodeReport& report = graph.nodes[static_cast<size_t>(hit.node)];
  const NodeFacts* facts = factsOf(place);
  const auto fact = [&](const std::vector<std::string> NodeFacts::* which) {
    return facts && static_cast<size_t>(hit.node) < (facts->*which).size()
               ? std::string_view((facts->*which)[static_cast<size_t>(hit.node)])
               : std::string_view();
  };
  const auto output = [&]() -> const ValueReport* {
    for (const int32_t value : report.outputs)
      if (value >= 0) return &graph.values[static_cast<size_t>(value)];
    return nullptr;
  };
  switch (column) {
    case kName:
      return report.name;
    case kOperator:
      return report.opType;
    case kProvider:
      return fact(&NodeFacts::provider);
    case kType:
      return output() ? std::string_view(output()->elementType) : std::string_view();
    case kShape:
      return output() ? std::string_view(output()->shape) : std::string_view();
    case kPass:
      return fact(&NodeFacts::rewrite);
    case kGroup:
      return fact(&NodeFacts::group);
    case kRefusal:
      return fact(&NodeFacts::refusal);
    case kDomain:
      return report.domain.empty() ? std::string_view("ai.onnx") : std::string_view(report.domain);
    case kGraph:
      return graph.title;
    default:
      return {};
  }
}

double NodesModel::figure(int place, int column) const {
  if (column == kNodes) return 1;
  const NodeFacts* facts = factsOf(place);
  if (!facts) return -1;
  const auto n = static_cast<size_t>(m_places[static_cast<size_t>(place)].node);
  const auto of = [n](const std::vector<int64_t>& values) {
    return n < values.size() ? static_cast<double>(values[n]) : -1;
  };
  switch (column) {
    case kParameters:
      return of(facts->parameters);
    case kFlops:
      return of(facts->flops);
    case kWeights:
      return of(facts->weightBytes);
    case kMoved:
      return of(facts->movedBytes);
    case kMemory:
      return of(facts->outputBytes);
    case kTime:
      return of(facts->timeNs);
    case kStep:
      return of(facts->step);
    case kError:
      return n < facts->error.size() ? facts->error[n] : -1;
    default:
      return -1;
  }
}

double NodesModel::groupFigure(const Totals& totals, int column) {
  switch (column) {
    case kNodes:
      return static_cast<double>(totals.nodes);
    case kParameters:
      return static_cast<double>(totals.parameters);
    case kFlops:
      return static_cast<double>(totals.flops);
    case kWeights:
      return static_cast<double>(totals.weights);
    case kMoved:
      return static_cast<double>(totals.moved);
    case kMemory:
      return static_cast<double>(totals.memory);
    case kTime:
      return totals.timed ? static_cast<double>(totals.timeNs) : -1;
    case kError:
      return totals.error;
    default:
      return -1;
  }
}

QString NodesModel::figureText(double figure, int column) {
  if (figure < 0) return {};
  const auto whole = static_cast<int64_t>(figure);
  switch (column) {
    case kFlops:
      return workText(whole);
    case kWeights:
    case kMoved:
    case kMemory:
      return sizeText(whole);
    case kTime:
      return timeText(whole);
    case kError:
      return figure == 0 ? QStringLiteral("0") : QString::number(figure, 'g', 2);
    default:
      return countText(whole);
  }
}

QString NodesModel::groupCell(const Group& group, int column) const {
  if (column == kName) return group.title.isEmpty() ? tr("none") : group.title;
  return isFigure(column) && column != kStep ? figureText(groupFigure(group.totals, column), column) : QString();
}

QString NodesModel::cell(int row, int column) const {
  if (m_grouping != NodesGrouping::kNone) return groupCell(m_groups[static_cast<size_t>(row)], column);
  const int place = m_shown[static_cast<size_t>(row)];
  const FindHit& hit = m_places[static_cast<size_t>(place)];
  if (column == kName) return nodeTitle(m_index->graphs()->graphs[static_cast<size_t>(hit.graph)], hit.node);
  if (column == kOperator) return operatorText(node(place));
  if (column == kShape) return shapeText(words(place, kShape));
  if (column == kNodes) return {};
  return isFigure(column) ? figureText(figure(place, column), column) : text(words(place, column));
}

QVariant NodesModel::share(int row, int column) const {
  if (column != kTime || m_longest <= 0) return {};
  const double time = m_grouping != NodesGrouping::kNone ? groupFigure(m_groups[static_cast<size_t>(row)].totals, kTime)
                                                         : figure(m_shown[static_cast<size_t>(row)], kTime);
  return time > 0 ? QVariant(time / m_longest) : QVariant();
}

QString NodesModel::toolTip(int row, int column) const {
  return column == kRefusal || column == kName ? cell(row, column) : QString();
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

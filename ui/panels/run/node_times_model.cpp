#include "ui/panels/run/node_times_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ui/base/format.h"
#include "ui/base/icons.h"

namespace cutaway::ui {
namespace {

constexpr int kMark = 14;
constexpr size_t kMostScopes = 12;

QString dash() {
  return QStringLiteral("\u2013");
}
QString rate(double amount, double ns) {
  if (!(ns > 0)) return dash();
  const double each = amount / ns;
  return QString::number(each, 'f', each < 10 ? 2 : each < 100 ? 1 : 0);
}
QString bytesOrDash(int64_t bytes) {
  return bytes > 0 ? sizeText(bytes) : dash();
}

}  // namespace

std::vector<std::string_view> scopesOf(std::string_view name) {
  std::vector<std::string_view> scopes;
  const char separator = name.find('/') != std::string_view::npos ? '/' : '.';
  while (scopes.size() < kMostScopes) {
    const size_t at = name.find(separator);
    if (at == std::string_view::npos) break;
    if (at > 0) scopes.push_back(name.substr(0, at));
    name.remove_prefix(at + 1);
  }
  return scopes;
}

void NodeTimesModel::addTo(Item& group, const NodeTiming& timing) const {
  ++group.nodes;
  group.timeNs += timing.totalNs;
  group.calls += timing.calls;
  group.variance += timing.deviationNs * timing.deviationNs;
  group.read += timing.inputBytes;
  group.written += timing.outputBytes;
  group.scratch = std::max(group.scratch, timing.scratchBytes);
  group.allocated += timing.allocatedBytes;
  const auto calls = static_cast<double>(std::max<int64_t>(1, timing.calls)), ns = static_cast<double>(timing.totalNs);
  if (timing.flops >= 0) group.flops += static_cast<double>(timing.flops) * calls, group.flopsNs += ns;
  if (timing.inputBytes + timing.outputBytes > 0)
    group.bytes += static_cast<double>(timing.inputBytes + timing.outputBytes) * calls, group.bytesNs += ns;
}

int NodeTimesModel::group(int parent, const QString& title) {
  Item item;
  item.parent = parent;
  item.title = title;
  m_items.push_back(std::move(item));
  return static_cast<int>(m_items.size()) - 1;
}

void NodeTimesModel::addNode(int parent, int timing) {
  const NodeTiming& source = m_view->run->nodes[static_cast<size_t>(timing)];
  Item item;
  item.parent = parent;
  item.timing = timing;
  const auto index = static_cast<int>(m_items.size());
  m_itemOfTiming[static_cast<size_t>(timing)] = index;
  m_items.push_back(std::move(item));
  for (size_t part = 0; part < source.subSteps.size(); ++part) {
    Item below;
    below.parent = index;
    below.timing = timing;
    below.part = static_cast<int>(part);
    m_items.push_back(std::move(below));
  }
}

std::vector<int> NodeTimesModel::longestFirst() const {
  std::vector<int> order(m_view->run->nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
    return m_view->run->nodes[static_cast<size_t>(a)].totalNs > m_view->run->nodes[static_cast<size_t>(b)].totalNs;
  });
  return order;
}

void NodeTimesModel::groupByName(const std::function<QString(const NodeTiming&)>& name) {
  std::map<QString, std::vector<int>> members;
  std::map<QString, int64_t> times;
  for (const int timing : longestFirst()) {
    const NodeTiming& it = m_view->run->nodes[static_cast<size_t>(timing)];
    const QString title = name(it);
    members[title].push_back(timing);
    times[title] += it.totalNs;
  }
  std::vector<QString> titles;
  for (const auto& [title, timings] : members)
    titles.push_back(title);
  std::stable_sort(titles.begin(), titles.end(),
                   [&](const QString& a, const QString& b) { return times[a] > times[b]; });
  for (const QString& title : titles) {
    const int index = group(kNone, title.isEmpty() ? tr("(not in this model)") : title);
    for (const int timing : members[title]) {
      addTo(m_items[static_cast<size_t>(index)], m_view->run->nodes[static_cast<size_t>(timing)]);
      addNode(index, timing);
    }
  }
}

// Scopes in the order of their first node, nested as the names are.
void NodeTimesModel::groupByScope() {
  std::map<std::pair<int, std::string_view>, int> known;
  for (size_t timing = 0; timing < m_view->run->nodes.size(); ++timing) {
    const NodeTiming& it = m_view->run->nodes[timing];
    const NodeReport* node = m_view->node(it.graph, it.node);
    int parent = kNone;
    for (const std::string_view scope : node ? scopesOf(node->name) : std::vector<std::string_view>()) {
      const auto [entry, added] = known.try_emplace({parent, scope}, kNone);
      if (added) entry->second = group(parent, text(scope));
      parent = entry->second;
      addTo(m_items[static_cast<size_t>(parent)], it);
    }
    addNode(parent, static_cast<int>(timing));
  }
}

void NodeTimesModel::present(std::shared_ptr<const RunView> view, RollUp rollUp) {
  reset([&] {
    m_view = std::move(view);
    m_rollUp = rollUp;
    m_items.clear();
    m_itemOfTiming.assign(m_view ? m_view->run->nodes.size() : 0, kNone);
    if (m_view) {
      m_items.reserve(m_itemOfTiming.size() + 64);
      switch (rollUp) {
        case RollUp::kNone:
          for (const int timing : longestFirst())
            addNode(kNone, timing);
          break;
        case RollUp::kOperator:
          groupByName([this](const NodeTiming& timing) { return m_view->operatorOf(timing); });
          break;
        case RollUp::kProvider:
          groupByName([this](const NodeTiming& timing) { return m_view->providerOf(timing); });
          break;
        case RollUp::kScope:
          groupByScope();
          break;
      }
    }
    std::vector<int> parents;
    parents.reserve(m_items.size());
    for (const Item& item : m_items)
      parents.push_back(item.parent);
    return parents;
  });
}

std::vector<NodeTarget> NodeTimesModel::targets(int item) const {
  std::vector<NodeTarget> found;
  if (!m_view || item < 0 || static_cast<size_t>(item) >= m_items.size()) return found;
  const auto add = [&](const Item& it) {
    const NodeTiming& timing = m_view->run->nodes[static_cast<size_t>(it.timing)];
    if (timing.node >= 0) found.push_back({GraphVersion::kPartitioned, timing.graph, timing.node});
  };
  if (timingOf(item) >= 0) {
    add(m_items[static_cast<size_t>(item)]);
    return found;
  }
  // Members stand below their group: an item belongs to it when one of its parents does.
  std::vector<bool> inside(m_items.size());
  inside[static_cast<size_t>(item)] = true;
  for (size_t i = static_cast<size_t>(item) + 1; i < m_items.size(); ++i) {
    const Item& it = m_items[i];
    if (it.parent < 0 || !inside[static_cast<size_t>(it.parent)]) continue;
    inside[i] = true;
    if (it.timing >= 0 && it.part < 0) add(it);
  }
  return found;
}

std::vector<Column> NodeTimesModel::columns() const {
  static const std::vector<Column> all = {{tr("Node")},
                                          {tr("Operator")},
                                          {tr("Time"), Column::kNumber, tr("Mean per run")},
                                          {tr("Share"), Column::kNumber, tr("Of the time of all nodes")},
                                          {tr("\u00b1"), Column::kNumber, tr("Standard deviation over the runs")},
                                          {tr("Calls"), Column::kNumber},
                                          {tr("GFLOP/s"), Column::kNumber},
                                          {tr("GB/s"), Column::kNumber, tr("Bytes read and written over the time")},
                                          {tr("Reads"), Column::kNumber},
                                          {tr("Writes"), Column::kNumber},
                                          {tr("Workspace"), Column::kNumber},
                                          {tr("Allocated"), Column::kNumber, tr("Taken from the arena while it ran")},
                                          {tr("Thread")},
                                          {tr("Provider")},
                                          {tr("Variant")},
                                          {tr("Step"), Column::kNumber},
                                          {tr("Output")}};
  return all;
}

QString NodeTimesModel::nodeCell(const NodeTiming& timing, int column) const {
  switch (column) {
    case kName:
      return m_view->nameOf(timing);
    case kOperator:
      return m_view->operatorOf(timing);
    case kTime:
      return timeText(timing.totalNs);
    case kDeviation:
      return timing.deviationNs > 0 ? timeText(static_cast<int64_t>(timing.deviationNs)) : dash();
    case kCalls:
      return countText(timing.calls);
    case kGigaflops:
      return gigaflopsText(timing);
    case kGigabytes:
      return gigabytesText(timing);
    case kRead:
      return bytesOrDash(timing.inputBytes);
    case kWritten:
      return bytesOrDash(timing.outputBytes);
    case kScratch:
      return bytesOrDash(timing.scratchBytes);
    case kAllocated:
      return bytesOrDash(timing.allocatedBytes);
    case kThread:
      return threadText(timing.thread);
    case kProvider:
      return m_view->providerOf(timing);
    case kVariant:
      return text(timing.variant);
    case kStep:
      return QString::number(timing.step);
    default:
      return timing.outputShapes.empty() ? QString() : text(timing.outputShapes.front());
  }
}

QString NodeTimesModel::groupCell(const Item& item, int column) const {
  switch (column) {
    case kName:
      return item.title;
    case kOperator:
      return item.nodes == 1 ? tr("1 node") : tr("%1 nodes").arg(countText(item.nodes));
    case kTime:
      return timeText(item.timeNs);
    case kDeviation:
      return item.variance > 0 ? timeText(static_cast<int64_t>(std::sqrt(item.variance))) : dash();
    case kCalls:
      return countText(item.calls);
    case kGigaflops:
      return rate(item.flops, item.flopsNs);
    case kGigabytes:
      return rate(item.bytes, item.bytesNs);
    case kRead:
      return bytesOrDash(item.read);
    case kWritten:
      return bytesOrDash(item.written);
    case kScratch:
      return bytesOrDash(item.scratch);
    case kAllocated:
      return bytesOrDash(item.allocated);
    default:
      return {};
  }
}

QString NodeTimesModel::partCell(const Item& item, int column) const {
  const SubStepTiming& part =
      m_view->run->nodes[static_cast<size_t>(item.timing)].subSteps[static_cast<size_t>(item.part)];
  return column == kName    ? text(part.name)
         : column == kTime  ? timeText(part.totalNs)
         : column == kCalls ? countText(part.calls)
                            : QString();
}

QString NodeTimesModel::cell(int index, int column) const {
  const Item& item = m_items[static_cast<size_t>(index)];
  if (column == kShare) {
    const QVariant part = share(index, column);
    return part.isValid() ? percentText(part.toDouble()) : QString();
  }
  return item.part >= 0     ? partCell(item, column)
         : item.timing >= 0 ? nodeCell(m_view->run->nodes[static_cast<size_t>(item.timing)], column)
                            : groupCell(item, column);
}

QVariant NodeTimesModel::sortKey(int index, int column) const {
  const Item& item = m_items[static_cast<size_t>(index)];
  if (item.part >= 0) {
    const SubStepTiming& part =
        m_view->run->nodes[static_cast<size_t>(item.timing)].subSteps[static_cast<size_t>(item.part)];
    return column == kName    ? QVariant(text(part.name))
           : column == kCalls ? QVariant(qlonglong(part.calls))
                              : QVariant(qlonglong(part.totalNs));
  }
  Item sums = item;
  if (item.timing >= 0) addTo(sums, m_view->run->nodes[static_cast<size_t>(item.timing)]);
  const auto ratio = [](double amount, double ns) { return QVariant(ns > 0 ? amount / ns : -1.0); };
  switch (column) {
    case kTime:
    case kShare:
      return QVariant(qlonglong(sums.timeNs));
    case kDeviation:
      return QVariant(std::sqrt(sums.variance));
    case kCalls:
      return QVariant(qlonglong(sums.calls));
    case kGigaflops:
      return ratio(sums.flops, sums.flopsNs);
    case kGigabytes:
      return ratio(sums.bytes, sums.bytesNs);
    case kRead:
      return QVariant(qlonglong(sums.read));
    case kWritten:
      return QVariant(qlonglong(sums.written));
    case kScratch:
      return QVariant(qlonglong(sums.scratch));
    case kAllocated:
      return QVariant(qlonglong(sums.allocated));
    case kStep:
      return QVariant(item.timing >= 0 ? m_view->run->nodes[static_cast<size_t>(item.timing)].step : index);
    default:
      return QVariant(cell(index, column));
  }
}

QString NodeTimesModel::toolTip(int item, int column) const {
  if (column == kTime && timingOf(item) >= 0 && !isPart(item)) {
    const NodeTiming& timing = m_view->run->nodes[static_cast<size_t>(timingOf(item))];
    return tr("%1 mean, %2 to %3").arg(timeText(timing.totalNs), timeText(timing.minNs), timeText(timing.maxNs));
  }
  const QString words = cell(item, column);
  return words.size() > 34 ? words : QString();
}

QVariant NodeTimesModel::decoration(int index, int column) const {
  if (column != kProvider &&
      !(column == kName && m_rollUp == RollUp::kProvider && m_items[static_cast<size_t>(index)].timing < 0))
    return {};
  const Item& item = m_items[static_cast<size_t>(index)];
  if (item.part >= 0 || (column == kProvider && item.timing < 0)) return {};
  const std::string name =
      (item.timing < 0 ? item.title : m_view->providerOf(m_view->run->nodes[static_cast<size_t>(item.timing)]))
          .toStdString();
  const int category = m_view->marks.indexOf(name);
  const Theme& theme = m_themes->current();
  return category < 0 ? QVariant()
                      : QVariant(categoryMark(theme.category(category),
                                              m_view->marks.letters[static_cast<size_t>(category)], theme, kMark, 2));
}

QVariant NodeTimesModel::share(int index, int column) const {
  if (column != kShare || !m_view || m_view->allNs <= 0) return {};
  const Item& item = m_items[static_cast<size_t>(index)];
  int64_t timeNs = item.timeNs;
  if (item.timing >= 0) {
    const NodeTiming& timing = m_view->run->nodes[static_cast<size_t>(item.timing)];
    timeNs = item.part >= 0 ? timing.subSteps[static_cast<size_t>(item.part)].totalNs : timing.totalNs;
  }
  return static_cast<double>(timeNs) / static_cast<double>(m_view->allNs);
}

RowTarget NodeTimesModel::rowTarget(int item) const {
  const int timing = timingOf(item);
  if (timing < 0) return {};
  const NodeTiming& it = m_view->run->nodes[static_cast<size_t>(timing)];
  return {{GraphVersion::kPartitioned, it.graph, it.node}, {}};
}

}  // namespace cutaway::ui

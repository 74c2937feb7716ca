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
constexpr qsizetype kLongText = 34;  // more than most columns have room for
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

NodeTimesModel::NodeTimesModel(const ThemeStore* themes, QObject* parent) : TreeModel(parent), m_themes(themes) {
  m_columns = makeColumns();
}

Column NodeTimesModel::column(const QString& title, const QString& help, Texts texts) const {
  const auto text = [this, texts = std::move(texts)](int index) -> QString {
    const Item& item = m_items[static_cast<size_t>(index)];
    if (item.part >= 0) return texts.part ? texts.part(partAt(item)) : QString();
    if (item.timing >= 0) return texts.node ? texts.node(timingAt(item)) : QString();
    return texts.group ? texts.group(item) : QString();
  };
  return {.title = title,
          .kind = Column::kText,
          .help = help,
          .text = text,
          // Parts stand in the order of their times.
          .key = [this, text](int index) -> CellKey {
            const Item& item = m_items[static_cast<size_t>(index)];
            return item.part >= 0 ? CellKey(partAt(item).totalNs) : CellKey(text(index));
          },
          .toolTip =
              [text](int index) {
                const QString words = text(index);
                return words.size() > kLongText ? words : QString();
              }};
}

Column NodeTimesModel::figureColumn(const QString& title, const QString& help, Texts texts,
                                    std::function<CellKey(const Item&)> key,
                                    std::function<CellKey(const SubStepTiming&)> ofPart) const {
  Column made = column(title, help, std::move(texts));
  made.kind = Column::kNumber;
  made.key = [this, key = std::move(key), ofPart = std::move(ofPart)](int index) -> CellKey {
    const Item& item = m_items[static_cast<size_t>(index)];
    if (item.part >= 0) return ofPart ? ofPart(partAt(item)) : CellKey(partAt(item).totalNs);
    Item sums = item;
    if (item.timing >= 0) addTo(sums, timingAt(item));
    return key(sums);
  };
  return made;
}

Column NodeTimesModel::bytesColumn(const QString& title, const QString& help, int64_t NodeTiming::* ofNode,
                                   int64_t Item::* ofGroup) const {
  return figureColumn(title, help,
                      {.node = [ofNode](const NodeTiming& timing) { return bytesOrDash(timing.*ofNode); },
                       .group = [ofGroup](const Item& item) { return bytesOrDash(item.*ofGroup); }},
                      ofGroup);
}

Column NodeTimesModel::shareColumn() const {
  Column share = figureColumn(tr("Share"), tr("Of the time of all nodes"), {}, &Item::timeNs);
  share.text = [this](int index) {
    const std::optional<double> part = shareOf(index);
    return part ? percentText(*part) : QString();
  };
  share.share = [this](int index) { return shareOf(index); };
  return share;
}

// What it takes, in the order of the columns.
std::vector<Column> NodeTimesModel::timeColumns() const {
  Column time = figureColumn(tr("Time"), tr("Median over the runs"),
                             {.node = [](const NodeTiming& timing) { return timeText(timing.totalNs); },
                              .group = [](const Item& item) { return timeText(item.timeNs); },
                              .part = [](const SubStepTiming& part) { return timeText(part.totalNs); }},
                             &Item::timeNs);
  time.toolTip = [this, others = time.toolTip](int index) {
    const Item& item = m_items[static_cast<size_t>(index)];
    if (item.timing < 0 || item.part >= 0) return others(index);
    const NodeTiming& timing = timingAt(item);
    return tr("median %1; calls took %2 to %3")
        .arg(timeText(timing.totalNs), timeText(timing.minNs), timeText(timing.maxNs));
  };
  const auto deviation = [](double ns) { return ns > 0 ? timeText(static_cast<int64_t>(ns)) : dash(); };
  const auto ratio = [](double amount, double ns) { return ns > 0 ? amount / ns : -1.0; };
  return {time,
          shareColumn(),
          figureColumn(tr("\u00b1"), tr("Standard deviation over the runs"),
                       {.node = [=](const NodeTiming& timing) { return deviation(timing.deviationNs); },
                        .group = [=](const Item& item) { return deviation(std::sqrt(item.variance)); }},
                       [](const Item& item) { return std::sqrt(item.variance); }),
          figureColumn(tr("Calls"), {},
                       {.node = [](const NodeTiming& timing) { return countText(timing.calls); },
                        .group = [](const Item& item) { return countText(item.calls); },
                        .part = [](const SubStepTiming& part) { return countText(part.calls); }},
                       &Item::calls, &SubStepTiming::calls),
          figureColumn(tr("GFLOP/s"), {},
                       {.node = [](const NodeTiming& timing) { return gigaflopsText(timing); },
                        .group = [](const Item& item) { return rate(item.flops, item.flopsNs); }},
                       [=](const Item& item) { return ratio(item.flops, item.flopsNs); }),
          figureColumn(tr("GB/s"), tr("Bytes read and written over the time"),
                       {.node = [](const NodeTiming& timing) { return gigabytesText(timing); },
                        .group = [](const Item& item) { return rate(item.bytes, item.bytesNs); }},
                       [=](const Item& item) { return ratio(item.bytes, item.bytesNs); }),
          bytesColumn(tr("Reads"), {}, &NodeTiming::inputBytes, &Item::read),
          bytesColumn(tr("Writes"), {}, &NodeTiming::outputBytes, &Item::written),
          bytesColumn(tr("Workspace"), {}, &NodeTiming::scratchBytes, &Item::scratch),
          bytesColumn(tr("Allocated"), tr("Taken from the arena while it ran"), &NodeTiming::allocatedBytes,
                      &Item::allocated)};
}

// Where it runs and how.
std::vector<Column> NodeTimesModel::placeColumns() const {
  Column provider =
      column(tr("Provider"), {}, {.node = [this](const NodeTiming& it) { return m_view->providerOf(it); }});
  provider.decoration = [this](int index) {
    const Item& item = m_items[static_cast<size_t>(index)];
    return item.part >= 0 || item.timing < 0 ? QVariant()
                                             : providerMark(m_view->providerOf(timingAt(item)).toStdString());
  };
  Column step = column(tr("Step"), {}, {.node = [](const NodeTiming& it) { return QString::number(it.step); }});
  step.kind = Column::kNumber;
  step.key = [this](int index) {
    const Item& item = m_items[static_cast<size_t>(index)];
    if (item.part >= 0) return CellKey(partAt(item).totalNs);
    return CellKey(item.timing >= 0 ? timingAt(item).step : index);
  };
  return {column(tr("Thread"), {}, {.node = [](const NodeTiming& it) { return threadText(it.thread); }}), provider,
          column(tr("Variant"), {}, {.node = [](const NodeTiming& it) { return text(it.variant); }}), step,
          column(tr("Output"), {}, {.node = [](const NodeTiming& it) {
                   return it.outputShapes.empty() ? QString() : text(it.outputShapes.front());
                 }})};
}

std::vector<Column> NodeTimesModel::makeColumns() const {
  Column name = column(tr("Node"), {},
                       {.node = [this](const NodeTiming& timing) { return m_view->nameOf(timing); },
                        .group = [](const Item& item) { return item.title; },
                        .part = [](const SubStepTiming& part) { return text(part.name); }});
  name.key = [words = name.text](int index) { return CellKey(QString(words(index))); };
  name.decoration = [this](int index) {
    const Item& item = m_items[static_cast<size_t>(index)];
    return m_rollUp == RollUp::kProvider && item.timing < 0 ? providerMark(item.title.toStdString()) : QVariant();
  };
  std::vector<Column> columns = {
      name, column(tr("Operator"), {},
                   {.node = [this](const NodeTiming& timing) { return m_view->operatorOf(timing); },
                    .group =
                        [](const Item& item) {
                          return item.nodes == 1 ? tr("1 node") : tr("%1 nodes").arg(countText(item.nodes));
                        }})};
  for (const std::vector<Column>& more : {timeColumns(), placeColumns()})
    columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

QVariant NodeTimesModel::providerMark(const std::string& name) const {
  const int category = m_view->marks.indexOf(name);
  const Theme& theme = m_themes->current();
  return category < 0 ? QVariant()
                      : QVariant(categoryMark(theme.category(category),
                                              m_view->marks.letters[static_cast<size_t>(category)], theme, kMark, 2));
}

std::optional<double> NodeTimesModel::shareOf(int index) const {
  if (!m_view || m_view->allNs <= 0) return std::nullopt;
  const Item& item = m_items[static_cast<size_t>(index)];
  const int64_t timeNs = item.part >= 0     ? partAt(item).totalNs
                         : item.timing >= 0 ? timingAt(item).totalNs
                                            : item.timeNs;
  return static_cast<double>(timeNs) / static_cast<double>(m_view->allNs);
}

RowTarget NodeTimesModel::rowTarget(int item) const {
  const int timing = timingOf(item);
  if (timing < 0) return {};
  const NodeTiming& it = m_view->run->nodes[static_cast<size_t>(timing)];
  return {{GraphVersion::kPartitioned, it.graph, it.node}, {}};
}

}  // namespace cutaway::ui

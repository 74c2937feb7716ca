#include "ui/panels/linked_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/table_model.h"
#include "ui/base/theme.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/node_menu.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/row_table.h"

namespace cutaway::ui {
namespace {
constexpr int kWidestColumn = 320;
constexpr int kNarrowFilter = 60;
constexpr int kRowsMeasured = 100;             // a column is as wide as these ask for, so that 50,000 rows cost nothing
constexpr int kManyRows = 2000;                // from which on rows that nobody sees are left alone
constexpr const char* kStale = "range-stale";  // the range changed while nobody looked
}  // namespace

LinkedTable::LinkedTable(const PanelContext& context, QString stateKey, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_stateKey(std::move(stateKey)),
      m_bar(new QWidget),
      m_filter(new QLineEdit),
      m_count(new QLabel),
      m_view(new QTableView) {
  m_filter->setPlaceholderText(tr("Filter: all words must match"));
  m_filter->setAccessibleName(tr("Filter rows"));
  m_filter->setClearButtonEnabled(true);
  m_count->setProperty("role", "faint");
  auto* top = new QHBoxLayout(m_bar);
  top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  top->setSpacing(kSpace);
  top->addWidget(m_filter, 1);
  top->addWidget(m_count);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bar);
  makeRestriction(column);
  column->addWidget(m_view, 1);

  m_view->setModel(&m_proxy);
  m_view->setSortingEnabled(true);
  dressRowTable(m_view);
  m_view->horizontalHeader()->setSortIndicator(-1,
                                               Qt::AscendingOrder);  // the model's own order until a header is clicked

  auto* copy = new QAction(tr("Copy rows"), m_view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  m_view->addAction(copy);
  auto* save = new QAction(tr("Save table as CSV \u2026"), m_view);
  m_view->addAction(save);
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(save, &QAction::triggered, this, &LinkedTable::saveCsv);
  connect(m_view, &QTableView::customContextMenuRequested, this, &LinkedTable::showMenu);
  connect(m_view, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit rowActivated(m_proxy.mapToSource(index).row()); });

  connect(copy, &QAction::triggered, this, [this] { copyRows(*m_view); });
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& line) {
    m_proxy.setQuery(FindQuery::parse(line));
    showCount();
  });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LinkedTable::rowChosen);
  connect(&m_context.document->selection(), &Selection::changed, this, &LinkedTable::showSelection);
  connect(&m_proxy, &QAbstractItemModel::modelReset, this, [this] {
    showCount();
    sizeColumns();
    showSelection();
  });
}

LinkedTable::~LinkedTable() {
  const QByteArray columns = m_isLeft ? m_columns : m_view->horizontalHeader()->saveState();
  if (m_model && !columns.isEmpty()) m_context.viewState->put(m_stateKey, columns);
}

void LinkedTable::setModel(TableModel* model) {
  m_model = model;
  // Before the proxy hears of it and goes through all rows.
  connect(model, &QAbstractItemModel::modelReset, this,
          [this] { !isVisible() && m_model->rowCount() > kManyRows ? leaveRows() : takeRows(); });
  m_proxy.setSourceModel(model);
  sizeColumns();
  m_view->horizontalHeader()->restoreState(m_context.viewState->get(m_stateKey).toByteArray());
  m_view->horizontalHeader()->setSortIndicatorShown(true);
  showCount();
}

// Proxy, headers and view go through all rows at every reset: those of a tab that nobody looks at wait until it is
// shown.
void LinkedTable::leaveRows() {
  if (std::exchange(m_isLeft, true)) return;
  const QHeaderView* header = m_view->horizontalHeader();
  m_columns = header->count() > 0 ? header->saveState() : m_context.viewState->get(m_stateKey).toByteArray();
  m_proxy.setSourceModel(nullptr);
}

void LinkedTable::takeRows() {
  if (!std::exchange(m_isLeft, false)) return;
  m_proxy.setSourceModel(m_model);
  m_view->horizontalHeader()->restoreState(std::exchange(m_columns, {}));
  sizeColumns();
}

void LinkedTable::showEvent(QShowEvent*) {
  takeRows();
  if (m_isUnsized) sizeColumns();
  if (property(kStale).toBool()) {
    setProperty(kStale, false);
    applyConditions();
  }
  showSelection();
}

void LinkedTable::setFilterText(const QString& text) {
  m_filter->setText(text);
}

void LinkedTable::sizeColumns() {
  m_isUnsized = !isVisible();
  if (!m_model || m_isUnsized || m_context.viewState->get(m_stateKey).isValid()) return;
  const QFontMetrics metrics(m_view->font());
  // Spread over all rows: the first ones are often of one kind.
  const int all = m_proxy.rowCount(), step = std::max(1, (all + kRowsMeasured - 1) / kRowsMeasured);
  for (int column = 0; column < m_proxy.columnCount(); ++column) {
    int width = metrics.horizontalAdvance(m_proxy.headerData(column, Qt::Horizontal).toString()) + 28;
    for (int row = 0; row < all; row += step) {
      const QModelIndex index = m_proxy.index(row, column);
      const int mark = index.data(Qt::DecorationRole).isValid() ? 22 : 0;
      width = std::max(width, metrics.horizontalAdvance(index.data().toString()) + mark + 20);
    }
    m_view->setColumnWidth(column, std::min(width, kWidestColumn));
  }
}

void LinkedTable::showCount() {
  const int all = m_model ? m_model->rowCount() : 0, shown = m_proxy.rowCount();
  m_count->setText(shown == all ? all == 1 ? tr("1 row") : tr("%1 rows").arg(all) : tr("%1 of %2").arg(shown).arg(all));
}

void LinkedTable::rowChosen() {
  const QModelIndex current = m_view->currentIndex();
  if (m_choosing || !current.isValid() || !m_view->selectionModel()->isRowSelected(current.row())) return;
  m_choosing = true;
  const std::vector<NodeTarget> nodes =
      m_rowNodes ? m_rowNodes(m_proxy.mapToSource(current).row()) : std::vector<NodeTarget>();
  if (!nodes.empty() || (m_rowNodes && !current.data(kTargetRole).value<RowTarget>().value.valid())) {
    m_context.document->selection().selectTargets(nodes);
  } else {
    m_context.document->selection().select(current.data(kTargetRole).value<RowTarget>());
  }
  m_choosing = false;
}

void LinkedTable::makeRestriction(QVBoxLayout* column) {
  m_restriction = new QWidget;
  m_restrictionWords = new QLabel;
  m_restrictionWords->setProperty("role", "secondary");
  m_restrictionWords->setMinimumWidth(20);
  auto* release = new QPushButton(tr("Show all"));
  auto* row = new QHBoxLayout(m_restriction);
  row->setContentsMargins(kSpace, 0, kSpace, kSpaceSmall);
  row->setSpacing(kSpace);
  row->addWidget(m_restrictionWords, 1);
  row->addWidget(release);
  m_restriction->hide();
  column->addWidget(m_restriction);
  connect(release, &QPushButton::clicked, this, [this] {
    if (m_followsRange) m_context.document->playhead().setRange({});
    restrict({}, {});
    emit released();
  });
}

QWidget* LinkedTable::takeBar() {
  layout()->removeWidget(m_bar);
  layout()->removeWidget(m_restriction);
  m_restrictionWords->hide();
  m_restriction->layout()->setContentsMargins(0, 0, 0, 0);
  m_bar->layout()->setContentsMargins(kSpace, 0, kSpace, 0);
  m_bar->layout()->addWidget(m_restriction);
  m_filter->setMinimumWidth(scaled(kNarrowFilter));
  return m_bar;
}

void LinkedTable::restrict(const QString& words, std::function<bool(int)> condition) {
  m_conditionWords = words;
  m_condition = std::move(condition);
  applyConditions();
}

void LinkedTable::followRange() {
  m_followsRange = true;
  connect(&m_context.document->playhead(), &Playhead::changed, this,
          [this, shown = m_context.document->playhead().range()]() mutable {
            if (std::exchange(shown, m_context.document->playhead().range()) == m_context.document->playhead().range())
              return;
            if (isVisible()) return applyConditions();
            setProperty(kStale, true);  // fifty thousand rows are not gone through for nobody
          });
  if (m_context.document->playhead().range()) setProperty(kStale, true);  // chosen before this table was made
}

bool LinkedTable::inRange(int sourceRow) const {
  const Document& document = *m_context.document;
  const auto& range = document.playhead().range();
  if (!range) return true;
  const RowTarget target = m_model->target(sourceRow);
  if (!target.value.valid()) return range->contains(document.steps().stepOf(target.node));
  const ValueReport* value = document.value(GraphVersion::kPartitioned, target.value);
  if (!value) return false;
  const auto within = [&](int node) {
    return range->contains(document.steps().stepOf({GraphVersion::kPartitioned, target.value.graph, node}));
  };
  return within(value->producer) || std::any_of(value->consumers.begin(), value->consumers.end(), within);
}

void LinkedTable::applyConditions() {
  const auto& range = m_context.document->playhead().range();
  const bool ranged = m_followsRange && range;
  QStringList words;
  if (m_condition) words << m_conditionWords;
  if (ranged)
    words << (range->first == range->last ? tr("Step %1").arg(range->first)
                                          : tr("Steps %1\u2013%2").arg(range->first).arg(range->last));
  m_restriction->setVisible(m_condition || ranged);
  m_restrictionWords->setText(words.join(QStringLiteral(" \u00b7 ")));
  m_restrictionWords->setToolTip(m_restrictionWords->text());
  if (m_condition || ranged) {
    m_proxy.setCondition([this, ranged, condition = m_condition](int row) {
      return (!condition || condition(row)) && (!ranged || inRange(row));
    });
  } else {
    m_proxy.setCondition({});
  }
  showCount();
}

void LinkedTable::showMenu(const QPoint& position) {
  QMenu menu;
  const QModelIndex index = m_view->indexAt(position);
  if (m_rowMenu && index.isValid()) m_rowMenu(&menu, m_proxy.mapToSource(index).row());
  if (index.isValid()) {
    const auto target = index.data(kTargetRole).value<RowTarget>();
    if (!menu.isEmpty()) menu.addSeparator();
    target.value.valid() ? addValueEntries(&menu, m_context.document, target.value, m_context.actions)
                         : addNodeEntries(&menu, m_context.document, target.node, m_context.actions);
  }
  if (!menu.isEmpty()) menu.addSeparator();
  menu.addActions(m_view->actions());
  menu.exec(m_view->viewport()->mapToGlobal(position));
}

void LinkedTable::saveCsv() {
  if (m_model) saveRows(this, QStringLiteral("table.csv"), [this] { return m_model->toCsv(); }, m_context.actions);
}

// Marks the rows of the selection. Fifty thousand rows are gone through at once: neighbours become one range, and nodes
// are looked up in bit vectors.
void LinkedTable::showSelection() {
  if (m_choosing || !m_model || !isVisible()) return;  // hidden tables catch up when they are shown
  m_choosing = true;
  const Selection& selection = m_context.document->selection();
  std::array<std::map<int, std::vector<bool>>, kGraphVersionCount>
      wanted;  // per version and graph, made when a row asks
  const std::set<std::pair<int, QString>> values = selection.markedValues();
  const auto isSelected = [&](const RowTarget& target) {
    if (target.value.valid()) return values.contains({target.value.graph, target.value.name});
    if (!target.node.valid()) return false;
    const auto [entry, added] = wanted[static_cast<size_t>(target.node.version)].try_emplace(target.node.graph);
    std::vector<bool>& marked = entry->second;
    if (added)
      for (const int node : selection.nodesIn(target.node.version, target.node.graph)) {
        if (static_cast<size_t>(node) >= marked.size()) marked.resize(static_cast<size_t>(node) * 2 + 64);
        marked[static_cast<size_t>(node)] = true;
      }
    return static_cast<size_t>(target.node.node) < marked.size() && marked[static_cast<size_t>(target.node.node)];
  };
  std::vector<int> rows;
  if (!selection.empty())
    for (int row = 0; row < m_model->rowCount(); ++row) {
      if (!isSelected(m_model->target(row))) continue;
      const QModelIndex index = m_proxy.mapFromSource(m_model->index(row, 0));
      if (index.isValid()) rows.push_back(index.row());
    }
  std::sort(rows.begin(), rows.end());
  QItemSelection ranges;
  for (size_t from = 0; from < rows.size();) {
    size_t to = from + 1;
    while (to < rows.size() && rows[to] == rows[to - 1] + 1)
      ++to;
    ranges.append(
        QItemSelectionRange(m_proxy.index(rows[from], 0), m_proxy.index(rows[to - 1], m_proxy.columnCount() - 1)));
    from = to;
  }
  m_view->selectionModel()->select(ranges, QItemSelectionModel::ClearAndSelect);
  if (!rows.empty()) {
    const QModelIndex first = m_proxy.index(rows.front(), 0);
    m_view->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    m_view->scrollTo(first, QAbstractItemView::EnsureVisible);
  }
  m_choosing = false;
}

}  // namespace cutaway::ui

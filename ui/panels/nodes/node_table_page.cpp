// Filter line, grouping, table and the line of sums below it.
#include "ui/panels/nodes/node_table_page.h"

#include <algorithm>

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/nodes/node_columns.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/row_table.h"

namespace cutaway::ui {
namespace {

const QString kColumnsKey = QStringLiteral("nodes/columns");
const QString kGroupKey = QStringLiteral("nodes/group");

}  // namespace

NodeTablePage::NodeTablePage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_controller(&ReadingController::of(context.document)),
      m_filter(new QLineEdit),
      m_group(new QComboBox),
      m_problem(new QLabel),
      m_totals(new QLabel),
      m_view(new QTableView) {
  arrange();
  connect(m_controller, &ReadingController::prepared, this, &NodeTablePage::refresh);
  connect(&context.document->selection(), &Selection::changed, this, &NodeTablePage::showSelection);
  connect(m_filter, &QLineEdit::textChanged, this, &NodeTablePage::filter);
  connect(m_group, &QComboBox::activated, this, [this](int index) {
    m_context.viewState->put(kGroupKey, index);
    m_model.setGrouping(static_cast<NodesGrouping>(index));
    showColumns();
    showTotals();
    showSelection();
  });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &NodeTablePage::rowsChosen);
  connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
          [this](int column, Qt::SortOrder order) {
            m_model.sort(column, order);
            showSelection();
          });
  connect(m_view->horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &NodeTablePage::columnMenu);
  connect(m_view, &QTableView::customContextMenuRequested, this, &NodeTablePage::rowMenu);
  connect(m_view, &QTableView::activated, this, [this] { emit m_context.document->selection().revealRequested(); });
  const int grouping = std::clamp(context.viewState->get(kGroupKey, 0).toInt(), 0, m_group->count() - 1);
  m_group->setCurrentIndex(grouping);
  m_model.setGrouping(static_cast<NodesGrouping>(grouping));
  refresh();
}

NodeTablePage::~NodeTablePage() {
  m_cancel.cancel();
}

void NodeTablePage::arrange() {
  m_filter->setPlaceholderText(tr("Filter: op:Conv time>1ms params>1e6 \u2026"));
  m_filter->setAccessibleName(tr("Filter nodes"));
  m_filter->setClearButtonEnabled(true);
  m_group->addItems({tr("Every node"), tr("By operator"), tr("By provider"), tr("By name scope"), tr("By element type"),
                     tr("By pass"), tr("By compiled group"), tr("By graph")});
  m_group->setAccessibleName(tr("Group nodes"));
  m_problem->setWordWrap(true);
  m_problem->setContentsMargins(kSpace, 0, kSpace, kSpaceSmall);
  m_problem->hide();
  m_totals->setProperty("role", "secondary");
  m_totals->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  m_totals->setAccessibleName(tr("Sums of the rows shown"));
  m_totals->setToolTip(
      tr("Of all nodes an initializer counts once; of some of them it counts at each node that reads it"));
  m_view->setModel(&m_model);
  m_view->setAccessibleName(tr("Nodes"));
  dressRowTable(m_view);
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  QHeaderView* header = m_view->horizontalHeader();
  header->setSectionsClickable(true);
  header->setSortIndicatorShown(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  const QFontMetrics metrics(m_view->font());
  for (int column = 0; column < NodesModel::kColumnCount; ++column)
    m_view->setColumnWidth(column, std::max(m_view->horizontalHeader()->sectionSizeHint(column),
                                            metrics.averageCharWidth() * nodeColumn(column).widthCharacters));
  m_view->setItemDelegateForColumn(NodesModel::kTime, new BarCell(m_context.themes, m_view));
  auto* copy = new QAction(tr("Copy rows"), m_view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { copyRows(*m_view); });
  auto* save = new QAction(tr("Save table as CSV \u2026"), m_view);
  connect(save, &QAction::triggered, this, &NodeTablePage::saveCsv);
  m_view->addActions({copy, save});
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  top->setSpacing(kSpace);
  top->addWidget(m_filter, 1);
  top->addWidget(m_group);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_problem);
  column->addWidget(m_view, 1);
  column->addWidget(m_totals);
}

void NodeTablePage::showEvent(QShowEvent*) {
  if (m_stale) refresh();
  showSelection();
}

void NodeTablePage::refresh() {
  m_stale = !isVisible();
  if (m_stale) return;  // catches up when it is shown
  m_controller->prepare();
  m_model.present(m_controller->index(), m_controller->facts(), m_controller->version());
  showColumns();
  filter();
}

void NodeTablePage::filter() {
  m_cancel.cancel();
  m_cancel = CancelToken();
  const FindQuery query = FindQuery::parse(m_filter->text());
  const bool lacksIndex = !m_controller->index() && m_controller->error();
  showProblem(query.problem() ? query.problem()->text : lacksIndex ? told(*m_controller->error()) : QString());
  if (query.empty()) {
    m_model.setHits(std::nullopt);
    showTotals();
    return showSelection();
  }
  m_controller->find(query, m_cancel,
                     [this, alive = QPointer<NodeTablePage>(this)](const ReadingController::Hits& hits) {
                       if (!alive) return;
                       if (!hits) showProblem(told(hits.error()));
                       m_model.setHits(hits.value_or(std::vector<FindHit>()));
                       showTotals();
                       showSelection();
                     });
}

void NodeTablePage::showProblem(const QString& words) {
  m_problem->setVisible(!words.isEmpty());
  if (words.isEmpty()) return;
  m_problem->setText(words);
  m_problem->setStyleSheet(QStringLiteral("color: %1;").arg(m_context.themes->current().error.name()));
}

bool NodeTablePage::columnWanted(int column) const {
  const bool grouped = m_model.grouping() != NodesGrouping::kNone;
  if (column == NodesModel::kName) return true;
  if (column == NodesModel::kNodes) return grouped;
  if (grouped && !nodeColumn(column).sum) return false;
  const QStringList hidden = m_context.viewState
                                 ->get(kColumnsKey, QStringList{QStringLiteral("17"), QStringLiteral("18"),
                                                                QStringLiteral("13"), QStringLiteral("8")})
                                 .toStringList();
  return !hidden.contains(QString::number(column));
}

void NodeTablePage::showColumns() {
  for (int column = 0; column < NodesModel::kColumnCount; ++column)
    m_view->setColumnHidden(column, !columnWanted(column));
}

void NodeTablePage::columnMenu(const QPoint& position) {
  QMenu menu(this);
  QStringList hidden;
  for (int column = 0; column < NodesModel::kColumnCount; ++column) {
    if (m_view->isColumnHidden(column)) hidden << QString::number(column);
    if (column == NodesModel::kName || column == NodesModel::kNodes) continue;
    QAction* entry = menu.addAction(m_model.headerData(column, Qt::Horizontal).toString());
    entry->setCheckable(true);
    entry->setChecked(!m_view->isColumnHidden(column));
    entry->setData(column);
  }
  const QAction* chosen = menu.exec(m_view->horizontalHeader()->mapToGlobal(position));
  if (!chosen) return;
  const QString number = chosen->data().toString();
  chosen->isChecked() ? hidden.removeAll(number) : (hidden << number, 0);
  m_context.viewState->put(kColumnsKey, hidden);
  showColumns();
}

void NodeTablePage::rowMenu(const QPoint& position) {
  QMenu menu(this);
  const QModelIndex index = m_view->indexAt(position);
  if (index.isValid() && m_model.grouping() != NodesGrouping::kNone)
    menu.addAction(tr("Highlight on the graph"), this, [this, row = index.row()] {
      const std::vector<NodeTarget> targets = m_model.targets(row);
      Reach reach{m_controller->version(), targets.front().graph, {}, m_model.index(row, 0).data().toString()};
      for (const NodeTarget& target : targets)
        if (target.graph == reach.graph) reach.nodes.push_back(target.node);
      std::sort(reach.nodes.begin(), reach.nodes.end());
      m_controller->setReach(std::move(reach));
    });
  if (!menu.isEmpty()) menu.addSeparator();
  menu.addActions(m_view->actions());
  menu.exec(m_view->viewport()->mapToGlobal(position));
}

void NodeTablePage::rowsChosen() {
  if (m_choosing) return;
  std::vector<NodeTarget> targets;
  const QItemSelection chosen = m_view->selectionModel()->selection();
  if (chosen.isEmpty()) return;
  QModelIndex current = m_view->currentIndex();
  if (!current.isValid() || !chosen.contains(current)) current = chosen.first().topLeft();
  // The current row comes first: the inspector tells of it.
  targets = m_model.targets(current.row());
  for (const QItemSelectionRange& range : chosen)
    for (int row = range.top(); row <= range.bottom(); ++row)
      if (row != current.row())
        for (const NodeTarget& target : m_model.targets(row))
          targets.push_back(target);
  m_choosing = true;
  m_context.document->selection().selectTargets(targets);
  m_choosing = false;
}

void NodeTablePage::showSelection() {
  if (m_choosing || !isVisible() || !m_controller->index()) return;
  const Selection& selection = m_context.document->selection();
  std::vector<int> rows;
  if (!selection.empty()) {
    int first = 0;
    for (size_t g = 0; g < m_controller->graphs()->graphs.size(); ++g) {
      for (const int node : selection.nodesIn(m_controller->version(), static_cast<int>(g)))
        if (const int row = m_model.rowOf(first + node); row >= 0) rows.push_back(row);
      first += static_cast<int>(m_controller->graphs()->graphs[g].nodes.size());
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  QItemSelection ranges;
  for (size_t from = 0; from < rows.size();) {
    size_t to = from + 1;
    while (to < rows.size() && rows[to] == rows[to - 1] + 1)
      ++to;
    ranges.append(
        QItemSelectionRange(m_model.index(rows[from], 0), m_model.index(rows[to - 1], m_model.columnCount() - 1)));
    from = to;
  }
  m_choosing = true;
  m_view->selectionModel()->select(ranges, QItemSelectionModel::ClearAndSelect);
  if (!rows.empty()) {
    m_view->selectionModel()->setCurrentIndex(m_model.index(rows.front(), 0), QItemSelectionModel::NoUpdate);
    m_view->scrollTo(m_model.index(rows.front(), 0), QAbstractItemView::EnsureVisible);
  }
  m_choosing = false;
}

void NodeTablePage::showTotals() {
  NodesModel::Totals sums = m_model.totals();
  if (sums.nodes == m_model.placeCount())
    sums = weightsCountedOnce(sums, *m_context.document->walk(), m_controller->version());
  QStringList words;
  words << (sums.nodes == m_model.placeCount()
                ? tr("%1 nodes").arg(countText(sums.nodes))
                : tr("%1 of %2 nodes").arg(countText(sums.nodes), countText(m_model.placeCount())));
  if (sums.parameters > 0) words << tr("%1 parameters").arg(countText(sums.parameters));
  if (sums.flops > 0) words << sumText(nodeColumn(NodeColumns::kFlops), sums);
  if (sums.weights > 0) words << tr("%1 of weights").arg(sizeText(sums.weights));
  if (sums.moved > 0) words << tr("%1 moved").arg(sumText(nodeColumn(NodeColumns::kMoved), sums));
  if (sums.timed) words << timeText(sums.timeNs);
  m_totals->setText(words.join(QStringLiteral("  \u00b7  ")));
}

void NodeTablePage::saveCsv() {
  saveRows(this, QStringLiteral("nodes.csv"), [this] { return m_model.toCsv(); }, m_context.actions);
}

}  // namespace cutaway::ui

#include "ui/panels/linked_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <set>

#include "ui/base/table_model.h"
#include "ui/base/theme.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {
constexpr int kRowHeight = 26;
constexpr int kWidestColumn = 320;
constexpr int kRowsMeasured = 200;  // a column's width is taken from its first rows, so that 50,000 rows cost nothing
}  // namespace

LinkedTable::LinkedTable(const PanelContext& context, QString stateKey, QWidget* parent)
    : QWidget(parent), m_context(context), m_stateKey(std::move(stateKey)), m_filter(new QLineEdit), m_count(new QLabel), m_view(new QTableView) {
  m_filter->setPlaceholderText(tr("Filter: all words must match"));
  m_filter->setAccessibleName(tr("Filter rows"));
  m_filter->setClearButtonEnabled(true);
  m_count->setProperty("role", "faint");
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  top->setSpacing(kSpace);
  top->addWidget(m_filter, 1);
  top->addWidget(m_count);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_view, 1);

  m_view->setModel(&m_proxy);
  m_view->setSortingEnabled(true);
  m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setShowGrid(false);
  m_view->setAlternatingRowColors(true);
  m_view->setWordWrap(false);
  m_view->setTabKeyNavigation(false);
  m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_view->horizontalHeader()->setHighlightSections(false);
  m_view->horizontalHeader()->setStretchLastSection(true);
  m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // the model's own order until a header is clicked

  auto* copy = new QAction(tr("Copy rows"), m_view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  m_view->addAction(copy);
  m_view->setContextMenuPolicy(Qt::ActionsContextMenu);

  connect(copy, &QAction::triggered, this, &LinkedTable::copyRows);
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
  if (m_model) m_context.viewState->put(m_stateKey, m_view->horizontalHeader()->saveState());
}

void LinkedTable::setModel(TableModel* model) {
  m_model = model;
  m_proxy.setSourceModel(model);
  sizeColumns();
  m_view->horizontalHeader()->restoreState(m_context.viewState->get(m_stateKey).toByteArray());
  m_view->horizontalHeader()->setSortIndicatorShown(true);
  showCount();
}

void LinkedTable::showEvent(QShowEvent*) { showSelection(); }

void LinkedTable::setFilterText(const QString& text) { m_filter->setText(text); }

void LinkedTable::sizeColumns() {
  if (!m_model || m_context.viewState->get(m_stateKey).isValid()) return;
  const QFontMetrics metrics(m_view->font());
  const int rows = std::min(m_proxy.rowCount(), kRowsMeasured);
  for (int column = 0; column < m_proxy.columnCount(); ++column) {
    int width = metrics.horizontalAdvance(m_proxy.headerData(column, Qt::Horizontal).toString()) + 28;
    for (int row = 0; row < rows; ++row) {
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
  m_context.document->selection().select(current.data(kTargetRole).value<RowTarget>());
  m_choosing = false;
}

void LinkedTable::showSelection() {
  if (m_choosing || !m_model || !isVisible()) return;  // hidden tables catch up when they are shown
  m_choosing = true;
  const Selection& selection = m_context.document->selection();
  std::array<std::map<int, std::set<int>>, kGraphVersionCount> wanted;  // per version and graph, made when a row asks
  const auto isSelected = [&](const RowTarget& target) {
    if (target.value.valid()) return selection.marks(target.value);
    if (!target.node.valid()) return false;
    auto& graphs = wanted[static_cast<size_t>(target.node.version)];
    const auto [entry, added] = graphs.try_emplace(target.node.graph);
    if (added) {
      const std::vector<int> nodes = selection.nodesIn(target.node.version, target.node.graph);
      entry->second = {nodes.begin(), nodes.end()};
    }
    return entry->second.count(target.node.node) > 0;
  };
  QItemSelection rows;
  QModelIndex first;
  if (!selection.empty())
    for (int row = 0; row < m_model->rowCount(); ++row) {
      if (!isSelected(m_model->target(row))) continue;
      const QModelIndex index = m_proxy.mapFromSource(m_model->index(row, 0));
      if (!index.isValid()) continue;
      rows.select(index, index.siblingAtColumn(m_proxy.columnCount() - 1));
      if (!first.isValid() || index.row() < first.row()) first = index;
    }
  m_view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) {
    m_view->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    m_view->scrollTo(first, QAbstractItemView::EnsureVisible);
  }
  m_choosing = false;
}

void LinkedTable::copyRows() {
  QString lines;
  QModelIndexList rows = m_view->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows) {
    QStringList cells;
    for (int column = 0; column < m_proxy.columnCount(); ++column) cells << row.siblingAtColumn(column).data().toString();
    lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  QGuiApplication::clipboard()->setText(lines);
}

}  // namespace cutaway::ui

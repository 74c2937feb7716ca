#include "ui/panels/run/node_times.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/base/file_writing.h"
#include "ui/base/format.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/run/share_cell.h"

namespace cutaway::ui {
namespace {

constexpr int kRowsMeasured = 120;
constexpr int kWidestColumn = 260;
constexpr int kNameWidth = 210;
const QString kHeaderKey = QStringLiteral("run/nodes/header");
const QString kRollUpKey = QStringLiteral("run/nodes/rollUp");

}  // namespace

NodeTimesFilter::NodeTimesFilter(const NodeTimesModel* model, QObject* parent) : FilterProxy(parent), m_model(model) {
  setAutoAcceptChildRows(true);
}

void NodeTimesFilter::setTimings(std::vector<bool> timings, bool active) {
  m_timings = std::move(timings);
  m_active = active;
  invalidateFilter();
}

bool NodeTimesFilter::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
  if (m_active) {
    const int timing = m_model->timingOf(m_model->itemAt(m_model->index(sourceRow, 0, sourceParent)));
    if (timing < 0 || static_cast<size_t>(timing) >= m_timings.size() || !m_timings[static_cast<size_t>(timing)])
      return false;
  }
  return FilterProxy::filterAcceptsRow(sourceRow, sourceParent);
}

NodeTimes::NodeTimes(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_model(new NodeTimesModel(context.themes, this)),
      m_proxy(new NodeTimesFilter(m_model, this)),
      m_rollUp(new QComboBox),
      m_filter(new QLineEdit),
      m_count(new QLabel),
      m_restriction(new QWidget),
      m_restrictionWords(new QLabel),
      m_tree(new QTreeView) {
  setObjectName(QStringLiteral("run/nodes"));
  m_filter->setPlaceholderText(tr("Filter: all words must match"));
  m_filter->setAccessibleName(tr("Filter rows"));
  m_filter->setClearButtonEnabled(true);
  m_count->setProperty("role", "faint");
  m_rollUp->addItems({tr("Nodes"), tr("By operator"), tr("By provider"), tr("By name scope")});
  m_rollUp->setAccessibleName(tr("Roll up"));
  m_rollUp->setCurrentIndex(std::clamp(context.viewState->get(kRollUpKey, 0).toInt(), 0, 3));
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  top->setSpacing(kSpace);
  top->addWidget(m_rollUp);
  top->addWidget(m_filter, 1);
  top->addWidget(m_count);
  auto* release = new QPushButton(tr("Show all"));
  m_restrictionWords->setProperty("role", "secondary");
  m_restrictionWords->setMinimumWidth(20);
  auto* row = new QHBoxLayout(m_restriction);
  row->setContentsMargins(kSpace, 0, kSpace, kSpaceSmall);
  row->addWidget(m_restrictionWords, 1);
  row->addWidget(release);
  m_restriction->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_restriction);
  column->addWidget(m_tree, 1);
  m_proxy->setSourceModel(m_model);
  makeTree();
  connect(release, &QPushButton::clicked, this, [this] {
    this->release();
    emit released();
  });
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& line) {
    m_proxy->setQuery(FindQuery::parse(line));
    if (!line.isEmpty() && m_proxy->rowCount() < 200) m_tree->expandAll();
    showCount();
  });
  connect(m_rollUp, &QComboBox::currentIndexChanged, this,
          [this](int index) { setRollUp(static_cast<RollUp>(index)); });
  connect(&context.document->selection(), &Selection::changed, this, &NodeTimes::showSelection);
  connect(context.themes, &ThemeStore::changed, m_tree->viewport(), qOverload<>(&QWidget::update));
}

NodeTimes::~NodeTimes() {
  m_context.viewState->put(kHeaderKey, m_tree->header()->saveState());
}

void NodeTimes::makeTree() {
  m_tree->setModel(m_proxy);
  m_tree->setItemDelegateForColumn(NodeTimesModel::kShare, new ShareCell(m_context.themes, m_tree));
  m_tree->setUniformRowHeights(true);
  m_tree->setSortingEnabled(true);
  m_tree->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tree->setAlternatingRowColors(true);
  m_tree->setAccessibleName(tr("Times per node"));
  m_tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_tree->header()->setSortIndicator(-1, Qt::AscendingOrder);
  m_tree->header()->setHighlightSections(false);
  m_tree->header()->setContextMenuPolicy(Qt::CustomContextMenu);
  m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
  auto* copy = new QAction(tr("Copy rows"), m_tree);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  m_tree->addAction(copy);
  auto* save = new QAction(tr("Save table as CSV \u2026"), m_tree);
  m_tree->addAction(save);
  connect(copy, &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(textOfRows(QLatin1Char('\t'), true)); });
  connect(save, &QAction::triggered, this, [this] {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save table"), QStringLiteral("node-times.csv"),
                                                      tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    const Result<void> written = writeFileSafely(path, textOfRows(QLatin1Char(','), false).toUtf8());
    emit m_context.actions->message(
        written ? tr("Saved %1").arg(path)
                : tr("Cannot write %1: %2").arg(path, QString::fromStdString(written.error().message)));
  });
  connect(m_tree, &QTreeView::customContextMenuRequested, this, &NodeTimes::showMenu);
  connect(m_tree->header(), &QHeaderView::customContextMenuRequested, this, &NodeTimes::chooseColumns);
  connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &NodeTimes::rowChosen);
}

void NodeTimes::present(std::shared_ptr<const RunView> view) {
  m_view = std::move(view);
  m_proxy->setTimings({}, false);
  m_restriction->hide();
  setRollUp(static_cast<RollUp>(m_rollUp->currentIndex()));
  sizeColumns();
}

void NodeTimes::setRollUp(RollUp rollUp) {
  if (m_rollUp->currentIndex() != static_cast<int>(rollUp)) return m_rollUp->setCurrentIndex(static_cast<int>(rollUp));
  m_context.viewState->put(kRollUpKey, static_cast<int>(rollUp));
  m_choosing = true;
  m_model->present(m_view, rollUp);
  m_choosing = false;
  bool parts = rollUp != RollUp::kNone;
  if (m_view)
    parts = parts || std::any_of(m_view->run->nodes.begin(), m_view->run->nodes.end(),
                                 [](const NodeTiming& timing) { return !timing.subSteps.empty(); });
  m_tree->setRootIsDecorated(parts);
  if (rollUp == RollUp::kScope && m_proxy->rowCount() <= 3) m_tree->expandToDepth(0);
  showCount();
  showSelection();
}

void NodeTimes::restrict(const QString& words, std::vector<bool> timings) {
  m_restrictionWords->setText(words);
  m_restriction->show();
  m_proxy->setTimings(std::move(timings), true);
  showCount();
}

void NodeTimes::release() {
  m_restriction->hide();
  m_proxy->setTimings({}, false);
  showCount();
}

void NodeTimes::showCount() {
  const int all = m_model->rowCount(), shown = m_proxy->rowCount();
  m_count->setText(shown == all ? all == 1 ? tr("1 row") : tr("%1 rows").arg(all) : tr("%1 of %2").arg(shown).arg(all));
}

void NodeTimes::sizeColumns() {
  const QByteArray state = m_context.viewState->get(kHeaderKey).toByteArray();
  if (!state.isEmpty() && m_tree->header()->restoreState(state)) return;
  const QFontMetrics metrics(m_tree->font());
  const int rows = std::min(m_proxy->rowCount(), kRowsMeasured);
  for (int column = 0; column < m_proxy->columnCount(); ++column) {
    int width = std::max(72, metrics.horizontalAdvance(m_proxy->headerData(column, Qt::Horizontal).toString()) + 28);
    for (int row = 0; row < rows; ++row) {
      const QModelIndex index = m_proxy->index(row, column);
      width = std::max(width, metrics.horizontalAdvance(index.data().toString()) +
                                  (index.data(Qt::DecorationRole).isValid() ? 22 : 0) + 20);
    }
    m_tree->setColumnWidth(column, column == NodeTimesModel::kShare  ? 96
                                   : column == NodeTimesModel::kName ? std::clamp(width + 24, 120, kNameWidth)
                                                                     : std::min(width, kWidestColumn));
  }
}

void NodeTimes::chooseColumns(const QPoint& position) {
  QMenu menu;
  for (int column = 1; column < m_model->columnCount(); ++column) {
    QAction* action = menu.addAction(m_model->headerData(column, Qt::Horizontal).toString());
    action->setCheckable(true);
    action->setChecked(!m_tree->isColumnHidden(column));
    connect(action, &QAction::toggled, m_tree, [this, column](bool shown) { m_tree->setColumnHidden(column, !shown); });
  }
  menu.exec(m_tree->header()->mapToGlobal(position));
}

void NodeTimes::showMenu(const QPoint& position) {
  QMenu menu;
  menu.addActions(m_tree->actions());
  if (m_model->rollUp() != RollUp::kNone) {
    menu.addSeparator();
    connect(menu.addAction(tr("Unfold all")), &QAction::triggered, m_tree, &QTreeView::expandAll);
    connect(menu.addAction(tr("Fold all")), &QAction::triggered, m_tree, &QTreeView::collapseAll);
  }
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

QString NodeTimes::textOfRows(QChar separator, bool selectedOnly) const {
  QString lines;
  const auto quoted = [separator](QString cell) {
    if (separator != QLatin1Char(',') ||
        !(cell.contains(separator) || cell.contains(QLatin1Char('"')) || cell.contains(QLatin1Char('\n'))))
      return cell;
    return QStringLiteral("\"") + cell.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
  };
  const auto addRow = [&](const QModelIndex& row) {
    QStringList cells;
    for (int column = 0; column < m_proxy->columnCount(); ++column)
      cells << quoted(row.siblingAtColumn(column).data().toString());
    lines += cells.join(separator) + QLatin1Char('\n');
  };
  if (selectedOnly) {
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
      addRow(row);
    return lines;
  }
  QStringList titles;
  for (int column = 0; column < m_proxy->columnCount(); ++column)
    titles << quoted(m_proxy->headerData(column, Qt::Horizontal).toString());
  lines = titles.join(separator) + QLatin1Char('\n');
  std::vector<QModelIndex> waiting;
  const auto push = [&](const QModelIndex& parent) {
    for (int row = m_proxy->rowCount(parent) - 1; row >= 0; --row)
      waiting.push_back(m_proxy->index(row, 0, parent));
  };
  push({});
  while (!waiting.empty()) {
    const QModelIndex row = waiting.back();
    waiting.pop_back();
    addRow(row);
    push(row);
  }
  return lines;
}

void NodeTimes::rowChosen() {
  const QModelIndex current = m_tree->currentIndex();
  if (m_choosing || !current.isValid() || !m_tree->selectionModel()->isSelected(current)) return;
  m_choosing = true;
  const int item = m_model->itemAt(m_proxy->mapToSource(current));
  if (m_model->timingOf(item) >= 0) {
    m_context.document->selection().select(current.data(kTargetRole).value<RowTarget>());
  } else {
    m_context.document->selection().selectTargets(m_model->targets(item));
  }
  m_choosing = false;
}

void NodeTimes::showEvent(QShowEvent*) {
  showSelection();
}

void NodeTimes::showSelection() {
  if (m_choosing || !m_view || !isVisible()) return;  // a hidden table catches up when it is shown
  m_choosing = true;
  const Selection& selection = m_context.document->selection();
  QItemSelection rows;
  QModelIndex first;
  if (!selection.empty())
    for (size_t graph = 0; graph < m_view->timingOf.size(); ++graph)
      for (const int node : selection.nodesIn(GraphVersion::kPartitioned, static_cast<int>(graph))) {
        const QModelIndex index = m_proxy->mapFromSource(
            m_model->indexOf(m_model->itemOfTiming(m_view->timingIndex(static_cast<int>(graph), node))));
        if (!index.isValid()) continue;
        rows.append(QItemSelectionRange(index, index.siblingAtColumn(m_proxy->columnCount() - 1)));
        if (!first.isValid()) first = index;
      }
  m_tree->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) {
    m_tree->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    m_tree->scrollTo(first, QAbstractItemView::EnsureVisible);
  }
  m_choosing = false;
}

}  // namespace cutaway::ui

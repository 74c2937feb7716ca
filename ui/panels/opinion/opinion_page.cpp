#include "ui/panels/opinion/opinion_page.h"

#include <algorithm>

#include <QHeaderView>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/document/document.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/opinion/mark_cell.h"
#include "ui/panels/row_table.h"

namespace cutaway::ui {
namespace {

// In document mode Qt draws a base line behind the corner widget, at another height than the tabs have theirs.
class TabsWithoutBase : public QTabWidget {
 protected:
  void paintEvent(QPaintEvent*) override {}
};

}  // namespace

OpinionPage::OpinionPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_tabs(new TabsWithoutBase),
      m_bars(new QStackedWidget),
      m_stages(new QTableView) {
  m_tabs->setDocumentMode(true);
  m_tabs->tabBar()->setExpanding(false);
  for (ReportModel*& model : m_models)
    model = new ReportModel(this);
  makeStages();
  makeTables();
  m_tabs->setCornerWidget(m_bars);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_tabs);
  connect(m_tabs, &QTabWidget::currentChanged, m_bars, &QStackedWidget::setCurrentIndex);
  connect(context.document, &Document::stageChanged, this, &OpinionPage::followStage);
}

void OpinionPage::makeStages() {
  m_stages->setModel(m_models[kStages]);
  dressRowTable(m_stages);
  m_stages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_stages->setSelectionMode(QAbstractItemView::SingleSelection);
  m_stages->setAccessibleName(tr("Stages"));
  m_stages->setItemDelegateForColumn(kStageMarkColumn, new MarkCell(m_context.themes, m_stages));
  m_tabs->addTab(m_stages, tr("Stages"));
  m_tabs->setTabToolTip(kStages, tr("Both engines, stage by stage. A click shows what differs in a stage."));
  m_bars->addWidget(new QWidget);
  // Arrow keys only move; a click or Enter goes to what differs.
  connect(m_stages, &QTableView::clicked, this, [this](const QModelIndex& index) { enterStage(index.row()); });
  connect(m_stages, &QTableView::activated, this, [this](const QModelIndex& index) { enterStage(index.row()); });
}

void OpinionPage::makeTables() {
  const std::array<const char*, kTabCount> keys = {"", "differences", "figures", "sameGraph"};
  const std::array<QString, kTabCount> names = {QString(), tr("Differences"), tr("Figures"), tr("Nodes")};
  for (const Tab tab : {kDifferences, kFigures, kNodes}) {
    const auto at = static_cast<size_t>(tab);
    m_tables[at] = new LinkedTable(m_context, QStringLiteral("opinion/") + QLatin1String(keys[at]));
    m_tables[at]->setModel(m_models[at]);
    m_tables[at]->view()->setAccessibleName(names[at]);
    m_tabs->addTab(m_tables[at], names[at]);
    m_bars->addWidget(m_tables[at]->takeBar());
    connect(m_tables[at], &LinkedTable::released, this, [this] { restrict(std::nullopt); });
  }
  m_tabs->setTabToolTip(kNodes, tr("The graph that both run as it is: ONNX Runtime's optimised model. A row selects "
                                   "the node that makes the same output here."));
  const auto dress = [this](Tab tab, int column, QStyledItemDelegate* cell) {
    table(tab)->view()->setItemDelegateForColumn(column, cell);
  };
  dress(kDifferences, kDifferenceRuleColumn, new MarkCell(m_context.themes, this));
  dress(kNodes, kNodeMarkColumn, new MarkCell(m_context.themes, this));
  dress(kNodes, kNodeOursColumn, new BarCell(m_context.themes, this, 0));
  dress(kNodes, kNodeTheirsColumn, new BarCell(m_context.themes, this, 1));
  table(kDifferences)->setRowNodes([this](int row) { return nodesOf(*m_differences[static_cast<size_t>(row)]); });
}

void OpinionPage::present(const OpinionPointer& opinion) {
  m_opinion = opinion;
  if (!opinion) {
    for (ReportModel* model : m_models)
      model->present({});
    return;
  }
  m_differences = stageDifferences(*opinion);
  m_figures = stageFigures(*opinion);
  const TargetOf target = [this](const std::string& value) { return targetOf(value); };
  m_models[kStages]->present(opinionStageRows(opinion));
  m_models[kDifferences]->present(opinionDifferenceRows(opinion, target));
  m_models[kFigures]->present(opinionFigureRows(opinion));
  m_models[kNodes]->present(opinionNodeRows(opinion, target));
  // All of it is in sight, marks too: what is too long is cut, and no row is given to a scroll bar.
  m_stages->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_stages->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  restrict(std::nullopt);
  m_tabs->setCurrentIndex(kStages);
}

void OpinionPage::restrict(std::optional<OpinionStage> stage) {
  m_stage = stage;
  for (const Tab tab : {kDifferences, kFigures}) {
    table(tab)->view()->setColumnHidden(0, stage.has_value());
    if (!stage) {
      table(tab)->restrict({}, {});
      continue;
    }
    table(tab)->restrict(opinionStageWords(*stage), [this, tab, stage = *stage](int row) {
      const auto at = static_cast<size_t>(row);
      return (tab == kDifferences ? m_differences[at].stage : m_figures[at].stage) == stage;
    });
  }
  showTitles();
}

// What differs in the stage, in the table and in the graph; where nothing does, its figures.
void OpinionPage::enterStage(int row) {
  const StageOpinion& stage = m_opinion->stages[static_cast<size_t>(row)];
  if (const std::optional<Stage> shown = windowStageOf(stage.stage)) m_context.document->setStage(*shown);
  restrict(stage.stage);
  m_tabs->setCurrentIndex(!stage.differences.empty() ? kDifferences : !stage.rows.empty() ? kFigures : kStages);
  std::vector<NodeTarget> nodes;
  for (const OpinionDifference& one : stage.differences)
    std::ranges::copy(nodesOf(one), std::back_inserter(nodes));
  if (!nodes.empty()) m_context.document->selection().selectTargets(nodes);
}

// The stage that is chosen in the ribbon is the one whose differences are listed, unless the listed one belongs to it.
void OpinionPage::followStage() {
  if (!m_opinion) return;
  const Stage shown = m_context.document->stage();
  const auto found = std::ranges::find(m_opinion->stages, std::optional(shown),
                                       [](const StageOpinion& stage) { return windowStageOf(stage.stage); });
  if (found == m_opinion->stages.end() || (m_stage && windowStageOf(*m_stage) == shown)) return;
  m_stages->selectRow(static_cast<int>(found - m_opinion->stages.begin()));
  restrict(found->stage);
}

void OpinionPage::showTitles() {
  const auto titled = [this](Tab tab, const QString& title, qsizetype all, qsizetype shown) {
    const QString count = shown == all ? QString::number(all) : tr("%1 of %2").arg(shown).arg(all);
    m_tabs->setTabText(tab, QStringLiteral("%1 (%2)").arg(title, count));
  };
  const auto inStage = [this](const auto& rows) {
    return m_stage ? std::ranges::count(rows, *m_stage, [](const auto& row) { return row.stage; }) : std::ssize(rows);
  };
  titled(kDifferences, tr("Differences"), std::ssize(m_differences), inStage(m_differences));
  titled(kFigures, tr("Figures"), std::ssize(m_figures), inStage(m_figures));
  const auto nodes = std::ssize(m_opinion->nodes);
  titled(kNodes, tr("Nodes"), nodes, nodes);
}

// The node that makes a value of this name, in the earliest graph that has it; an input of the model is itself.
RowTarget OpinionPage::targetOf(const std::string& value) const {
  if (value.empty()) return {};
  RowTarget target;
  for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
    const GraphIndex* index = m_context.document->index(version);
    const int at = index ? index->valueIndex(0, value) : kNone;
    if (at == kNone) continue;
    const int32_t producer = index->graphs().graphs.front().values[static_cast<size_t>(at)].producer;
    if (producer >= 0) return {{version, 0, producer}, {}};
    if (!target.value.valid()) target.value = {0, text(value)};
  }
  return target;
}

std::vector<NodeTarget> OpinionPage::nodesOf(const OpinionDifference& difference) const {
  std::vector<NodeTarget> nodes;
  for (const std::string& value : difference.values)
    if (const RowTarget found = targetOf(value); found.node.valid()) nodes.push_back(found.node);
  return nodes;
}

}  // namespace cutaway::ui

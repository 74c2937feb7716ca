// Dimension and sizes above, curves and table below.
#include "ui/panels/plans/sweep_page.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/study/shapes/size_list.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/curve_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plans/plan_figures.h"
#include "ui/panels/plans/plan_tables.h"

namespace cutaway::ui {

std::vector<int64_t> sizesOf(const QString& line) {
  return study::readSizes(line.toStdString()).value_or(std::vector<int64_t>());
}

SweepPage::SweepPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_dimension(new QComboBox),
      m_sizes(new QLineEdit(QStringLiteral("1, 2, 4, 8, 16, 32"))),
      m_plan(new QPushButton),
      m_error(new QLabel),
      m_chart(new CurveChart(context.themes)),
      m_table(new LinkedTable(context, QStringLiteral("plans/sweep"), this)),
      m_model(new ReportModel(this)) {
  setObjectName(QStringLiteral("plans/sweep"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceSmall);
  row->setSpacing(kSpace);
  m_dimension->setAccessibleName(tr("Dimension"));
  m_dimension->setMinimumContentsLength(10);
  m_dimension->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_sizes->setAccessibleName(tr("Sizes, separated by commas"));
  m_sizes->setToolTip(tr("Sizes, separated by commas; at most %1").arg(kMostSweepSizes));
  m_plan->setMinimumWidth(84);
  row->addWidget(m_dimension, 1);
  row->addWidget(m_sizes, 2);
  row->addWidget(m_plan);
  column->addLayout(row);
  m_error->setProperty("role", "error");
  m_error->setWordWrap(true);
  m_error->setTextFormat(Qt::PlainText);
  m_error->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpaceSmall);
  column->addWidget(m_error);
  auto* split = new QSplitter(Qt::Vertical);
  m_chart->setAccessibleName(tr("Peak over sizes"));
  m_table->setModel(m_model);
  m_table->view()->setItemDelegateForColumn(1, new BarCell(context.themes, m_table, 0));
  split->addWidget(m_chart);
  split->addWidget(m_table);
  split->setChildrenCollapsible(false);
  split->setSizes({230, 170});
  column->addWidget(split, 1);
  connect(m_plan, &QPushButton::clicked, this, [this] {
    PlanStudies& studies = m_context.document->studies();
    if (studies.running(PlanStudies::kSweep)) return m_context.document->service().cancel();
    studies.sweep(m_dimension->currentData().toString(), sizesOf(m_sizes->text()));
  });
  connect(m_sizes, &QLineEdit::returnPressed, m_plan, &QPushButton::click);
  connect(m_sizes, &QLineEdit::textChanged, this, &SweepPage::refresh);
  connect(&context.document->studies(), &PlanStudies::changed, this, &SweepPage::refresh);
  context.document->onWalkChange(WalkPart::kResolve | WalkPart::kOptimize | WalkPart::kStates, this,
                                 &SweepPage::refresh);
  connect(&context.document->service(), &EngineService::activityChanged, this, &SweepPage::refresh);
  refresh();
}

void SweepPage::presentDimensions() {
  const auto resolve = m_context.document->walk()->resolve;
  QStringList names;
  if (resolve)
    for (const std::string& name : resolve->openSymbols)
      names << text(name);
  QStringList shown;
  for (int i = 0; i < m_dimension->count(); ++i)
    shown << m_dimension->itemData(i).toString();
  if (names == shown) return;
  const QSignalBlocker quiet(m_dimension);
  m_dimension->clear();
  for (const QString& name : names)
    m_dimension->addItem(shortened(name, 28), name);
}

void SweepPage::refresh() {
  presentDimensions();
  const Document& document = *m_context.document;
  const PlanStudies& studies = document.studies();
  const bool running = studies.running(PlanStudies::kSweep), open = m_dimension->count() > 0,
             sizes = !sizesOf(m_sizes->text()).empty();
  m_dimension->setEnabled(open);
  m_sizes->setEnabled(open);
  m_plan->setText(running ? tr("Cancel") : tr("Plan sizes"));
  m_plan->setEnabled(running || (open && sizes && studies.can(PlanStudies::kSweep) && !document.service().busy()));
  QString problem;
  if (open && !sizes)
    problem = tr("Sizes are whole numbers from 1 on, separated by commas, at most %1 of them.").arg(kMostSweepSizes);
  if (studies.error(PlanStudies::kSweep)) problem = told(*studies.error(PlanStudies::kSweep));
  m_error->setText(problem);
  m_error->setVisible(!problem.isEmpty());
  const auto table = studies.table(PlanStudies::kSweep);
  if (table && table.get() == m_shown) return;
  m_shown = table.get();
  CurveChartData data;
  if (table) data = sweepCurves(*table);
  data.empty = running ? tr("Planning \u2026")
               : open  ? tr("How does memory grow? Plans the model for every size of a dimension, without running it.")
                       : tr("The model has no open dimension. Open it without binding one to sweep over its sizes.");
  m_chart->present(std::move(data));
  m_model->present(table ? sweepRows(table) : ReportRows{});
  m_table->setVisible(table != nullptr);
}

}  // namespace cutaway::ui

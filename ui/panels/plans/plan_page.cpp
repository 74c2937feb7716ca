// Pages of the plan's what-if, the buttons above and what they led to below.
#include "ui/panels/plans/plan_page.h"

#include <QButtonGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/comparison_controls.h"
#include "ui/panels/curve_chart.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/plans/plan_draft_editor.h"
#include "ui/panels/plans/plan_figures.h"
#include "ui/panels/plans/plan_tables.h"
#include "ui/panels/plans/sweep_page.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

PlanPage::PlanPage(const PanelContext& context, const QString& id, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_editor(new PlanDraftEditor(context)),
      m_figures(new FiguresView(context.themes, id + QStringLiteral("/planFigures"))),
      m_curves(new CurveChart(context.themes)),
      m_values(new LinkedTable(context, QStringLiteral("plans/values"), this)),
      m_valueModel(new ReportModel(this)),
      m_sweep(new SweepPage(context)),
      m_choice(new QButtonGroup(this)),
      m_pages(new QStackedWidget),
      m_controls(new ComparisonControls(
          context.document, {.ready = [this] { return isReady(); }, .sentence = [this] { return resultSentence(); }})) {
  setObjectName(id + QStringLiteral("/whatIf"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  column->addWidget(m_pages, 1);
  column->addWidget(m_controls);
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_editor);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_editor->setProperty("role", "surface");
  m_editor->setAttribute(Qt::WA_StyledBackground);
  m_curves->setAccessibleName(tr("Live bytes of both plans"));
  m_values->setModel(m_valueModel);
  for (QWidget* page : std::initializer_list<QWidget*>{scroll, m_figures, m_curves, m_values, m_sweep})
    m_pages->addWidget(page);
  connect(m_choice, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);
  connect(m_pages, &QStackedWidget::currentChanged, this, [this](int page) { m_controls->setVisible(page != kSweep); });
  connect(m_controls, &ComparisonControls::refreshed, this, &PlanPage::refresh);
  m_controls->refresh();
}

QWidget* makePlanWhatIf(const PanelContext& context, const QString& id, QWidget* parent) {
  return new PlanPage(context, id, parent);
}

QWidget* PlanPage::makeTop() {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
  row->setSpacing(kSpaceTiny);
  const QString titles[] = {tr("Change"), tr("Figures"), tr("Memory"), tr("Values"), tr("Sizes")};
  for (int page = 0; page < kPageCount; ++page) {
    auto* button = new QToolButton;
    button->setText(titles[page]);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_choice->addButton(button, page);
    row->addWidget(button);
  }
  m_choice->button(kChange)->setChecked(true);
  row->addStretch(1);
  row->addWidget(m_controls->compareButton());
  return box;
}

QPushButton* PlanPage::compareButton() {
  return m_controls->compareButton();
}
QPushButton* PlanPage::applyButton() {
  return m_controls->applyButton();
}

void PlanPage::showPage(Page page) {
  m_choice->button(page)->setChecked(true);
  m_pages->setCurrentIndex(page);
}

bool PlanPage::isReady() const {
  const WalkReport& walk = *m_context.document->walk();
  return walk.partition && walk.pattern && walk.optimizedGraphs;
}

QString PlanPage::resultSentence() const {
  const auto result = m_context.document->whatIf();
  return result && result->plans ? planSentence(*result->plans) : QString();
}

void PlanPage::refresh() {
  const auto result = m_context.document->whatIf();
  if (result == m_shown && m_figures->model()->columnCount() > 0) return;
  m_shown = result;
  presentResult();
}

void PlanPage::presentResult() {
  const auto plans = m_shown ? m_shown->plans : nullptr;
  m_figures->present(plans ? planFigureRows(*plans) : std::vector<FigureRow>());
  CurveChartData curves;
  if (plans) curves = liveCurves(*plans);
  m_curves->present(std::move(curves));
  m_valueModel->present(plans ? differenceRows(plans) : ReportRows{});
  for (const Page page : {kFigures, kMemory, kValues})
    m_choice->button(page)->setEnabled(plans != nullptr);
  m_choice->button(kValues)->setText(
      plans ? tr("Values (%1)").arg(countText(static_cast<int64_t>(plans->values.size()))) : tr("Values"));
  const int page = m_pages->currentIndex();
  if (plans && page == kChange) showPage(kFigures);
  if (!plans && page != kSweep) showPage(kChange);
}

}  // namespace cutaway::ui

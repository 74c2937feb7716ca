// Pages of the plan's what-if, the buttons above and what they led to below.
#include "ui/panels/plans/plan_page.h"

#include <QButtonGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/plans/curve_chart.h"
#include "ui/panels/plans/plan_draft_editor.h"
#include "ui/panels/plans/plan_figures.h"
#include "ui/panels/plans/plan_tables.h"
#include "ui/panels/plans/sweep_page.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {

QLabel* words(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setMinimumWidth(40);
  return label;
}

}  // namespace

PlanPage::PlanPage(const PanelContext& context, const QString& id, QWidget* parent)
    : QWidget(parent), m_context(context), m_editor(new PlanDraftEditor(context)), m_figures(new FiguresView(context.themes, id + QStringLiteral("/planFigures"))), m_curves(new CurveChart(context.themes)),
      m_values(new LinkedTable(context, QStringLiteral("plans/values"), this)), m_valueModel(new ReportModel(this)), m_sweep(new SweepPage(context)), m_choice(new QButtonGroup(this)), m_pages(new QStackedWidget),
      m_summary(words("secondary")), m_error(words("error")), m_progress(new QProgressBar), m_compare(new QPushButton), m_apply(new QPushButton(tr("Apply"))), m_revert(new QPushButton(tr("Reset"))) {
  setObjectName(id + QStringLiteral("/whatIf"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  column->addWidget(m_pages, 1);
  column->addWidget(makeBottom());
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_editor);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_editor->setProperty("role", "surface");
  m_editor->setAttribute(Qt::WA_StyledBackground);
  m_curves->setAccessibleName(tr("Live bytes of both plans"));
  m_values->setModel(m_valueModel);
  for (QWidget* page : std::initializer_list<QWidget*>{scroll, m_figures, m_curves, m_values, m_sweep}) m_pages->addWidget(page);
  connect(m_choice, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);
  connect(m_pages, &QStackedWidget::currentChanged, this, [this](int page) { m_bottom->setVisible(page != kSweep); });
  Document* document = context.document;
  connect(m_compare, &QPushButton::clicked, this, [document] { document->comparing() ? document->service().cancel() : document->compare(); });
  connect(m_apply, &QPushButton::clicked, document, &Document::applyDraft);
  connect(m_revert, &QPushButton::clicked, this, [document] {
    document->draft().revert();
    document->dropComparison();
  });
  connect(document, &Document::whatIfChanged, this, &PlanPage::refresh);
  connect(document, &Document::walkChanged, this, &PlanPage::refresh);
  connect(&document->draft(), &WhatIfDraft::changed, this, &PlanPage::refresh);
  connect(&document->service(), &EngineService::activityChanged, this, &PlanPage::refresh);
  refresh();
}

QWidget* makePlanWhatIf(const PanelContext& context, const QString& id) { return new PlanPage(context, id); }

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
  m_compare->setProperty("primary", true);
  m_compare->setMinimumWidth(84);
  row->addWidget(m_compare);
  return box;
}

QWidget* PlanPage::makeBottom() {
  m_bottom = new QWidget;
  auto* column = new QVBoxLayout(m_bottom);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceSmall);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the comparison"));
  column->addWidget(m_progress);
  column->addWidget(m_error);
  column->addWidget(m_summary);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  m_apply->setToolTip(tr("Make this the configuration of the session, and walk again"));
  m_revert->setToolTip(tr("Back to the configuration of the session"));
  row->addWidget(m_apply);
  row->addWidget(m_revert);
  row->addStretch(1);
  column->addLayout(row);
  return m_bottom;
}

void PlanPage::showPage(Page page) {
  m_choice->button(page)->setChecked(true);
  m_pages->setCurrentIndex(page);
}

void PlanPage::refresh() {
  const Document& document = *m_context.document;
  const bool comparing = document.comparing();
  const bool ready = document.walk()->partition && document.walk()->pattern && document.walk()->optimizedGraphs && static_cast<bool>(document.service().host().evaluateWhatIf);
  m_compare->setText(comparing ? tr("Cancel") : tr("Compare"));
  m_compare->setEnabled(comparing || (ready && !document.service().busy()));
  const bool changed = m_context.document->draft().isChanged();
  m_apply->setEnabled(changed && !comparing);
  m_revert->setEnabled((changed || document.whatIf()) && !comparing);
  m_progress->setVisible(comparing);
  const Activity& activity = document.service().activity();
  if (comparing) m_progress->setRange(0, activity.share < 0 ? 0 : 1000);
  if (comparing && activity.share >= 0) m_progress->setValue(static_cast<int>(activity.share * 1000));
  m_error->setVisible(document.whatIfError().has_value());
  if (document.whatIfError()) m_error->setText(text(document.whatIfError()->message));
  const QStringList changes = m_context.document->draft().changes();
  if (comparing) {
    m_summary->setText(activity.detail.isEmpty() ? tr("Comparing \u2026") : activity.detail);
  } else if (document.whatIf() && document.whatIf()->plans) {
    m_summary->setText(planSentence(*document.whatIf()->plans));
  } else {
    m_summary->setText(changes.isEmpty() ? tr("As the session has it. Change something, then compare.") : tr("What if it %1?").arg(changes.join(QStringLiteral("; "))));
  }
  if (document.whatIf() == m_shown && m_figures->model()->columnCount() > 0) return;
  m_shown = document.whatIf();
  presentResult();
}

void PlanPage::presentResult() {
  const auto plans = m_shown ? m_shown->plans : nullptr;
  m_figures->present(plans ? planFigureRows(*plans) : std::vector<FigureRow>());
  CurveChartData curves;
  if (plans) curves = liveCurves(*plans);
  m_curves->present(std::move(curves));
  m_valueModel->present(plans ? differenceRows(plans) : ReportRows{});
  for (const Page page : {kFigures, kMemory, kValues}) m_choice->button(page)->setEnabled(plans != nullptr);
  m_choice->button(kValues)->setText(plans ? tr("Values (%1)").arg(countText(static_cast<int64_t>(plans->values.size()))) : tr("Values"));
  const int page = m_pages->currentIndex();
  if (plans && page == kChange) showPage(kFigures);
  if (!plans && page != kSweep) showPage(kChange);
}

}  // namespace cutaway::ui

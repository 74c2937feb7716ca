// Choice of graph and axis above the lanes.
#include "ui/panels/schedule/step_timeline.h"

#include <algorithm>

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/cost_text.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/schedule/step_lanes.h"

namespace cutaway::ui {

StepTimeline::StepTimeline(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_chart(new LifeChart(context)),
      m_axis(new QButtonGroup(this)),
      m_graph(new QComboBox),
      m_words(new QLabel) {
  setObjectName(QStringLiteral("schedule/timeline"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, 0);
  row->setSpacing(kSpaceTiny);
  const std::pair<QString, QString> choices[] = {{tr("By step"), tr("Every step as long as any other")},
                                                 {tr("By cost"), tr("Every step as long as its node takes")}};
  for (int axis = 0; axis < 2; ++axis) {
    auto* button = new QToolButton;
    button->setText(choices[axis].first);
    button->setToolTip(choices[axis].second);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    m_axis->addButton(button, axis);
    row->addWidget(button);
  }
  m_axis->button(0)->setChecked(true);
  m_words->setProperty("role", "secondary");
  m_words->setMinimumWidth(20);
  m_words->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_graph->setAccessibleName(tr("Graph"));
  m_graph->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_graph->setMinimumContentsLength(18);
  row->addSpacing(kSpace);
  row->addWidget(m_graph);
  row->addWidget(m_words, 1);
  column->addLayout(row);
  column->addWidget(m_chart, 1);
  m_chart->setAccessibleName(tr("Timeline of steps"));
  connect(m_axis, &QButtonGroup::idClicked, this, &StepTimeline::draw);
  connect(m_graph, &QComboBox::activated, this, &StepTimeline::draw);
}

void StepTimeline::present(std::shared_ptr<const WalkReport> walk) {
  m_walk = std::move(walk);
  const QSignalBlocker quiet(m_graph);
  const int before = m_graph->currentIndex();
  m_graph->clear();
  if (m_walk->schedule && m_walk->partitionedGraphs)
    for (const GraphSchedule& schedule : m_walk->schedule->graphs)
      m_graph->addItem(
          shortened(text(m_walk->partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)].title), 36));
  m_graph->setCurrentIndex(std::clamp(before, m_graph->count() > 0 ? 0 : -1, m_graph->count() - 1));
  m_graph->setVisible(m_graph->count() > 1);
  draw();
}

void StepTimeline::draw() {
  const int which = m_graph->currentIndex();
  m_chart->present(stepLanes(m_walk, which, m_axis->checkedId() == 1 ? TimelineAxis::kCost : TimelineAxis::kSteps));
  m_words->clear();
  if (which < 0) return;
  const GraphSchedule& schedule = m_walk->schedule->graphs[static_cast<size_t>(which)];
  const bool workers = usesWorkers(schedule);
  m_words->setText(workers && m_chart->data().width > 1 && m_axis->checkedId() == 1
                       ? tr("%1 of work in %2")
                             .arg(costText(schedule.totalCost, schedule.costUnit),
                                  costText(static_cast<int64_t>(m_chart->data().width), schedule.costUnit))
                   : workers ? tr("a lane per worker")
                             : tr("a lane per stream"));
}

}  // namespace cutaway::ui

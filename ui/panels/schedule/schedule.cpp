// Order: steps as a timeline, orders side by side, what streams do, and a scrubber that walks through the steps.
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/schedule/order_page.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/schedule/step_timeline.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kPlayIntervalMs = 250;
constexpr int kHandleRoom = 22;
constexpr int kPlayTicks = 120;  // a long order is walked in leaps, so that playing ends within half a minute

class SchedulePanel : public StagePanel {
 public:
  SchedulePanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("schedule"), parent), m_timeline(new StepTimeline(context)), m_slider(new QSlider(Qt::Horizontal)), m_here(new QLabel) {
    auto* scrubber = new QWidget;
    auto* row = new QHBoxLayout(scrubber);
    row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpaceLarge);
    row->setSpacing(kSpaceLarge);
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setToolTip(tr("Walk through the order: arrow keys step, Page Up and Down leap"));
    m_here->setProperty("role", "secondary");
    m_here->setFixedWidth(190);
    m_slider->setMinimumHeight(kHandleRoom);
    m_play->setText(tr("Play"));
    m_play->setCheckable(true);
    m_play->setToolTip(tr("Walk through the order by itself"));
    row->addWidget(m_play);
    row->addWidget(m_slider, 1);
    row->addWidget(m_here);
    addTop(scrubber);
    addTab(m_timeline, tr("Timeline"));
    addTab(new OrderPage(context), tr("Orders"));
    LinkedTable *steps = nullptr, *path = nullptr;
    m_steps = addTable(tr("Steps"), &steps);
    m_path = addTable(tr("Critical path"), &path);
    m_commands = addTable(tr("Streams"));
    addWhatIf(makePlanWhatIf(context, QStringLiteral("schedule")));
    for (const int column : {3, 5}) steps->view()->setItemDelegateForColumn(column, new BarCell(context.themes, steps, column == 3 ? 0 : 2));
    path->view()->setItemDelegateForColumn(3, new BarCell(context.themes, path, 0));
    connect(m_slider, &QSlider::valueChanged, this, &SchedulePanel::showStep);
    m_ticker.setInterval(kPlayIntervalMs);
    connect(&m_ticker, &QTimer::timeout, this, &SchedulePanel::playOn);
    connect(m_play, &QToolButton::toggled, this, &SchedulePanel::setPlaying);
    connect(&document().selection(), &Selection::changed, this, &SchedulePanel::followSelection);
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.schedule.get(); }

  void fill(const WalkReport& walk) override {
    m_report = walk.schedule;
    m_graphs = walk.partitionedGraphs;
    const int count = m_report && !m_report->graphs.empty() ? static_cast<int>(m_report->graphs[0].steps.size()) : 0;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, std::max(0, count - 1));
    m_slider->setEnabled(count > 0);
    m_play->setEnabled(count > 0);
    m_play->setChecked(false);
    m_slider->setPageStep(std::max(1, count / 20));
    m_here->setText(count ? tr("step 0 of %1").arg(count) : QString());
    m_timeline->present(document().walk());
    if (!count || !m_graphs) {
      setFacts({});
      setNote({});
      for (ReportModel* model : {m_steps, m_path, m_commands}) model->present({});
      return;
    }
    setNote(text(m_report->note));
    fillFacts(m_report->graphs[0]);
    m_steps->present(stepRows(document().walk()));
    m_path->present(criticalPathRows(document().walk()));
    m_commands->present(commandRows(document().walk()));
    setTabShown(kCommands, std::any_of(m_report->graphs.begin(), m_report->graphs.end(), [](const GraphSchedule& graph) { return !graph.streamPlans.empty(); }));
    followSelection();
  }

  void fillFacts(const GraphSchedule& main) {
    const auto critical = static_cast<int64_t>(main.criticalPath.size());
    const QString share = main.totalCost > 0 ? tr(", %1").arg(percentText(static_cast<double>(main.criticalPathCost) / static_cast<double>(main.totalCost))) : QString();
    QStringList streams;
    for (const std::string& stream : main.streams) streams << text(stream);
    int workers = 1;
    for (const ScheduleStep& step : main.steps) workers = std::max(workers, step.worker + 1);
    const int64_t peak = main.peakBytes >= 0 ? main.peakBytes : main.liveBytes.empty() ? -1 : *std::max_element(main.liveBytes.begin(), main.liveBytes.end());
    setFacts({{tr("Order"), text(m_report->order)},
              {share.isEmpty() ? tr("Critical path") : tr("Critical path, share of work"), tr("%1 nodes%2").arg(countText(critical), share)},
              {tr("Most at once"), countText(main.width)},
              {tr("Steps"), countText(static_cast<int64_t>(main.steps.size()))},
              {tr("Live bytes at most"), peak < 0 ? tr("sizes are open") : sizeText(peak)},
              workers > 1 ? std::pair(tr("Workers"), QString::number(workers)) : std::pair(tr("Streams"), streams.join(QStringLiteral(", ")))});
  }

  void showStep(int step) {
    const GraphSchedule& main = m_report->graphs[0];
    m_here->setText(tr("step %1 of %2").arg(step).arg(main.steps.size()));
    document().selection().selectNode({GraphVersion::kPartitioned, main.graph, main.steps[step].node});
  }

  void setPlaying(bool playing) {
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    if (!playing) return m_ticker.stop();
    if (m_slider->value() == m_slider->maximum()) m_slider->setValue(0);
    m_ticker.start();
  }

  void playOn() {
    if (m_slider->value() >= m_slider->maximum() || !isVisible()) return m_play->setChecked(false);
    m_slider->setValue(m_slider->value() + std::max(1, m_slider->maximum() / kPlayTicks));
  }

  void followSelection() {
    const NodeTarget focus = document().selection().stepIn(GraphVersion::kPartitioned);
    if (!m_report || m_report->graphs.empty() || !focus.valid() || focus.graph != m_report->graphs[0].graph) return;
    const auto& steps = m_report->graphs[0].steps;
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const ScheduleStep& step) { return step.node == focus.node; });
    if (found == steps.end()) return;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(found - steps.begin()));
    m_here->setText(tr("step %1 of %2").arg(m_slider->value()).arg(steps.size()));
  }

  enum Tab { kTimeline, kOrders, kSteps, kPath, kCommands };

  QToolButton* m_play = new QToolButton;
  QTimer m_ticker;
  StepTimeline* m_timeline;
  QSlider* m_slider;
  QLabel* m_here;
  ReportModel* m_steps;
  ReportModel* m_path;
  ReportModel* m_commands;
  std::shared_ptr<const ScheduleReport> m_report;
  std::shared_ptr<const ModelGraphs> m_graphs;
};

}  // namespace

const PanelDescriptor& panel_schedule() {
  static const PanelDescriptor descriptor{.id = "schedule", .title = "Order", .icon = "stage-schedule", .area = PanelArea::kStage, .stage = Stage::kSchedule,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new SchedulePanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui

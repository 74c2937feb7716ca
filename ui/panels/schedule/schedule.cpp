// Order: the steps of every graph, and a scrubber that walks through them.
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kPlayIntervalMs = 250;
constexpr int kPlayTicks = 120;  // a long order is walked in leaps, so that playing ends within half a minute

// A step of any graph, in one list: main graph first.
struct StepPlace {
  const GraphSchedule* schedule;
  int step;
};

std::vector<StepPlace> listSteps(const ScheduleReport& report) {
  std::vector<StepPlace> steps;
  for (const GraphSchedule& schedule : report.graphs)
    for (size_t step = 0; step < schedule.steps.size(); ++step) steps.push_back({&schedule, static_cast<int>(step)});
  return steps;
}

class SchedulePanel : public StagePanel {
 public:
  SchedulePanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("schedule"), parent), m_slider(new QSlider(Qt::Horizontal)), m_here(new QLabel) {
    auto* scrubber = new QWidget;
    auto* row = new QHBoxLayout(scrubber);
    row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpaceLarge);
    row->setSpacing(kSpaceLarge);
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setToolTip(tr("Walk through the order: arrow keys step, Page Up and Down leap"));
    m_here->setProperty("role", "secondary");
    m_here->setFixedWidth(190);
    m_play->setText(tr("Play"));
    m_play->setCheckable(true);
    m_play->setToolTip(tr("Walk through the order by itself"));
    row->addWidget(m_play);
    row->addWidget(m_slider, 1);
    row->addWidget(m_here);
    addTop(scrubber);
    m_steps = addTable(tr("Steps"));
    m_path = addTable(tr("Critical path"));
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
    if (!count) {
      setFacts({});
      m_steps->present({});
      m_path->present({});
      return;
    }
    const GraphSchedule& main = m_report->graphs[0];
    QStringList streams;
    for (const std::string& stream : main.streams) streams << text(stream);
    setFacts({{tr("Order"), text(m_report->order)},
              {tr("Steps of the main graph"), countText(count)},
              {tr("Longest chain of nodes"), countText(static_cast<int64_t>(main.criticalPath.size()))},
              {tr("Most at once"), countText(main.width)},
              {tr("Streams"), streams.join(QStringLiteral(", "))},
              {tr("Time"), timeText(m_report->timeNs)}});
    fillSteps();
    fillPath();
    followSelection();
  }

  void fillSteps() {
    const auto report = m_report;
    const auto graphs = m_graphs;
    const auto steps = std::make_shared<const std::vector<StepPlace>>(listSteps(*report));
    const auto node = [steps, graphs](int row) -> const NodeReport& {
      const StepPlace& place = (*steps)[row];
      return graphs->graphs[place.schedule->graph].nodes[place.schedule->steps[place.step].node];
    };
    m_steps->present({.columns = {{tr("Step"), Column::kNumber}, {tr("Node")}, {tr("Operator")}, {tr("Provider")}, {tr("Stream")}, {tr("Graph")}},
                      .rows = static_cast<int>(steps->size()),
                      .cell = [report, steps, graphs, node](int row, int column) {
                        const StepPlace& place = (*steps)[row];
                        const ScheduleStep& step = place.schedule->steps[place.step];
                        switch (column) {
                          case 0:
                            return QString::number(place.step);
                          case 1:
                            return nodeName(graphs.get(), place.schedule->graph, step.node);
                          case 2:
                            return text(node(row).opType);
                          case 3:
                            return text(node(row).provider);
                          case 4:
                            return step.stream >= 0 && step.stream < static_cast<int32_t>(place.schedule->streams.size()) ? text(place.schedule->streams[step.stream]) : QString();
                          default:
                            return text(graphs->graphs[place.schedule->graph].title);
                        }
                      },
                      .sortKey = [steps](int row, int column) { return column == 0 ? QVariant((*steps)[row].step) : QVariant(); },
                      .target = [steps](int row) { return RowTarget{{GraphVersion::kPartitioned, (*steps)[row].schedule->graph, (*steps)[row].schedule->steps[(*steps)[row].step].node}, {}}; }});
  }

  void fillPath() {
    const auto report = m_report;
    const auto graphs = m_graphs;
    m_path->present({.columns = {{tr("Place"), Column::kNumber}, {tr("Node")}, {tr("Operator")}},
                     .rows = static_cast<int>(report->graphs[0].criticalPath.size()),
                     .cell = [report, graphs](int row, int column) {
                       const GraphSchedule& main = report->graphs[0];
                       const int32_t node = main.criticalPath[row];
                       return column == 0 ? QString::number(row + 1) : column == 1 ? nodeName(graphs.get(), main.graph, node) : text(graphs->graphs[main.graph].nodes[node].opType);
                     },
                     .sortKey = [](int row, int column) { return column == 0 ? QVariant(row) : QVariant(); },
                     .target = [report](int row) { return RowTarget{{GraphVersion::kPartitioned, report->graphs[0].graph, report->graphs[0].criticalPath[row]}, {}}; }});
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
    const NodeTarget focus = document().selection().focusIn(GraphVersion::kPartitioned);
    if (!m_report || m_report->graphs.empty() || !focus.valid() || focus.graph != m_report->graphs[0].graph) return;
    const auto& steps = m_report->graphs[0].steps;
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const ScheduleStep& step) { return step.node == focus.node; });
    if (found == steps.end()) return;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(found - steps.begin()));
    m_here->setText(tr("step %1 of %2").arg(m_slider->value()).arg(steps.size()));
  }

  QToolButton* m_play = new QToolButton;
  QTimer m_ticker;
  QSlider* m_slider;
  QLabel* m_here;
  ReportModel* m_steps;
  ReportModel* m_path;
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

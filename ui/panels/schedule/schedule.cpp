// Order: steps as a timeline, orders side by side, what streams do, and a scrubber that walks through the steps.
#include <algorithm>

#include <QTableView>

#include "ui/base/format.h"
#include "ui/base/partial_amount.h"
#include "ui/document/document.h"
#include "ui/panels/bar_cell.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plan_what_if.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/schedule/order_page.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/schedule/step_timeline.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

class SchedulePanel : public StagePanel {
 public:
  SchedulePanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("schedule"), parent), m_timeline(new StepTimeline(context)) {
    addTop(new PlayBar(context));
    addTab(m_timeline, tr("Timeline"));
    addTab(new OrderPage(context), tr("Orders"));
    LinkedTable *steps = nullptr, *path = nullptr;
    m_steps = addTable(tr("Steps"), &steps);
    m_path = addTable(tr("Critical path"), &path);
    m_commands = addTable(tr("Streams"));
    addWhatIf([context](QWidget* room) { return makePlanWhatIf(context, QStringLiteral("schedule"), room); });
    for (const int column : {3, 5})
      steps->view()->setItemDelegateForColumn(column, new BarCell(context.themes, steps, column == 3 ? 0 : 2));
    path->view()->setItemDelegateForColumn(3, new BarCell(context.themes, path, 0));
    steps->followRange();
    path->followRange();
    // A step that is chosen here is where the playhead goes.
    connect(steps, &LinkedTable::rowActivated, this, [this](int row) {
      if (row < document().playhead().count())
        document().playhead().setStep(row);  // steps of the main graph come first
    });
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.schedule.get(); }

  void fill(const WalkReport& walk) override {
    m_report = walk.schedule;
    m_graphs = walk.partitionedGraphs;
    const int count = m_report && !m_report->graphs.empty() ? static_cast<int>(m_report->graphs[0].steps.size()) : 0;
    m_timeline->present(document().walk());
    if (!count || !m_graphs) {
      setFacts({});
      setNote({});
      for (ReportModel* model : {m_steps, m_path, m_commands})
        model->present({});
      return;
    }
    setNote(text(m_report->note));
    fillFacts(m_report->graphs[0]);
    m_steps->present(stepRows(document().walk()));
    m_path->present(criticalPathRows(document().walk()));
    m_commands->present(commandRows(document().walk()));
    setTabShown(kCommands, std::any_of(m_report->graphs.begin(), m_report->graphs.end(),
                                       [](const GraphSchedule& graph) { return !graph.streamPlans.empty(); }));
  }

  void fillFacts(const GraphSchedule& main) {
    const auto critical = static_cast<int64_t>(main.criticalPath.size());
    const QString share = main.totalCost > 0 ? tr(", %1").arg(percentText(static_cast<double>(main.criticalPathCost) /
                                                                          static_cast<double>(main.totalCost)))
                                             : QString();
    QStringList streams;
    for (const std::string& stream : main.streams)
      streams << text(stream);
    int workers = 1;
    for (const ScheduleStep& step : main.steps)
      workers = std::max(workers, step.worker + 1);
    const int64_t peak = main.peakBytes >= 0      ? main.peakBytes
                         : main.liveBytes.empty() ? -1
                                                  : *std::max_element(main.liveBytes.begin(), main.liveBytes.end());
    setFacts({{tr("Order"), text(m_report->order)},
              {share.isEmpty() ? tr("Critical path") : tr("Critical path, share of work"),
               tr("%1 nodes%2").arg(countText(critical), share), stageTruth(*document().walk(), Stage::kSchedule).kind},
              {tr("Max parallelism"), countText(main.width)},
              {tr("Steps"), countText(static_cast<int64_t>(main.steps.size()))},
              {tr("Peak live memory"), partialAmount(sizeText(peak), peak < 0, true),
               peak < 0 ? TruthKind::kPartial : TruthKind::kExact},
              workers > 1 ? Fact{tr("Workers"), QString::number(workers)}
                          : Fact{tr("Streams"), streams.join(QStringLiteral(", "))}});
  }

  enum Tab { kTimeline, kOrders, kSteps, kPath, kCommands };

  StepTimeline* m_timeline;
  ReportModel* m_steps;
  ReportModel* m_path;
  ReportModel* m_commands;
  std::shared_ptr<const ScheduleReport> m_report;
  std::shared_ptr<const ModelGraphs> m_graphs;
};

}  // namespace

const PanelDescriptor& panel_schedule() {
  static const PanelDescriptor descriptor{.id = "schedule",
                                          .title = "Order",
                                          .icon = "stage-schedule",
                                          .area = PanelArea::kStage,
                                          .stage = Stage::kSchedule,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new SchedulePanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui

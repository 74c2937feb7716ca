#include "ui/panels/allocate/step_rows.h"

#include <algorithm>

#include "engine/report/allocation_replay.h"
#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr size_t kNamedBuffers = 6;

struct PlannedStep {
  const AllocationView* view;
  int graph;
  int plan;
  ReplayStep step;
  std::vector<int32_t> newestFree;  // some of the free list behind it, newest first
  size_t freeCount = 0;

  QString nameOf(int32_t value) const { return valueName(&view->graphs(), graph, value); }
  QString made() const {
    QStringList words;
    for (const int32_t value : step.placed) {
      const ValueAllocation* placed = view->at(plan, value);
      if (!placed) continue;
      words << (placed->reusedValue < 0
                    ? QStringLiteral("%1: %2").arg(nameOf(value), ruleText(ruleOf(*placed)))
                    : QObject::tr("%1: %2 of %3")
                          .arg(nameOf(value), ruleText(ruleOf(*placed)), nameOf(placed->reusedValue)));
    }
    return words.join(QStringLiteral("; "));
  }
  QString uses() const {
    QStringList words;
    for (const BufferUses& each : step.uses)
      words << QStringLiteral("%1 %2 \u2192 %3 \u2192 %4")
                   .arg(nameOf(each.buffer))
                   .arg(each.before)
                   .arg(each.placed)
                   .arg(each.after);
    return words.join(QStringLiteral("; "));
  }
  QString free() const {
    QStringList words;
    for (const int32_t buffer : newestFree)
      words << nameOf(buffer);
    if (freeCount > newestFree.size())
      words << QObject::tr("and %1 more").arg(countText(static_cast<int64_t>(freeCount - newestFree.size())));
    return words.isEmpty() ? QStringLiteral("\u2013") : words.join(QStringLiteral(", "));
  }
};

void addSteps(const AllocationView& view, int plan, std::vector<PlannedStep>& steps) {
  const GraphAllocation& allocation = view.report().graphs[static_cast<size_t>(plan)];
  const GraphSchedule* schedule = scheduleOf(*view.walk, allocation.graph);
  if (!schedule) return;
  const GraphReport& graph = view.graphs().graphs[static_cast<size_t>(allocation.graph)];
  std::vector<int32_t> free;
  for (ReplayStep& step : replayAllocation(graph, *schedule, allocation).steps) {
    step.changeFreeList(allocation, free);
    const size_t named = std::min(free.size(), kNamedBuffers);
    steps.push_back({&view, allocation.graph, plan, std::move(step),
                     std::vector<int32_t>(free.rbegin(), free.rbegin() + static_cast<std::ptrdiff_t>(named)),
                     free.size()});
  }
}

}  // namespace

ReportRows allocationStepRows(std::shared_ptr<const AllocationView> view) {
  std::vector<PlannedStep> steps;
  for (size_t plan = 0; plan < view->report().graphs.size(); ++plan)
    addSteps(*view, static_cast<int>(plan), steps);
  using Steps = ColumnOf<PlannedStep>;
  std::vector<Steps> columns = {
      {.title = QObject::tr("Step"),
       .kind = Steps::kNumber,
       .text = [](const PlannedStep& at) { return QString::number(at.step.step); },
       .key = [](const PlannedStep& at) { return at.step.step; }},
      {.title = QObject::tr("Node"),
       .text = [](const PlannedStep& at) { return nodeName(&at.view->graphs(), at.graph, at.step.node); }},
      {.title = QObject::tr("Makes"), .text = &PlannedStep::made},
      {.title = QObject::tr("Uses of buffers"),
       .help = QObject::tr("Before, with the outputs placed, and after: readers, definitions and places among the "
                           "outputs of all that lives in the buffer; one more for what is never recycled. At 0 it is "
                           "free"),
       .text = &PlannedStep::uses},
      {.title = QObject::tr("Free behind it"), .help = QObject::tr("Newest first"), .text = &PlannedStep::free},
      {.title = QObject::tr("Graph"), .text = [](const PlannedStep& at) {
         return text(at.view->graphs().graphs[static_cast<size_t>(at.graph)].title);
       }}};
  return rowsOf<PlannedStep>(listOf(std::move(steps), view), std::move(columns), [](const PlannedStep& at) {
    return RowTarget{{GraphVersion::kPartitioned, at.graph, at.step.node}, {}};
  });
}

}  // namespace cutaway::ui

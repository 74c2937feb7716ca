// Allocation: the kind and buffer of every value with the reason, and lanes that show who lives in whose buffer when.
#include <algorithm>
#include <map>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

QString lifeText(const ValueAllocation& value) {
  QStringList spans;
  for (size_t i = 0; i < value.starts.size() && i < value.ends.size(); ++i) spans << QStringLiteral("%1\u2013%2").arg(value.starts[i]).arg(value.ends[i]);
  return spans.isEmpty() ? QStringLiteral("\u2013") : spans.join(QStringLiteral(", "));
}

int categoryOf(const ValueAllocation& value) {
  switch (value.kind) {
    case AllocKind::kAllocate:
      return 0;
    case AllocKind::kReuse:
      return value.inPlace ? 2 : 1;
    case AllocKind::kAllocateOutput:
      return 3;
    case AllocKind::kShare:
      return 4;
    default:
      return -1;
  }
}

// The letter that says the same as the colour.
QString letterOf(const ValueAllocation& value) {
  switch (value.kind) {
    case AllocKind::kAllocate:
      return QStringLiteral("A ");
    case AllocKind::kReuse:
      return value.inPlace ? QStringLiteral("I ") : QStringLiteral("R ");
    case AllocKind::kAllocateOutput:
      return QStringLiteral("O ");
    case AllocKind::kShare:
      return QStringLiteral("S ");
    default:
      return {};
  }
}

// One lane per buffer, in the order in which buffers come into use; values of a lane stand behind one another, arrows lead from the lane's owner.
LifeChartData lanesOf(const GraphAllocation& plan, const GraphReport& graph, int steps) {
  LifeChartData data;
  data.steps = steps;
  data.empty = QObject::tr("No value of this graph has a buffer of its own.");
  std::map<int, int> laneOfRoot;
  std::vector<const ValueAllocation*> values;
  for (const ValueAllocation& value : plan.values)
    if (!value.starts.empty() && value.kind != AllocKind::kAllocateStatically && value.kind != AllocKind::kNotSet) values.push_back(&value);
  std::stable_sort(values.begin(), values.end(), [](const ValueAllocation* a, const ValueAllocation* b) { return a->starts.front() < b->starts.front(); });
  for (const ValueAllocation* value : values) laneOfRoot.try_emplace(value->rootValue >= 0 ? value->rootValue : value->value, static_cast<int>(laneOfRoot.size()));
  const auto lanes = static_cast<double>(laneOfRoot.size());
  data.high = std::max(1.0, lanes);
  for (const ValueAllocation* value : values) {
    const double top = lanes - laneOfRoot[value->rootValue >= 0 ? value->rootValue : value->value];
    for (size_t i = 0; i < value->starts.size() && i < value->ends.size(); ++i) {
      LifeBlock block;
      block.firstStep = value->starts[i];
      block.lastStep = std::max(value->starts[i], std::min(value->ends[i], steps - 1));
      // What reuses a buffer in place overlaps its owner by one step: it stands a little lower.
      const double inset = value->kind == AllocKind::kReuse ? 0.16 : 0.0;
      block.from = top - 1 + 0.04;
      block.to = top - 0.04 - inset;
      block.category = categoryOf(*value);
      block.label = text(graph.values[value->value].name);
      block.toolTip = QStringLiteral("%1\n%2, %3\nsteps %4\n%5")
                          .arg(block.label, text(allocKindName(value->kind)) + (value->inPlace ? QObject::tr(" in place") : QString()), sizeText(value->sizeBytes), lifeText(*value), text(value->reason));
      block.target.value = {plan.graph, block.label};
      block.label.prepend(letterOf(*value));
      data.blocks.push_back(std::move(block));
    }
  }
  return data;
}

class AllocatePanel : public StagePanel {
 public:
  AllocatePanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("allocate"), parent), m_lanes(new LifeChart(context)) {
    addTab(m_lanes, tr("Buffers"));
    m_values = addTable(tr("Values"));
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.allocate.get(); }

  void fill(const WalkReport& walk) override {
    const auto report = walk.allocate;
    const auto graphs = walk.partitionedGraphs;
    if (!report || !graphs || report->graphs.empty()) {
      setFacts({});
      m_values->present({});
      m_lanes->present({});
      return;
    }
    setFacts({{tr("Buffers of their own"), countText(report->allocated)},
              {tr("Reused, of these in place"), QStringLiteral("%1, %2").arg(report->reused).arg(report->inPlace)},
              {tr("Outputs"), countText(report->outputs)},
              {tr("Weights"), tr("%1 in %2").arg(sizeText(report->weightsBytes), countText(report->statically))},
              {tr("Given from outside"), countText(report->preExisting)},
              {tr("Time"), timeText(report->timeNs)}});
    setNote(tr("A lane is a buffer. A (blue) owns it, R (orange) takes it over when it is free, I (green) writes in place, O (vermilion) is an output."));
    const GraphAllocation& main = report->graphs[0];
    int steps = 1;
    if (walk.schedule && !walk.schedule->graphs.empty()) steps = static_cast<int>(walk.schedule->graphs[0].steps.size());
    m_lanes->present(lanesOf(main, graphs->graphs[main.graph], std::max(1, steps)));
    fillValues(report, graphs);
  }

  void fillValues(const std::shared_ptr<const AllocateReport>& report, const std::shared_ptr<const ModelGraphs>& graphs) {
    auto places = std::make_shared<std::vector<std::pair<int, int>>>();  // plan, value
    for (size_t g = 0; g < report->graphs.size(); ++g)
      for (size_t v = 0; v < report->graphs[g].values.size(); ++v)
        if (report->graphs[g].values[v].kind != AllocKind::kNotSet) places->emplace_back(static_cast<int>(g), static_cast<int>(v));
    const auto at = [report, places](int row) -> const ValueAllocation& { return report->graphs[(*places)[row].first].values[(*places)[row].second]; };
    const auto graphOf = [report, places](int row) { return report->graphs[(*places)[row].first].graph; };
    m_values->present({.columns = {{tr("Value")}, {tr("Kind")}, {tr("Size"), Column::kNumber}, {tr("Buffer of")}, {tr("Lives in steps")}, {tr("Device")}, {tr("Why")}},
                       .rows = static_cast<int>(places->size()),
                       .cell = [at, graphOf, graphs](int row, int column) {
                         const ValueAllocation& value = at(row);
                         switch (column) {
                           case 0:
                             return valueName(graphs.get(), graphOf(row), value.value);
                           case 1:
                             return text(allocKindName(value.kind)) + (value.inPlace ? tr(", in place") : QString());
                           case 2:
                             return value.sizeBytes >= 0 ? sizeText(value.sizeBytes) : value.sizeText.empty() ? QStringLiteral("?") : text(value.sizeText);
                           case 3:
                             return value.reusedValue >= 0 ? valueName(graphs.get(), graphOf(row), value.reusedValue) : QStringLiteral("\u2013");
                           case 4:
                             return lifeText(value);
                           case 5:
                             return text(value.device);
                           default:
                             return text(value.reason);
                         }
                       },
                       .sortKey = [at](int row, int column) {
                         const ValueAllocation& value = at(row);
                         return column == 2 ? QVariant(qlonglong(value.sizeBytes)) : column == 4 ? QVariant(value.starts.empty() ? -1 : value.starts.front()) : QVariant();
                       },
                       .target = [at, graphOf, graphs](int row) { return RowTarget{{}, {graphOf(row), valueName(graphs.get(), graphOf(row), at(row).value)}}; }});
  }

  LifeChart* m_lanes;
  ReportModel* m_values;
};

}  // namespace

const PanelDescriptor& panel_allocate() {
  static const PanelDescriptor descriptor{.id = "allocate", .title = "Allocation", .icon = "stage-allocate", .area = PanelArea::kStage, .stage = Stage::kAllocate,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new AllocatePanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui

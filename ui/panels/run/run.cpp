// Run: inputs, how often, and what came out: latency, time per node, values, memory against the plan.
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <numeric>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/run/run_controls.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

QString milliseconds(double ms) { return timeText(static_cast<int64_t>(ms * 1e6)); }

struct OperatorTime {
  std::string name;
  int nodes = 0;
  int64_t totalNs = 0;
  NodeTarget slowest;
  int64_t slowestNs = -1;
};

// Times rolled up by operator, longest first.
std::vector<OperatorTime> timesByOperator(const RunReport& run, const ModelGraphs& graphs) {
  std::map<std::string, OperatorTime> byName;
  for (const NodeTiming& timing : run.nodes) {
    const std::string& name = graphs.graphs[timing.graph].nodes[timing.node].opType;
    OperatorTime& entry = byName[name];
    entry.name = name;
    ++entry.nodes;
    entry.totalNs += timing.totalNs;
    if (timing.totalNs <= entry.slowestNs) continue;
    entry.slowestNs = timing.totalNs;
    entry.slowest = {GraphVersion::kPartitioned, timing.graph, timing.node};
  }
  std::vector<OperatorTime> times;
  for (auto& [name, entry] : byName) times.push_back(std::move(entry));
  std::stable_sort(times.begin(), times.end(), [](const OperatorTime& a, const OperatorTime& b) { return a.totalNs > b.totalNs; });
  return times;
}

class RunPanel : public StagePanel {
 public:
  RunPanel(const PanelContext& context, QWidget* parent) : StagePanel(context, QStringLiteral("run"), parent), m_controls(new RunControls) {
    addTop(m_controls);
    m_nodes = addTable(tr("Time per node"));
    m_operators = addTable(tr("By operator"));
    m_outputs = addTable(tr("Outputs"));
    m_inputs = addTable(tr("Inputs"));
    connect(m_controls, &RunControls::runRequested, this, [this](const RunRequest& request) { document().service().run(request); });
    connect(&document().service(), &EngineService::activityChanged, this, [this] { m_controls->setBusy(document().service().busy()); });
    connect(&document(), &Document::walkChanged, this, &RunPanel::showInputs);
    showInputs();
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.run.get(); }

  void showInputs() {
    const auto graphs = document().walk()->loadedGraphs;
    const bool ready = graphs && document().walk()->stages[static_cast<size_t>(Stage::kPattern)].state == StageState::kDone;
    if (ready == (m_graphs != nullptr) && (!ready || graphs == m_graphs)) return;
    m_graphs = ready ? graphs : nullptr;
    m_controls->setInputs(ready && !graphs->graphs.empty() ? &graphs->graphs[0] : nullptr);
  }

  void fill(const WalkReport& walk) override {
    const auto run = walk.run;
    if (!run) {
      setFacts({});
      setNote(tr("Not run yet. Times are painted on the graph as soon as it has run."));
      for (ReportModel* model : {m_nodes, m_operators, m_outputs, m_inputs}) model->present({});
      return;
    }
    setNote({});
    setFacts({{tr("Median"), milliseconds(run->medianMs)},
              {tr("Fastest, slowest"), tr("%1, %2").arg(milliseconds(run->minMs), milliseconds(run->maxMs))},
              {tr("90 %, 99 % below"), tr("%1, %2").arg(milliseconds(run->p90Ms), milliseconds(run->p99Ms))},
              {tr("Runs, warm-ups, threads"), QStringLiteral("%1, %2, %3").arg(run->runs).arg(run->warmups).arg(run->threads)},
              {tr("First run"), milliseconds(run->firstRunMs)},
              {tr("Memory planned, measured"), tr("%1, %2").arg(sizeText(run->plannedPeakBytes), sizeText(run->measuredPeakBytes))}});
    fillNodes(run, walk.partitionedGraphs);
    fillOperators(*run, walk.partitionedGraphs);
    fillTensors(m_outputs, run, run->outputs);
    fillTensors(m_inputs, run, run->inputs);
  }

  void fillNodes(const std::shared_ptr<const RunReport>& run, const std::shared_ptr<const ModelGraphs>& graphs) {
    const double all = std::accumulate(run->nodes.begin(), run->nodes.end(), 0.0, [](double sum, const NodeTiming& timing) { return sum + static_cast<double>(timing.totalNs); });
    m_nodes->present({.columns = {{tr("Step"), Column::kNumber}, {tr("Node")}, {tr("Operator")}, {tr("Time"), Column::kNumber}, {tr("Share"), Column::kNumber}, {tr("Calls"), Column::kNumber}, {tr("Variant")}, {tr("Output")}},
                      .rows = static_cast<int>(run->nodes.size()),
                      .cell = [run, graphs, all](int row, int column) {
                        const NodeTiming& timing = run->nodes[row];
                        switch (column) {
                          case 0:
                            return QString::number(timing.step);
                          case 1:
                            return nodeName(graphs.get(), timing.graph, timing.node);
                          case 2:
                            return graphs ? text(graphs->graphs[timing.graph].nodes[timing.node].opType) : QString();
                          case 3:
                            return timeText(timing.totalNs);
                          case 4:
                            return percentText(all > 0 ? static_cast<double>(timing.totalNs) / all : 0);
                          case 5:
                            return countText(timing.calls);
                          case 6:
                            return text(timing.variant);
                          default:
                            return timing.outputShapes.empty() ? QString() : text(timing.outputShapes.front());
                        }
                      },
                      .sortKey = [run](int row, int column) {
                        const NodeTiming& timing = run->nodes[row];
                        return column == 0 ? QVariant(timing.step) : column == 3 || column == 4 ? QVariant(qlonglong(timing.totalNs)) : column == 5 ? QVariant(qlonglong(timing.calls)) : QVariant();
                      },
                      .target = [run](int row) { return RowTarget{{GraphVersion::kPartitioned, run->nodes[row].graph, run->nodes[row].node}, {}}; }});
  }

  void fillOperators(const RunReport& run, const std::shared_ptr<const ModelGraphs>& graphs) {
    if (!graphs) return m_operators->present({});
    const auto times = std::make_shared<const std::vector<OperatorTime>>(timesByOperator(run, *graphs));
    const double all = std::accumulate(times->begin(), times->end(), 0.0, [](double sum, const OperatorTime& entry) { return sum + static_cast<double>(entry.totalNs); });
    m_operators->present({.columns = {{tr("Operator")}, {tr("Nodes"), Column::kNumber}, {tr("Time"), Column::kNumber}, {tr("Share"), Column::kNumber}, {tr("Slowest node")}},
                          .rows = static_cast<int>(times->size()),
                          .cell = [times, graphs, all](int row, int column) {
                            const OperatorTime& entry = (*times)[row];
                            switch (column) {
                              case 0:
                                return text(entry.name);
                              case 1:
                                return countText(entry.nodes);
                              case 2:
                                return timeText(entry.totalNs);
                              case 3:
                                return percentText(all > 0 ? static_cast<double>(entry.totalNs) / all : 0);
                              default:
                                return nodeName(graphs.get(), entry.slowest.graph, entry.slowest.node);
                            }
                          },
                          .sortKey = [times](int row, int column) { return column == 1 ? QVariant((*times)[row].nodes) : column == 2 || column == 3 ? QVariant(qlonglong((*times)[row].totalNs)) : QVariant(); },
                          .target = [times](int row) { return RowTarget{(*times)[row].slowest, {}}; }});
  }

  void fillTensors(ReportModel* model, const std::shared_ptr<const RunReport>& run, const std::vector<TensorSummary>& tensors) {
    const auto number = [](double value) { return QString::number(value, 'g', 5); };
    model->present({.columns = {{tr("Name")}, {tr("Type")}, {tr("Least"), Column::kNumber}, {tr("Most"), Column::kNumber}, {tr("Mean"), Column::kNumber}, {tr("NaN, Inf"), Column::kNumber}, {tr("First values")}},
                    .rows = static_cast<int>(tensors.size()),
                    .cell = [run, &tensors, number](int row, int column) {
                      const TensorSummary& tensor = tensors[row];
                      switch (column) {
                        case 0:
                          return text(tensor.name);
                        case 1:
                          return text(tensor.type);
                        case 2:
                          return number(tensor.minimum);
                        case 3:
                          return number(tensor.maximum);
                        case 4:
                          return number(tensor.mean);
                        case 5:
                          return QStringLiteral("%1, %2").arg(tensor.nanCount).arg(tensor.infCount);
                        default:
                          return text(tensor.preview);
                      }
                    },
                    .target = [run, &tensors](int row) { return RowTarget{{}, {0, text(tensors[row].name)}}; }});
  }

  RunControls* m_controls;
  ReportModel* m_nodes;
  ReportModel* m_operators;
  ReportModel* m_outputs;
  ReportModel* m_inputs;
  std::shared_ptr<const ModelGraphs> m_graphs;
};

}  // namespace

const PanelDescriptor& panel_run() {
  static const PanelDescriptor descriptor{.id = "run", .title = "Run", .icon = "stage-run", .area = PanelArea::kStage, .stage = Stage::kRun,
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new RunPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui

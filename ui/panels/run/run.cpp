// Run: inputs, how often, and what came out: statistics, timeline and memory, time per node, values.
#include <QBoxLayout>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QTabWidget>

#include "engine/report/simulated_providers.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/problem_list.h"
#include "ui/document/trace_name.h"
#include "ui/document/window_words.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/run/creation_page.h"
#include "ui/panels/run/devices_page.h"
#include "ui/panels/run/node_times.h"
#include "ui/panels/run/profile_page.h"
#include "ui/panels/run/run_controls.h"
#include "ui/panels/run/run_view.h"
#include "ui/panels/run/statistics_strip.h"
#include "ui/panels/run/timeline_page.h"
#include "ui/panels/stage_panel.h"
#include "ui/panels/whole_label.h"

namespace cutaway::ui {
namespace {

class RunPanel : public StagePanel {
 public:
  RunPanel(const PanelContext& context, QWidget* parent)
      : StagePanel(context, QStringLiteral("run"), parent),
        m_controls(new RunControls),
        m_strip(new StatisticsStrip(context.themes)),
        m_timeline(new TimelinePage(context)),
        m_nodes(new NodeTimes(context)),
        m_devices(new DevicesPage(context)),
        m_profiles(new ProfilePage(context)),
        m_creation(new CreationPage(context)) {
    setFactsShown(false);
    auto* head = new QWidget;
    m_head = new QBoxLayout(QBoxLayout::TopToBottom, head);
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->setSpacing(0);
    m_head->addWidget(m_controls);
    m_head->addWidget(m_strip, 1);
    addTop(head);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_failure->setProperty("role", "error");
    m_failure->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceLarge, kSpaceSmall);
    m_failure->setAccessibleName(tr("Why the run failed"));
    m_failure->hide();
    addTop(m_failure);
    m_play = new PlayBar(context);
    addTop(m_play);
    addTab(m_timeline, tr("Timeline"));
    addTab(m_nodes, tr("Nodes"));
    addTab(m_devices, tr("Devices"));
    addTab(m_profiles, tr("Compare"));
    addTab(m_creation, tr("Start-up"));
    m_outputs = addTable(tr("Outputs"));
    m_inputs = addTable(tr("Inputs"));
    connect(m_controls, &RunControls::runRequested, this,
            [this](const RunRequest& request) { document().run(request, m_controls->session(document().options())); });
    connect(m_controls, &RunControls::cancelRequested, this, [this] { document().service().cancel(); });
    connect(&document().service(), &EngineService::activityChanged, this,
            [this] { m_controls->setBusy(document().service().busy()); });
    document().onWalkChange(kLoadedGraphs | WalkPart::kRun | WalkPart::kStates, this, &RunPanel::showInputs);
    connect(m_timeline, &TimelinePage::rangeChosen, this,
            [this](const std::shared_ptr<const RangeTotals>& totals, const QString& words) {
              totals ? m_nodes->restrict(words, totals->timings) : m_nodes->release();
              setTabTitle(tabs()->indexOf(m_nodes),
                          totals ? tr("Nodes (%1)").arg(countText(totals->nodes)) : tr("Nodes"));
            });
    connect(m_nodes, &NodeTimes::released, this, [this] {
      m_timeline->window().setRange({});
      m_timeline->window().settleRange();
    });
    connect(&document().profiles(), &ProfileController::changed, this, [this] {
      setTabTitle(tabs()->indexOf(m_profiles), document().profiles().baseline() ? tr("Compare \u2022") : tr("Compare"));
    });
    setAcceptDrops(true);
    if (context.actions)
      connect(context.actions, &PanelActions::runRequested, this, [this] {
        if (isVisibleTo(parentWidget())) m_controls->run();
      });
    if (context.actions)
      connect(context.actions, &PanelActions::inputFilesGiven, this, [this](const QStringList& files) {
        if (isVisibleTo(parentWidget())) m_controls->giveFiles(files);
      });
    m_controls->setSession(document().options());
    showInputs();
  }

 protected:
  // Where there is width, fields and figures share a line; where there is little height, figures are one. The timeline
  // has the rest.
  void resizeEvent(QResizeEvent* event) override {
    StagePanel::resizeEvent(event);
    m_head->setDirection(width() >= scaled(kWide) ? QBoxLayout::RightToLeft : QBoxLayout::TopToBottom);
    m_strip->setCompact(height() < scaled(kTall));
  }

  // A trace dropped on the panel is painted on the graph; on the page of comparisons it becomes the baseline.
  void dragEnterEvent(QDragEnterEvent* event) override {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && isTraceName(urls.front().toLocalFile())) event->acceptProposedAction();
  }
  void dropEvent(QDropEvent* event) override {
    document().profiles().showTrace(event->mimeData()->urls().front().toLocalFile());
    event->acceptProposedAction();
  }

 private:
  const void* source(const WalkReport& walk) const override { return walk.run.get(); }

  bool hasFailed() const {
    return !document().planOnly() && document().stageState(Stage::kRun) == StageState::kFailed && document().error();
  }

  // What went wrong and what helps; figures below it are those of the run before.
  void showFailure() {
    const bool failed = hasFailed();
    m_failure->setVisible(failed);
    m_play->setVisible(!failed || document().walk()->run);  // else there is nothing to play, and the message needs room
    if (!failed) return m_failure->clear();
    const Error& error = *document().error();
    QString words = QStringLiteral("\u26a0 ") + tr("The run failed: %1").arg(shortened(told(error), kMostWords));
    words += QLatin1Char('\n') + nextStep(error.code);
    if (document().walk()->run) words += QLatin1Char('\n') + tr("The figures below are those of the run before.");
    m_failure->setText(words);
  }

  void showInputs() {
    showFailure();
    if (!document().walk()->run) m_timeline->present(nullptr, emptyWords(nullptr));
    m_creation->present(document().walk()->creation);
    const auto graphs = document().walk()->loadedGraphs;
    const bool ready = graphs && !document().planOnly() &&
                       document().walk()->stages[static_cast<size_t>(Stage::kPattern)].state == StageState::kDone;
    if (ready == (m_graphs != nullptr) && (!ready || graphs == m_graphs)) return;
    m_graphs = ready ? graphs : nullptr;
    m_controls->setInputs(ready && !graphs->graphs.empty() ? &graphs->graphs[0] : nullptr);
  }

  void fill(const WalkReport& walk) override {
    const auto view = runView(walk);
    QStringList simulated;
    for (const std::string& name : simulatedProviders(walk))
      simulated << text(name);
    m_strip->present(walk.run, simulated);
    m_timeline->present(view, emptyWords(view ? view->run.get() : nullptr));
    m_nodes->present(view);
    m_devices->present(view);
    setTabTitle(tabs()->indexOf(m_nodes), tr("Nodes"));
    if (!view) {
      for (ReportModel* model : {m_outputs, m_inputs})
        model->present({});
      return;
    }
    fillTensors(m_outputs, view->run, view->run->outputs);
    fillTensors(m_inputs, view->run, view->run->inputs);
  }

  QString emptyWords(const RunReport* run) const {
    if (document().planOnly())
      return tr(
          "This model cannot run here: it has parts that were compiled for something else. "
          "Everything else about it is shown.");
    if (!run)
      return hasFailed() ? tr("The run failed: there is nothing to show.")
                         : tr("Not run yet. Press Run (Ctrl+R): times are painted on the graph as soon as it has run.");
    return run->profiled ? QString() : tr("This run was not profiled. Choose \u201cTime nodes\u201d and run again.");
  }

  void fillTensors(ReportModel* model, const std::shared_ptr<const RunReport>& run,
                   const std::vector<TensorSummary>& tensors) {
    const auto number = [](const QString& title, double TensorSummary::* figure) {
      return ColumnOf<TensorSummary>{
          .title = title, .kind = Column::kNumber, .text = [figure](const TensorSummary& tensor) {
            return QString::number(tensor.*figure, 'g', 5);
          }};
    };
    model->present(
        rowsOf<TensorSummary>(partOf(run, tensors),
                              {{.title = tr("Name"), .text = &TensorSummary::name},
                               {.title = tr("Type"), .text = &TensorSummary::type},
                               number(tr("Minimum"), &TensorSummary::minimum),
                               number(tr("Maximum"), &TensorSummary::maximum),
                               number(tr("Mean"), &TensorSummary::mean),
                               {.title = tr("NaN, Inf"),
                                .kind = Column::kNumber,
                                .text =
                                    [](const TensorSummary& tensor) {
                                      return QStringLiteral("%1, %2").arg(tensor.nanCount).arg(tensor.infCount);
                                    }},
                               {.title = tr("First values"), .text = &TensorSummary::preview}},
                              [](const TensorSummary& tensor) { return RowTarget{{}, {0, text(tensor.name)}}; }));
  }

  static constexpr int kWide = 1000, kTall = 360;
  static constexpr int kMostWords = 400;  // of a message: all of it is in the banner

  QBoxLayout* m_head = nullptr;
  RunControls* m_controls;
  WholeLabel* m_failure = new WholeLabel;
  PlayBar* m_play = nullptr;
  StatisticsStrip* m_strip;
  TimelinePage* m_timeline;
  NodeTimes* m_nodes;
  DevicesPage* m_devices;
  ProfilePage* m_profiles;
  CreationPage* m_creation;
  ReportModel* m_outputs;
  ReportModel* m_inputs;
  std::shared_ptr<const ModelGraphs> m_graphs;
};

}  // namespace

const PanelDescriptor& panel_run() {
  static const PanelDescriptor descriptor{
      .id = "run",
      .title = "Run",
      .icon = "stage-run",
      .area = PanelArea::kStage,
      .stage = Stage::kRun,
      .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new RunPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui

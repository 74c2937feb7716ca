#include "ui/shell/tour.h"

#include <algorithm>
#include <cstdio>

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QPixmap>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>

#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/study_job.h"
#include "ui/document/window_words.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_table.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"
#include "ui/shell/tool_docks.h"
#include "ui/sweep/sweep_tab.h"

namespace cutaway::ui {
namespace {
constexpr int kTickMs = 60;
constexpr int kQuietTicks = 3;  // panels and canvas have painted what there is
constexpr size_t kMostTried = 2000;
constexpr int kPatienceMs = 300'000;  // for one step
const QString kOpinion = QStringLiteral("opinion");
const QString kDerive = QStringLiteral("derive");

// What else the graph of the model as loaded can show.
constexpr const char* kSights[] = {"roles", "graphviz"};
}  // namespace

Tour::Tour(MainWindow* window, const QString& folder, const QString& model)
    : QObject(window), m_window(window), m_folder(folder), m_model(model) {}

void Tour::start() {
  if (!m_folder.mkpath(QStringLiteral("."))) return end(1, tr("cannot make the folder %1").arg(m_folder.path()));
  m_patience.start();
  m_window->openFile(m_model);
  if (SweepTab* sweep = m_window->currentSweep())
    connect(sweep, &SweepTab::shown, this, [this, sweep] { pictureSweep(sweep); });
  else
    QTimer::singleShot(kTickMs, this, &Tour::next);
}

void Tour::pictureSweep(SweepTab* sweep) {
  if (!sweep->sweep()) return end(1, tr("%1 could not be read").arg(m_model));
  for (const auto& [view, name] : {std::pair(SweepView::kSummary, "sweep-outcome"),
                                   {SweepView::kProviders, "sweep-providers"},
                                   {SweepView::kTime, "sweep-time"},
                                   {SweepView::kMemory, "sweep-memory"}}) {
    sweep->setView(view);
    takePicture(QLatin1String(name));
  }
  end(0, {});
}

void Tour::end(int code, const QString& why) {
  if (!why.isEmpty()) std::fprintf(stderr, "%s\n", qPrintable(why));
  // The event loop may not be running yet when the tour ends early.
  QTimer::singleShot(0, qApp, [code] { QApplication::exit(code); });
}

bool Tour::settled() {
  DocumentPage* page = m_window->currentPage();
  const bool still = !page->document()->service().busy() && !page->canvas()->loading() &&
                     page->canvas()->view()->complete() &&
                     std::ranges::none_of(m_window->findChildren<StudyJob*>(), &StudyJob::busy);
  m_quiet = still ? m_quiet + 1 : 0;
  return m_quiet >= kQuietTicks;
}

void Tour::next() {
  if (m_patience.elapsed() > kPatienceMs) return end(1, tr("the tour took too long"));
  if (!settled()) {
    QTimer::singleShot(kTickMs, this, &Tour::next);
    return;
  }
  Document* document = m_window->currentPage()->document();
  // A run that fails has a picture, too: panels say what to do.
  if (document->error() && !document->planOnly() && !m_ran) return end(1, told(*document->error()));
  m_quiet = 0;
  m_patience.restart();
  if (m_tool >= 0) {
    takeToolPictures();
    if (nextTool())
      QTimer::singleShot(kTickMs, this, &Tour::next);
    else
      end(0, {});
    return;
  }
  if (m_sight >= 0) {
    takePicture(QStringLiteral("%1-%2").arg(m_stage + 1).arg(QLatin1String(kSights[m_sight])));
    if (nextSight()) {
      QTimer::singleShot(kTickMs, this, &Tour::next);
      return;
    }
  } else if (m_exporting) {
    takePicture(QStringLiteral("%1-export").arg(m_stage + 1));
    m_exporting = false;
  } else if (m_finding) {
    takePicture(QStringLiteral("%1-kernels").arg(m_stage + 1));
    m_finding = false;
  } else if (m_comparing) {
    takePicture(QStringLiteral("%1-what-if").arg(m_stage + 1));
    m_comparing = false;
    document->draft().revert();
    document->dropComparison();
  } else if (m_stage >= 0) {
    const auto shown = static_cast<Stage>(m_stage);
    takePicture(QStringLiteral("%1-%2")
                    .arg(m_stage + 1)
                    .arg(m_measured ? QStringLiteral("memory") : QString::fromLatin1(stageId(shown))));
    if (shown == Stage::kAllocate) takeTabPictures(QStringLiteral("6-allocate"));
    if (shown == Stage::kRun && m_measured) takeTabPictures(QStringLiteral("8-memory"));
    if ((shown == Stage::kLoad && nextSight()) || beginMore(shown)) {
      QTimer::singleShot(kTickMs, this, &Tour::next);
      return;
    }
  }
  if (++m_stage == kStageCount) {
    m_window->ribbon()->button(Stage::kPartition)->setChecked(true);
    if (!nextTool()) return end(0, {});
    QTimer::singleShot(kTickMs, this, &Tour::next);
    return;
  }
  const auto stage = static_cast<Stage>(m_stage);
  m_window->ribbon()->button(stage)->setChecked(true);
  // Something selected shows how the panels keep step: the middle of the main graph.
  if (stage == Stage::kResolve) {
    const auto shown = document->graphs(document->shownVersion()), last = document->graphs(GraphVersion::kPartitioned);
    if (shown && !shown->graphs[0].nodes.empty()) selectLasting(*shown, last ? last->graphs[0].nodes.size() / 3 : 0);
  }
  if (stage == Stage::kRun && !m_ran && !document->planOnly()) {
    m_ran = true;
    document->service().run({});
  }
  QTimer::singleShot(kTickMs, this, &Tour::next);
}

// What else a stage has to show than itself.
bool Tour::beginMore(Stage shown) {
  m_comparing = (shown == Stage::kPartition && compare()) || (shown == Stage::kPattern && comparePlans());
  m_measured = shown == Stage::kRun && !m_measured;
  // After a run the plan has something to be compared with.
  if (m_measured) m_window->ribbon()->button(Stage::kPattern)->setChecked(true);
  m_exporting = !m_measured && shown == Stage::kContext && exportContext();
  m_finding = shown == Stage::kSchedule && findKernels();
  return m_comparing || m_measured || m_exporting || m_finding;
}

// The first node shown that no stage takes away and that ends up `wanted` nodes or more into the plan: it is there in
// every picture.
void Tour::selectLasting(const ModelGraphs& shown, size_t wanted) {
  Document* document = m_window->currentPage()->document();
  Selection& selection = document->selection();
  const auto count = std::min(shown.graphs[0].nodes.size(), kMostTried);
  for (size_t i = wanted; i < wanted + count; ++i) {
    selection.selectNode({document->shownVersion(), 0, static_cast<int>(i % shown.graphs[0].nodes.size())});
    if (const NodeTarget there = selection.focusIn(GraphVersion::kPartitioned);
        there.valid() && there.graph == 0 && static_cast<size_t>(there.node) >= wanted)
      return;
  }
}

// What if the provider that took most nodes, cpu aside, were not there?
bool Tour::compare() {
  Document* document = m_window->currentPage()->document();
  if (!document->service().host().evaluateWhatIf || !document->walk()->partition) return false;
  WhatIfDraft& draft = document->draft();
  if (draft.providers().size() < 2) return false;
  std::vector<DraftProvider> providers = draft.providers();
  const auto taken = [&](const DraftProvider& provider) {
    const std::vector<NodePlacement>& nodes = document->walk()->partition->nodes;
    return std::count_if(nodes.begin(), nodes.end(), [name = provider.name.toStdString()](const NodePlacement& node) {
      return node.provider == name;
    });
  };
  const auto most =
      std::max_element(providers.begin(), providers.end() - 1,
                       [&](const DraftProvider& a, const DraftProvider& b) { return taken(a) < taken(b); });
  most->enabled = false;
  draft.setProviders(std::move(providers));
  document->compare();
  return true;
}

// What would onnxruntime's planner do?
bool Tour::comparePlans() {
  Document* document = m_window->currentPage()->document();
  if (!document->service().host().evaluateWhatIf || !document->walk()->pattern) return false;
  DraftPlan plan = document->draft().plan();
  plan.rules = plan.rules == "onnxruntime" ? "cutaway" : "onnxruntime";
  document->draft().setPlan(plan);
  document->compare();
  return true;
}

// The roles of values over the graph, then Graphviz's layout, then everything as it was.
bool Tour::nextSight() {
  CanvasPane* canvas = m_window->currentPage()->canvas();
  CanvasSettings settings = canvas->settings();
  ++m_sight;
  canvas->setOverlay(m_sight == 0 ? QStringLiteral("role") : QString());
  settings.layout = m_sight == 1 ? LayoutEngine::kDot : LayoutEngine::kOwn;
  canvas->setSettings(settings);
  if (m_sight < static_cast<int>(std::size(kSights))) return true;
  m_sight = -1;
  return false;
}

void Tour::takeTabPictures(const QString& stage) {
  for (QTabWidget* tabs : m_window->findChild<QDockWidget*>(QStringLiteral("stageDock"))->findChildren<QTabWidget*>()) {
    if (!tabs->isVisible()) continue;
    for (int tab = 1; tab < tabs->count(); ++tab) {
      if (!tabs->isTabVisible(tab)) continue;
      tabs->setCurrentIndex(tab);
      takePicture(QStringLiteral("%1-%2").arg(stage).arg(tab + 1));
    }
    tabs->setCurrentIndex(0);
    return;
  }
}

// One tool at a time: the one before is put away.
bool Tour::nextTool() {
  const auto& panels = panelTable();
  if (m_tool >= 0) m_window->tools()->toggle(QLatin1String(panels[static_cast<size_t>(m_tool)]->id));
  do
    ++m_tool;
  while (m_tool < static_cast<int>(panels.size()) && panels[static_cast<size_t>(m_tool)]->area != PanelArea::kTool);
  if (m_tool == static_cast<int>(panels.size())) return false;
  const QString id = QLatin1String(panels[static_cast<size_t>(m_tool)]->id);
  m_window->tools()->raise(id);
  OpinionController& opinion = m_window->currentPage()->document()->opinion();
  if (id == kOpinion)
    opinion.ask();
  else
    opinion.drop();   // and with it the ribbon's second line
  if (id == kDerive)  // it only reads the nodes
    m_window->tools()->dock(id)->findChild<EmptyState*>()->button()->click();
  return true;
}

// ONNX Runtime's answer fills one table after the other.
void Tour::takeToolPictures() {
  const QString id = QLatin1String(panelTable()[static_cast<size_t>(m_tool)]->id);
  takePicture(QStringLiteral("tool-%1").arg(id));
  auto* tabs = id == kOpinion ? m_window->tools()->dock(id)->findChild<QTabWidget*>() : nullptr;
  if (!tabs || !tabs->isVisible()) return;
  for (int tab = 1; tab < tabs->count(); ++tab) {
    tabs->setCurrentIndex(tab);
    takePicture(QStringLiteral("tool-%1-%2").arg(id).arg(tab + 1));
  }
}

bool Tour::findKernels() {
  auto* page = m_window->findChild<QTextBrowser*>(QStringLiteral("inspector/page"));
  if (!page || m_window->currentPage()->document()->planOnly()) return false;
  emit page->anchorClicked(QUrl(QStringLiteral("kernels:find")));
  return true;
}

bool Tour::exportContext() {
  Document* document = m_window->currentPage()->document();
  const auto& context = document->walk()->context;
  if (!document->contexts().can() || !context ||
      std::none_of(context->groups.begin(), context->groups.end(),
                   [](const ContextGroup& group) { return group.canSave; }))
    return false;
  document->contexts().exportModel(
      {.file = m_scratch.filePath(QFileInfo(document->path()).completeBaseName() + QStringLiteral("_ctx.onnx"))});
  return true;
}

void Tour::takePicture(const QString& name) {
  const QString file = m_folder.filePath(name + QStringLiteral(".png"));
  if (!m_window->grab().save(file)) return end(1, tr("cannot write %1").arg(file));
  std::printf("%s\n", qPrintable(file));
}

}  // namespace cutaway::ui

// How the items of the canvas look: colours of the overlay, execution, selection.
#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/canvas/view/canvas_bar.h"
#include "ui/canvas/view/canvas_finder.h"
#include "ui/canvas/view/canvas_highlights.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/legend.h"
#include "ui/canvas/view/minimap.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostParts = 5;

// Of nodes whose library measures itself: the parts that took most.
std::unordered_map<int, QString> partsOf(const Scene& scene, const RunReport& run) {
  std::unordered_map<int, QString> parts;
  for (const NodeTiming& timing : run.nodes) {
    if (timing.subSteps.empty() || timing.graph != scene.graph || timing.node < 0 ||
        static_cast<size_t>(timing.node) >= scene.itemOfNode.size())
      continue;
    std::vector<SubStepTiming> steps = timing.subSteps;
    std::ranges::stable_sort(steps, std::greater(), &SubStepTiming::totalNs);
    QStringList words;
    for (size_t i = 0; i < std::min(steps.size(), kMostParts); ++i)
      words << text(steps[i].name) + QLatin1Char(' ') + timeText(steps[i].totalNs);
    parts.emplace(scene.itemOfNode[static_cast<size_t>(timing.node)], words.join(QStringLiteral(" \u00b7 ")));
  }
  return parts;
}

}  // namespace

// Of the graph, of bodies and of open groups: these show what is known of their nodes before they were compiled.
void CanvasPane::makeOverlays(const ProviderMarks& marks) {
  const ReadingController& reading = ReadingController::of(m_document);
  const auto accuracy = m_document->accuracy().report();
  const OverlayExtras extras{.accuracy = accuracy.get(),
                             .diff = m_diff.get(),
                             .diffSideA = m_diffSideA,
                             .rules = reading.graphs() == m_graphs ? reading.matches().get() : nullptr};
  const WalkReport& walk = m_document->colouredWalk();
  const auto overlayOf = [&](GraphVersion version, int graph) {
    return makeOverlay(overlayId().toStdString(), walk, version, graph, &marks, extras);
  };
  m_bodyOverlays.clear();
  *m_overlay = overlayOf(m_version, graph());
  std::vector<int> opened;
  std::vector<const Overlay*> inside;
  for (const int body : m_loaded.scene->shownGraphs()) {
    if (body == graph()) continue;
    const OpenedGroup* group = m_opened.of(body);
    const Overlay& own =
        m_bodyOverlays
            .emplace(body, group ? insideGroup(*group, overlayOf(GraphVersion::kOptimized, group->graph))
                                 : overlayOf(m_version, body))
            .first->second;
    if (!group || group->graph != graph()) continue;
    opened.push_back(group->fused);
    inside.push_back(&own);
  }
  std::ranges::sort(opened);
  spreadRamp(*m_overlay, opened, inside);
}

// Colours alone: what every card says of its nodes stays, and of a large graph that is most of the work.
void CanvasPane::refreshTheme() {
  const Theme& theme = m_themes->current();
  m_bar->setTheme(theme);
  m_finder->bar()->setTheme(theme);
  QPalette ground = m_view->palette();
  ground.setColor(QPalette::Window, theme.canvas);
  m_view->setPalette(ground);
  if (!m_loaded.scene || m_view->look().share.size() != m_loaded.scene->items.size()) return;
  m_view->setTheme(theme);
  m_legend->present(m_overlay.get(), &theme);
  m_minimap->refresh();
}

void CanvasPane::refreshLook() {
  refreshTheme();
  const Theme& theme = m_themes->current();
  m_bar->setOverlay(overlayId());
  m_bar->setComparison(m_document->showsComparison(), m_document->side());
  if (!m_loaded.scene) {
    m_legend->hide();
    m_minimap->hide();
    m_view->update();
    return;
  }
  // Both sides of a comparison have the same colours.
  const ProviderMarks marks =
      providerMarks(*m_document->walk(), m_document->showsComparison() ? m_document->whatIf()->walk.get() : nullptr);
  makeOverlays(marks);
  SceneLook look = lookOf(*m_loaded.scene, *m_overlay, theme, [this](int body) {
    const auto of = m_bodyOverlays.find(body);
    return of == m_bodyOverlays.end() ? nullptr : &of->second;
  });
  const WalkReport& walk = *m_document->walk();
  const auto& costs = m_version == GraphVersion::kPartitioned ? walk.partitionedCosts
                      : m_version == GraphVersion::kOptimized ? walk.optimizedCosts
                                                              : walk.loadedCosts;
  const FormulasController& formulas = FormulasController::of(m_document);
  look.figures =
      figuresOf(*m_loaded.scene, costs.get(), m_version == GraphVersion::kPartitioned ? walk.run.get() : nullptr,
                [&](int of, int node) { return formulas.flopsOf({m_version, of, node}); });
  for (const SceneBox& box : m_loaded.scene->boxes) {
    const Scope& scope = m_loaded.scene->scopes->scopes[static_cast<size_t>(box.scope)];
    if (scope.kind != ScopeKind::kBody) continue;
    const NodeReport& call =
        m_opened.graphs->graphs[static_cast<size_t>(scope.callGraph)].nodes[static_cast<size_t>(scope.callNode)];
    if (opensAsHull(call)) look.hulls.emplace(box.scope, marks.indexOf(call.provider));
  }
  if (m_version == GraphVersion::kPartitioned && walk.run) look.parts = partsOf(*m_loaded.scene, *walk.run);
  m_view->setMotion(motionWanted(*m_viewState));
  m_view->setLook(std::move(look));
  m_legend->present(m_overlay.get(), &theme);
  m_minimap->refresh();
  refreshHighlights();
  placeOverlays();
  refreshPlayed();
}

// The step and the range of the execution order on the graph; what runs is kept in sight.
void CanvasPane::refreshPlayed() {
  if (!showsGraphs() || m_view->look().share.size() != m_loaded.scene->items.size()) return;
  const Playhead& head = m_document->playhead();
  std::optional<std::pair<int, int>> range;
  if (head.range()) range = {head.range()->first, head.range()->last};
  if (head.active() || range) {
    m_view->setPlayed(playedItems(
        *m_loaded.scene,
        [this](int graph) -> const std::vector<int32_t>& { return m_document->steps().stepsOf(m_version, graph); },
        head.step(), range));
  } else {
    m_view->setPlayed(fadedItems(*m_loaded.scene, m_version, ReadingController::of(m_document).reach()));
  }
  if (std::exchange(m_playedStep, head.step()) == head.step() || !head.active()) return;
  const std::vector<Played>& played = m_view->look().played;
  const auto now = std::find(played.begin(), played.end(), Played::kCurrent);
  if (now != played.end()) m_view->reveal(m_loaded.scene->items[static_cast<size_t>(now - played.begin())].rect);
}

void CanvasPane::refreshHighlights() {
  if (!showsGraphs() || m_view->look().share.size() != m_loaded.scene->items.size()) return;
  m_view->setHighlights(highlightsOf(*m_loaded.scene, *m_document, m_version, m_opened, *m_finder,
                                     ReadingController::of(m_document).reach()));
  placeOverlays();  // what is selected stays in sight
}

}  // namespace cutaway::ui

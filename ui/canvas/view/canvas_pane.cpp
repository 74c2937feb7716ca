#include "ui/canvas/view/canvas_pane.h"

#include <algorithm>
#include <utility>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/scene_anchor.h"
#include "ui/canvas/view/canvas_bar.h"
#include "ui/canvas/view/canvas_finder.h"
#include "ui/canvas/view/canvas_highlights.h"
#include "ui/canvas/view/canvas_places.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/floating_places.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/legend.h"
#include "ui/canvas/view/minimap.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {
constexpr int kResizedMs = 250;        // that a size must last before columns are made for it
constexpr size_t kFewSelected = 16;    // that what floats over the graph gives way to
constexpr double kSelectedWeight = 8;  // how much worse it is to hide one of them than another card
constexpr double kOtherSize = 1.15;    // times one side, from which a size is another
const QString kMinimapKey = QStringLiteral("canvas/minimap");
}  // namespace

CanvasPane::CanvasPane(Document* document, ThemeStore* themes, ViewState* viewState, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_themes(themes),
      m_viewState(viewState),
      m_bar(new CanvasBar),
      m_view(new GraphView),
      m_minimap(new Minimap(m_view)),
      m_legend(new Legend(m_view)),
      m_failure(new QLabel(m_view)),
      m_finder(new CanvasFinder(m_document, m_view)),
      m_places(new CanvasPlaces(this, m_document, m_minimap)),
      m_overlay(std::make_unique<Overlay>()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bar);
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  column->addWidget(m_view, 1);
  m_failure->setObjectName(QStringLiteral("canvas/failure"));
  m_failure->setAlignment(Qt::AlignCenter);
  m_failure->setWordWrap(true);
  m_failure->setMargin(kSpaceHuge);
  m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_failure->hide();
  m_settings = CanvasSettings::read(*m_viewState);
  m_bar->setGrouping(m_settings);
  m_minimap->follow(m_view);
  m_view->setWheelZooms(m_viewState->get(QStringLiteral("canvas/wheelZooms"), false).toBool());
  connectView();
  connectBar();
  connect(&m_loader, &SceneLoader::loaded, this, &CanvasPane::showScene);
  connect(&m_loader, &SceneLoader::failed, this, &CanvasPane::showFailure);
  connect(&m_document->service(), &EngineService::jobChanged, this, [this] {
    if (m_loaded.scene && !m_loader.busy()) dropPlace();
  });
  m_document->onWalkChange(kReports | WalkPart::kComparison, this, &CanvasPane::documentChanged);
  connect(m_document, &Document::stageChanged, this, [this] {
    m_chosenOverlay.reset();
    documentChanged();
  });
  connect(&m_document->selection(), &Selection::changed, this, &CanvasPane::refreshHighlights);
  connect(&m_document->selection(), &Selection::revealRequested, this, &CanvasPane::revealSelection);
  connect(m_document, &Document::whatIfChanged, this, &CanvasPane::refreshLook);
  connect(&m_document->playhead(), &Playhead::changed, this, &CanvasPane::refreshPlayed);
  connect(m_themes, &ThemeStore::changed, this, &CanvasPane::refreshTheme);
  ReadingController& reading = ReadingController::of(m_document);
  reading.keepIn(m_viewState);
  connect(&m_document->accuracy(), &AccuracyController::changed, this, &CanvasPane::refreshLook);
  connect(&FormulasController::of(m_document), &FormulasController::changed, this, &CanvasPane::refreshLook);
  connect(&reading, &ReadingController::matchesChanged, this, [this] {
    if (overlayId() == QLatin1String("rules")) refreshLook();
  });
  connect(&reading, &ReadingController::reachChanged, this, [this] {
    refreshHighlights();
    refreshPlayed();
  });
  refreshLook();
  documentChanged();
}

CanvasPane::~CanvasPane() = default;

void CanvasPane::connectBar() {
  connect(m_bar, &CanvasBar::graphChosen, this, &CanvasPane::enterGraph);
  connect(m_bar, &CanvasBar::overlayChosen, this, &CanvasPane::setOverlay);
  connect(m_bar, &CanvasBar::sideChosen, m_document, &Document::setSide);
  connect(m_bar, &CanvasBar::comparisonClosed, m_document, &Document::dropComparison);
  connect(m_bar, &CanvasBar::settingsChosen, this, &CanvasPane::setSettings);
  connect(m_bar, &CanvasBar::foldAllRequested, this, &CanvasPane::foldAll);
  connect(m_bar, &CanvasBar::unfoldAllRequested, this, &CanvasPane::unfoldAll);
  connect(m_bar, &CanvasBar::zoomRequested, m_view, &GraphView::zoom);
  connect(m_bar, &CanvasBar::fitRequested, m_view, &GraphView::fit);
  connect(m_bar, &CanvasBar::actualSizeRequested, m_view, [this] { m_view->zoomTo(1); });
  connect(m_bar, &CanvasBar::findRequested, this, &CanvasPane::openFind);
  m_resized.setSingleShot(true);
  m_resized.setInterval(kResizedMs);
  connect(&m_resized, &QTimer::timeout, this, &CanvasPane::followSize);
  connect(m_view, &GraphView::fitted, &m_resized, qOverload<>(&QTimer::start));
  connect(m_view, &GraphView::fitted, this, &CanvasPane::placeOverlays);
  m_legend->setCovered([this](const QRect& place) { return coveredByCards(place); });
  connect(m_finder, &CanvasFinder::changed, this, &CanvasPane::refreshHighlights);
  connect(m_finder, &CanvasFinder::arrived, this, [this](const FindHit& hit) {
    m_wayWanted = hit;
    openWay();
  });
  connect(m_finder->bar(), &FindBar::resized, this, &CanvasPane::placeOverlays);
  connect(m_finder, &CanvasFinder::closed, this, [this] {
    m_view->setFocus();
    placeOverlays();
  });
}

FindBar* CanvasPane::findBar() {
  return m_finder->bar();
}

QString CanvasPane::overlayId() const {
  return m_chosenOverlay.value_or(QString::fromLatin1(overlayFor(m_document->stage())));
}

// A new snapshot or another stage: the scene is only built anew when the graphs are others.
void CanvasPane::documentChanged() {
  const GraphVersion version = m_document->shownVersion();
  const auto graphs = m_document->graphs(version);
  if (graphs != m_graphs || version != m_version) {
    m_graphs = graphs;
    m_version = version;
    m_opened = version == GraphVersion::kPartitioned ? openedGroups(*m_document->walk()) : OpenedGroups{graphs, 0, {}};
    ReadingController::of(m_document).setOpened(m_opened);
    m_openWanted = m_settings.openGroups;
    if (!graphs) {
      m_loader.cancel();
      leaveScene();
      m_failure->hide();
    } else {
      m_trail.keepWithin(*graphs);
      requestScene(true);
    }
    refreshTrail();
    return;
  }
  refreshLook();
}

void CanvasPane::requestScene(bool keepPlace) {
  if (!m_graphs) return;
  m_failure->hide();
  if (!keepPlace) {
    m_placeWanted = true;
    m_kept.reset();
    m_placed.reset();
  }
  LoadRequest request;
  request.scene.graphs = m_opened.graphs;
  request.scene.graph = graph();
  request.scene.grouping = m_settings.grouping;
  request.scene.direction = m_settings.direction;
  request.scene.contents = m_settings.contents;
  request.scene.layout = m_settings.layout;
  if (isVisible()) request.scene.window = m_view->size();
  // Providers are known of the graph that they were asked about; in the partitioned one the nodes name them.
  if (m_version != GraphVersion::kPartitioned)
    request.scene.asked = m_version == GraphVersion::kOptimized ? m_document->walk()->partition : nullptr;
  request.chooseUnfolded = !m_unfolded.contains(foldKey());
  request.openGroups = m_openWanted;
  request.scene.unfolded = m_unfolded.value(foldKey());
  m_loader.load(request);
  emit busyChanged();
}

CanvasPane::Place CanvasPane::here() const {
  const ViewTransform& t = m_view->transform();
  return {m_placeWanted ? nullptr : m_loaded.scene, t.toScene(QRectF(m_view->rect()).center()), t.scale};
}

// Since we placed the scene, by the user or by what the user did.
bool CanvasPane::isMoved() const {
  const Place now = here();
  if (!now.scene) return false;
  constexpr double kRounding = 2;  // pixels, of a view that was resized
  return !m_placed || m_placed->scale != now.scale ||
         ((m_placed->middle - now.middle) * now.scale).manhattanLength() > kRounding;
}

// After the last scene of a walk.
void CanvasPane::dropPlace() {
  if (m_document->service().job() != Job::kWalk) m_kept.reset();
}

// A slow machine shows the graphs of stages on the way. Where they are smaller, or lack what is looked at, the view has
// to stand elsewhere; it comes back because every scene of a walk is placed by what the user left, not by the one
// before.
std::optional<CanvasPane::Placing> CanvasPane::placingOf(const Scene& scene) const {
  const Place from = m_kept.value_or(here());
  if (!from.scene) return std::nullopt;
  QRectF window({}, QSizeF(m_view->size()) / from.scale);
  window.moveCenter(from.middle);
  const std::optional<SceneAnchor> anchor = anchorBetween(*from.scene, scene, window, m_foldedPath);
  if (!anchor) return std::nullopt;
  Placing placing{{.scale = from.scale}, anchor->shift().isNull() && from.scene->bounds == scene.bounds};
  placing.transform.centreOn(from.middle + anchor->shift(), m_view->size());
  if (m_foldedPath.isEmpty() && !placing.same) placing.transform.leaveNoVoid(scene.bounds, m_view->size());
  return placing;
}

// Neither a fold nor another stage may make the picture jump.
void CanvasPane::showScene(const LoadedScene& loaded) {
  const bool folded = !m_foldedPath.isEmpty();
  if (folded) m_kept.reset();
  if (!folded && isMoved()) m_kept = here();
  const std::optional<Placing> placing = placingOf(*loaded.scene);
  m_foldedPath.clear();
  if (placing) m_placeWanted = false;
  m_loaded = loaded;
  m_openWanted = false;
  unfolded() = loaded.unfolded;
  if (!loaded.scene->layoutNote.isEmpty()) emit noted(loaded.scene->layoutNote);
  std::optional<QPointF> morphShift;
  if (placing && placing->transform.scale == m_view->transform().scale)
    morphShift = (m_view->transform().offset - placing->transform.offset) / placing->transform.scale;
  m_view->setScene(loaded.scene, morphShift);
  refreshLook();
  const bool isFirst = m_placeWanted;
  if (isFirst) {
    placeFirst();
  } else {
    m_view->setTransform(placing ? placing->transform : m_view->transform());
  }
  const bool stays = isFirst || folded || (placing && placing->same);
  if (const int item = currentItem(); item >= 0 && !stays) m_view->reveal(loaded.scene->items[item].rect);
  if (std::exchange(m_fitWanted, false)) m_view->fit();
  if (m_revealWanted) revealSelection();
  openWay();
  m_placed.reset();
  if (!folded) m_placed = here();
  dropPlace();
  placeOverlays();
  emit sceneShown();
  emit busyChanged();
}

void CanvasPane::leaveScene() {
  if (const Place now = here(); now.scene && (!m_kept || isMoved())) m_kept = now;
  m_placed.reset();
  m_loaded = {};
  m_placeWanted = true;
  m_view->setScene(nullptr);
}

void CanvasPane::showFailure(const Error& error) {
  m_foldedPath.clear();
  m_fitWanted = false;
  leaveScene();
  m_failure->setText(tr("The graph cannot be shown: %1").arg(told(error)));
  m_failure->show();
  refreshLook();
  placeOverlays();
  emit busyChanged();
}

// The pane may get its scene before it gets its size.
void CanvasPane::placeFirst() {
  if (!m_loaded.scene || !isVisible()) return;
  m_view->showStart();
  m_placeWanted = false;
  m_placed = here();
}

// Another size asks for other columns, unless somebody reads at a place of their own.
void CanvasPane::followSize() {
  if (!showsGraphs() || !isVisible() || m_loader.busy() || m_placeWanted) return;
  const QSizeF now = m_view->size(), then = m_loaded.scene->window;
  const auto isOther = [](double a, double b) { return std::max(a, b) > kOtherSize * std::min(a, b); };
  if (!isOther(now.width(), then.width()) && !isOther(now.height(), then.height())) return;
  const GraphView::Placed placed = m_view->placed();
  if (placed == GraphView::Placed::kByHand) return;
  m_fitWanted = placed == GraphView::Placed::kWhole;
  requestScene(m_fitWanted);
}

int CanvasPane::firstItemOf(int ofGraph, int node) const {
  if (!m_loaded.scene || node < 0) return -1;
  const std::vector<int> items = m_loaded.scene->itemsOf(ofGraph, node);
  return items.empty() ? -1 : items.front();
}

int CanvasPane::currentItem() const {
  const NodeTarget chosen = m_document->selection().focus();
  if (chosen.valid() && chosen.version == GraphVersion::kOptimized)
    for (const auto& [inside, node] : m_opened.placesOf(chosen.graph, chosen.node))
      if (const int item = firstItemOf(inside, node); item >= 0) return item;
  const NodeTarget focus = m_document->selection().focusIn(m_version);
  return focus.valid() ? firstItemOf(focus.graph, focus.node) : -1;
}

void CanvasPane::revealSelection() {
  const Selection& selection = m_document->selection();
  const NodeTarget focus =
      selection.value().valid() ? NodeTarget{m_version, selection.value().graph, kNone} : selection.focusIn(m_version);
  const bool known = selection.value().valid() || focus.valid();
  const bool inPlace =
      showsGraphs() && focus.valid() && firstItemOf(focus.graph, focus.node) >= 0;  // in a body that is unfolded here
  if (known && focus.graph != graph() && !inPlace) {
    m_revealWanted = true;
    return enterGraph(focus.graph);
  }
  if (!showsGraphs() || m_loaded.scene->graph != graph()) {
    m_revealWanted = true;
    return;
  }
  m_revealWanted = false;
  int item = currentItem();
  if (item < 0 && selection.value().valid()) {
    const ValueReport* value = m_document->value(m_version, selection.value());
    if (value && value->producer >= 0) item = m_loaded.scene->itemOfNode[value->producer];
    if (value && value->producer < 0 && !value->consumers.empty())
      item = m_loaded.scene->itemOfNode[value->consumers.front()];
  }
  const bool readable = std::exchange(m_readableWanted, false);
  if (item < 0) return;
  const QRectF& rect = m_loaded.scene->items[item].rect;
  readable ? m_view->showReadable(rect) : m_view->reveal(rect);
}

void CanvasPane::enterGraph(int graph) {
  if (!m_graphs || !m_trail.enter(*m_graphs, graph)) return;
  m_loaded = {};
  m_view->setScene(nullptr);
  refreshTrail();
  requestScene(false);
}

void CanvasPane::leaveGraph() {
  if (m_trail.parent() < 0) return;
  const int inner = graph();
  const int parentNode = m_graphs->graphs[inner].parentNode;
  enterGraph(m_trail.parent());
  if (m_graphs->graphs[inner].parentGraph == graph() && parentNode >= 0)
    m_document->selection().selectNode({m_version, graph(), parentNode});
}

void CanvasPane::refreshTrail() {
  m_bar->setTrail(m_trail.crumbs(m_graphs.get()));
}

void CanvasPane::setOverlay(const QString& id) {
  id.isEmpty() ? m_chosenOverlay.reset() : void(m_chosenOverlay = id);
  refreshLook();
}

void CanvasPane::setSettings(const CanvasSettings& settings) {
  settings.write(*m_viewState);
  if (settings == m_settings) return;
  const bool turned = settings.direction != m_settings.direction;
  const bool opens = settings.openGroups != m_settings.openGroups;
  m_settings = settings;
  m_bar->setGrouping(m_settings);
  // What was seen as a whole is seen as a whole afterwards.
  const bool whole =
      m_loaded.scene &&
      m_view->transform().toScene(QRectF(m_view->rect())).contains(m_loaded.scene->bounds.adjusted(30, 30, -30, -30));
  if (opens && showsGraphs() && !settings.openGroups)
    unfolded() -= hullPaths(*m_opened.graphs, graph(), *m_loaded.scene->groups);
  m_openWanted = opens && settings.openGroups;
  if (m_graphs) requestScene(!(turned && whole));
}

void CanvasPane::setDifference(std::shared_ptr<const ModelDiff> diff, bool sideA) {
  m_diff = std::move(diff);
  m_diffSideA = sideA;
  if (overlayId() == QLatin1String("diff")) refreshLook();
}

void CanvasPane::toggleMinimap() {
  m_viewState->put(kMinimapKey, !m_viewState->get(kMinimapKey, true).toBool());
  placeOverlays();
}

void CanvasPane::setWheelZooms(bool zooms) {
  m_view->setWheelZooms(zooms);
  m_viewState->put(QStringLiteral("canvas/wheelZooms"), zooms);
}

void CanvasPane::openFind() {
  m_finder->open();
  placeOverlays();
}

// Another pane may have been told to show graphs in another way.
void CanvasPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (const CanvasSettings wanted = CanvasSettings::read(*m_viewState); wanted != m_settings) setSettings(wanted);
}

void CanvasPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_placeWanted) placeFirst();
  placeOverlays();
  m_resized.start();
}

// How much of a place on the view is taken, by cards or by what is typed.
double CanvasPane::coveredByCards(const QRect& place) const {
  if (!m_loaded.scene) return 0;
  if (FindBar* find = m_finder->bar(); !find->isHidden() && find->geometry().intersects(place))
    return place.width() * place.height();
  const QRectF rect = m_view->transform().toScene(QRectF(place));
  const std::vector<int>& selected = m_view->look().selected;
  const bool isFew = selected.size() <= kFewSelected;
  double covered = 0;
  m_loaded.scene->itemGrid.visit(rect, [&](int item) {
    const QRectF shared = m_loaded.scene->items[static_cast<size_t>(item)].rect.intersected(rect);
    const bool isWanted = isFew && std::ranges::find(selected, item) != selected.end();
    covered += shared.width() * shared.height() * (isWanted ? kSelectedWeight : 1);
  });
  return covered * m_view->transform().scale * m_view->transform().scale;
}

void CanvasPane::placeOverlays() {
  const QSize room = m_view->size();
  if (FindBar* find = m_finder->bar(); !find->isHidden()) {
    find->fitInto(room.width() - 2 * kFloatingMargin);
    find->move(room.width() - find->width() - kFloatingMargin, kFloatingMargin);
  }
  m_failure->setGeometry(m_view->rect());
  m_legend->place();
  const QSize wanted =
      m_minimap->wantedSize(QSize(std::min(190, room.width() / 4), std::max(80, room.height() * 55 / 100)));
  const bool shown = wanted.isValid() && m_viewState->get(kMinimapKey, true).toBool() && room.width() > 420 &&
                     !isLowCanvas(room) &&
                     !m_view->transform()
                          .toScene(QRectF(m_view->rect()))
                          .adjusted(-1, -1, 1, 1)
                          .contains(m_loaded.scene->bounds.adjusted(30, 30, -30, -30));  // all in sight: nothing to map
  m_minimap->setVisible(shown);
  if (!shown) return;
  const QRect place = leastCovered(wanted, room, kMapCorners, [this](const QRect& corner) {
    const bool taken = !m_legend->isHidden() && m_legend->geometry().intersects(corner);
    return taken ? corner.width() * corner.height() : coveredByCards(corner);
  });
  m_minimap->setGeometry(place);
}

}  // namespace cutaway::ui

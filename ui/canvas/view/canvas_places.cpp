// A place is the original node nearest to the middle and how far from it the middle is, so that it is found again when
// the layout is another one.
#include "ui/canvas/view/canvas_places.h"

#include <cmath>
#include <limits>

#include <QKeyEvent>

#include "ui/base/format.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/minimap.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr int kSettleMs = 600;
constexpr size_t kMostPlaces = 200;

bool samePlace(const CanvasPlace& a, const CanvasPlace& b, const QSizeF& window) {
  if (a.where.stage != b.where.stage || a.where.graph != b.where.graph || !(a.focus == b.focus)) return false;
  if (a.where.origin != b.where.origin) return false;
  const QPointF way = (a.where.centre - b.where.centre) * b.where.scale;
  return std::abs(way.x()) < window.width() / 2 && std::abs(way.y()) < window.height() / 2 &&
         a.where.scale < 2 * b.where.scale && b.where.scale < 2 * a.where.scale;
}

}  // namespace

CanvasPlaces::CanvasPlaces(CanvasPane* pane, Document* document, Minimap* minimap)
    : QObject(pane), m_pane(pane), m_document(document), m_minimap(minimap) {
  m_settled.setSingleShot(true);
  m_settled.setInterval(kSettleMs);
  connect(&m_settled, &QTimer::timeout, this, &CanvasPlaces::note);
  connect(pane, &CanvasPane::sceneShown, this, &CanvasPlaces::arrive);
  connect(pane->view(), &GraphView::transformChanged, this, [this] { m_settled.start(); });
  connect(&document->selection(), &Selection::changed, this, [this] { m_settled.start(); });
  connect(&document->bookmarks(), &Bookmarks::changed, this, &CanvasPlaces::showFlags);
  pane->view()->installEventFilter(this);
}

std::optional<CanvasPlace> CanvasPlaces::here() const {
  const Scene* scene = m_pane->loaded().scene.get();
  if (!scene || scene->items.empty() || m_pane->loading()) return std::nullopt;
  const GraphView* view = m_pane->view();
  const QPointF middle = view->transform().toScene(QPointF(view->width() / 2.0, view->height() / 2.0));
  double nearest = std::numeric_limits<double>::infinity();
  int best = -1;
  for (size_t n = 0; n < scene->itemOfNode.size(); ++n) {
    const QPointF way = scene->items[static_cast<size_t>(scene->itemOfNode[n])].rect.center() - middle;
    if (const double distance = QPointF::dotProduct(way, way);
        distance < nearest && !scene->report().nodes[n].origins.empty())
      nearest = distance, best = static_cast<int>(n);
  }
  CanvasPlace place;
  place.where.stage = m_document->stage();
  place.where.graph = scene->graph;
  place.where.scale = view->transform().scale;
  place.where.centre = middle;
  place.where.unfolded = m_pane->unfoldedPaths();
  if (best >= 0) {
    place.where.origin = scene->report().nodes[static_cast<size_t>(best)].origins.front();
    place.where.centre =
        middle - scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(best)])].rect.center();
    place.where.title = QStringLiteral("%1 %2").arg(operatorText(scene->report().nodes[static_cast<size_t>(best)]),
                                                    nodeTitle(scene->report(), best));
  }
  place.focus = m_document->selection().focus();
  return place;
}

std::optional<QPointF> CanvasPlaces::pointOf(const Bookmark& place) const {
  const Scene* scene = m_pane->loaded().scene.get();
  if (!scene || scene->graph != place.graph) return std::nullopt;
  if (place.origin < 0) return place.centre;
  for (size_t n = 0; n < scene->itemOfNode.size(); ++n)
    for (const int32_t origin : scene->report().nodes[n].origins)
      if (origin == place.origin)
        return scene->items[static_cast<size_t>(scene->itemOfNode[n])].rect.center() + place.centre;
  return std::nullopt;
}

// Where the view has come to rest.
void CanvasPlaces::note() {
  if (m_wanted) return;
  std::optional<CanvasPlace> place = here();
  if (!place) return;
  const QSizeF window = m_pane->view()->size();
  if (m_at >= 0 && samePlace(m_history[static_cast<size_t>(m_at)], *place, window)) {
    m_history[static_cast<size_t>(m_at)].where = place->where;  // the very place to come back to
    return;
  }
  m_history.resize(static_cast<size_t>(m_at + 1));
  m_history.push_back(*std::move(place));
  if (m_history.size() > kMostPlaces) m_history.erase(m_history.begin());
  m_at = static_cast<int>(m_history.size()) - 1;
}

void CanvasPlaces::goBack() {
  if (m_settled.isActive()) m_settled.stop(), note();
  if (canGoBack()) go(m_history[static_cast<size_t>(--m_at)]);
}

void CanvasPlaces::goForward() {
  if (canGoForward()) go(m_history[static_cast<size_t>(++m_at)]);
}

void CanvasPlaces::go(const CanvasPlace& place) {
  m_wanted = place;
  m_document->setStage(place.where.stage);
  // The selection first: it may lead to another graph.
  if (place.focus.valid()) {
    m_document->selection().selectNode(place.focus);
  } else {
    m_document->selection().clear();
  }
  m_pane->enterGraph(place.where.graph);
  if (m_pane->graph() == place.where.graph && m_pane->unfoldedPaths() != place.where.unfolded)
    m_pane->setUnfoldedPaths(place.where.unfolded);
  arrive();
}

void CanvasPlaces::arrive() {
  showFlags();
  if (!m_wanted) return void(m_settled.start());
  const Scene* scene = m_pane->loaded().scene.get();
  if (!scene || scene->graph != m_wanted->where.graph || m_pane->loading()) return;
  if (const auto point = pointOf(m_wanted->where)) {
    ViewTransform transform = m_pane->view()->transform();
    transform.scale = m_wanted->where.scale;
    transform.centreOn(*point, m_pane->view()->size());
    m_pane->view()->setTransform(transform);
  }
  m_wanted.reset();
  m_settled.stop();
}

void CanvasPlaces::setBookmark(int digit) {
  const std::optional<CanvasPlace> place = here();
  if (!place) return;
  const std::optional<Bookmark> old = m_document->bookmarks().at(digit);
  if (old && *old == place->where) return m_document->bookmarks().set(digit, std::nullopt);
  m_document->bookmarks().set(digit, place->where);
}

void CanvasPlaces::goToBookmark(int digit) {
  if (const auto place = m_document->bookmarks().at(digit)) go({*place, m_document->selection().focus()});
}

void CanvasPlaces::showFlags() {
  std::vector<MinimapFlag> flags;
  for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit)
    if (const auto place = m_document->bookmarks().at(digit))
      if (const auto point = pointOf(*place)) flags.push_back({digit, *point});
  m_minimap->setFlags(std::move(flags));
}

bool CanvasPlaces::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const int digit = key->key() - Qt::Key_0;
    if (digit >= Bookmarks::kFirst && digit <= Bookmarks::kLast) {
      const Qt::KeyboardModifiers modifiers = key->modifiers() & ~Qt::KeypadModifier;
      if (modifiers == Qt::NoModifier && m_document->bookmarks().at(digit)) return goToBookmark(digit), true;
      if (modifiers == (Qt::ControlModifier | Qt::AltModifier)) return setBookmark(digit), true;
    }
  }
  return QObject::eventFilter(object, event);
}

}  // namespace cutaway::ui

#include "ui/shell/page_place.h"

#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/shell/document_page.h"

namespace cutaway::ui {

// The node nearest to the middle holds the place: layouts differ, nodes stay.
std::optional<Bookmark> placeOf(DocumentPage& page) {
  CanvasPane& canvas = *page.canvas();
  const Scene* scene = canvas.loaded().scene.get();
  if (!scene) return std::nullopt;
  const ViewTransform& transform = canvas.view()->transform();
  const QPointF middle = transform.toScene(QPointF(canvas.view()->width() / 2.0, canvas.view()->height() / 2.0));
  Bookmark place{.stage = page.document()->stage(),
                 .graph = canvas.graph(),
                 .centre = middle,
                 .scale = transform.scale,
                 .unfolded = canvas.unfoldedPaths()};
  double nearest = std::numeric_limits<double>::infinity();
  const auto& nodes = scene->report().nodes;
  for (size_t n = 0; n < scene->itemOfNode.size(); ++n) {
    if (scene->itemOfNode[n] < 0 || nodes[n].origins.empty()) continue;
    const QPointF way = middle - scene->items[scene->itemOfNode[n]].rect.center();
    if (const double distance = QPointF::dotProduct(way, way); distance < nearest) {
      nearest = distance;
      place.origin = nodes[n].origins.front();
      place.centre = way;
    }
  }
  return place;
}

void unfoldPlace(DocumentPage& page, const Bookmark& place) {
  CanvasPane& canvas = *page.canvas();
  if (place.graph != canvas.graph()) canvas.enterGraph(place.graph);
  if (canvas.unfoldedPaths() != place.unfolded) canvas.setUnfoldedPaths(place.unfolded);
}

void goToPlace(DocumentPage& page, const Bookmark& place) {
  CanvasPane& canvas = *page.canvas();
  const Scene* scene = canvas.loaded().scene.get();
  if (!scene || place.graph != canvas.graph()) return;
  QPointF centre = place.centre;
  const auto& nodes = scene->report().nodes;
  for (size_t n = 0; n < scene->itemOfNode.size() && place.origin >= 0; ++n)
    if (!nodes[n].origins.empty() && nodes[n].origins.front() == place.origin && scene->itemOfNode[n] >= 0) {
      centre += scene->items[scene->itemOfNode[n]].rect.center();
      break;
    }
  ViewTransform transform = canvas.view()->transform();
  transform.scale = place.scale;
  transform.offset = QPointF(canvas.view()->width() / 2.0, canvas.view()->height() / 2.0) - centre * place.scale;
  canvas.view()->setTransform(transform);
}

QString chosenOverlay(DocumentPage& page) {
  const QString shown = page.canvas()->overlayId();
  return shown == overlayFor(page.document()->stage()) ? QString() : shown;
}

}  // namespace cutaway::ui

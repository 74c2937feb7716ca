#include "ui/canvas/view/tile_cache.h"

#include <cmath>

#include "engine/base/clock.h"
#include "ui/canvas/scene_painter.h"

namespace cutaway::ui {
namespace {
constexpr int kTile = 256;  // device-independent pixels
constexpr int kMostTiles = 240;

QRect tilesOf(const ViewTransform& transform, const QSize& viewport) {
  const auto first = [](double offset) { return static_cast<int>(std::floor(-offset / kTile)); };
  const auto last = [](double offset, int size) { return static_cast<int>(std::floor((size - 1 - offset) / kTile)); };
  return QRect(QPoint(first(transform.offset.x()), first(transform.offset.y())),
               QPoint(last(transform.offset.x(), viewport.width()), last(transform.offset.y(), viewport.height())));
}
}  // namespace

void TileCache::clear() {
  m_now = {};
  m_before = {};
}

QImage TileCache::render(const QPoint& tile, const Scene& scene, const SceneLook& look) const {
  QImage image(QSize(kTile, kTile) * m_now.pixelRatio, QImage::Format_RGB32);
  image.setDevicePixelRatio(m_now.pixelRatio);
  image.fill(look.theme->canvas);
  QPainter painter(&image);
  painter.translate(-tile.x() * kTile, -tile.y() * kTile);
  painter.scale(m_now.scale, m_now.scale);
  const QRectF window(QPointF(tile) * kTile / m_now.scale, QSizeF(kTile, kTile) / m_now.scale);
  paintScene(painter, scene, look, window, m_now.scale);
  return image;
}

void TileCache::drawLevel(QPainter& painter, const Level& level, const ViewTransform& transform,
                          const QSize& viewport) const {
  const double factor = transform.scale / level.scale;
  for (auto tile = level.tiles.begin(); tile != level.tiles.end(); ++tile) {
    const QRectF place(transform.offset + QPointF(tile.key()) * kTile * factor, QSizeF(kTile, kTile) * factor);
    if (!place.intersects(QRectF(QPointF(0, 0), viewport))) continue;
    if (factor == 1) {
      painter.drawImage(place.topLeft().toPoint(), tile.value());
    } else {
      painter.drawImage(place, tile.value());
    }
  }
}

void TileCache::dropFarTiles(const QRect& wanted) {
  const QRect near = wanted.adjusted(-2, -2, 2, 2);
  for (auto tile = m_now.tiles.begin(); tile != m_now.tiles.end();)
    tile = near.contains(tile.key()) ? std::next(tile) : m_now.tiles.erase(tile);
}

bool TileCache::paint(QPainter& painter, const ViewTransform& transform, const QSize& viewport, const Scene& scene,
                      const SceneLook& look, qint64 budgetNs) {
  const double ratio = painter.device()->devicePixelRatioF();
  if (m_now.scale != transform.scale || m_now.pixelRatio != ratio) {
    // A level with one or two tiles, left behind by a quick zoom, is a worse stand-in than the one before.
    if (m_now.tiles.size() >= m_before.tiles.size() / 2) m_before = std::move(m_now);
    m_now = {transform.scale, ratio, {}};
  }
  const QRect wanted = tilesOf(transform, viewport);
  QList<QPoint> missing;
  for (int y = wanted.top(); y <= wanted.bottom(); ++y)
    for (int x = wanted.left(); x <= wanted.right(); ++x)
      if (!m_now.tiles.contains({x, y})) missing.append({x, y});
  if (m_now.tiles.size() > kMostTiles) dropFarTiles(wanted);

  const Stopwatch watch;
  while (!missing.isEmpty() && watch.elapsedNs() < budgetNs) {
    const QPoint tile = missing.takeFirst();
    m_now.tiles.insert(tile, render(tile, scene, look));
  }
  if (!missing.isEmpty() && m_before.scale > 0) drawLevel(painter, m_before, transform, viewport);
  if (missing.isEmpty()) m_before = {};
  drawLevel(painter, m_now, transform, viewport);
  return missing.isEmpty();
}

}  // namespace cutaway::ui

// Pictures in tiles (PNG, by libpng row by row) or in one go (SVG).
#include "ui/canvas/picture.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include <QSvgGenerator>

#include "ui/canvas/legend_painter.h"
#include "ui/canvas/png_stream.h"
#include "ui/canvas/scene_painter.h"
#include "ui/canvas/xml_device.h"

namespace cutaway::ui {
namespace {
constexpr double kLegendGap = 16;
constexpr int kTileWidth = 4096, kBandHeight = 256;
}  // namespace

Picture::Picture(PictureRequest request) : m_request(std::move(request)) {
  const Scene& scene = *m_request.scene;
  m_part = m_request.part.isEmpty() ? scene.bounds : m_request.part;
  m_look = lookOf(scene, m_request.overlay, m_request.dark ? Theme::darkTheme() : Theme::light());
  m_look.figures = m_request.figures;
  if (m_request.legend) m_legend = legendSize(m_request.overlay);
  const double head = m_legend.height() > 0 ? m_legend.height() + kLegendGap : 0;
  m_size = QSizeF(std::max(m_part.width(), m_legend.width() > 0 ? m_legend.width() + 2 * kLegendGap : 0),
                  m_part.height() + head);
}

QSize Picture::pixels() const {
  const auto pixel = [&](double units) {
    return static_cast<int>(std::clamp(std::ceil(units * m_request.scale), 1.0, 2'147'483'647.0));
  };
  return {pixel(m_size.width()), pixel(m_size.height())};
}

// `window` in units of the picture.
void Picture::paint(QPainter& painter, const QRectF& window, double scale, const CancelToken& cancel) const {
  const Theme& theme = *m_look.theme;
  painter.fillRect(window, theme.canvas);
  const double head = m_legend.height() > 0 ? m_legend.height() + kLegendGap : 0;
  if (head > 0 && window.top() < head) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(kLegendGap, kLegendGap);
    paintLegend(painter, m_request.overlay, theme);
    painter.restore();
  }
  painter.save();
  const QPointF shift((m_size.width() - m_part.width()) / 2 - m_part.left(), head - m_part.top());
  if (!m_request.part.isEmpty()) painter.setClipRect(m_part.translated(shift));
  painter.translate(shift);
  SceneLook look = m_look;
  look.overlay = &m_request.overlay;  // this picture may have been moved since the look was made
  look.cancel = &cancel;
  paintScene(painter, *m_request.scene, look, window.translated(-shift).intersected(m_part.adjusted(-1, -1, 1, 1)),
             scale);
  painter.restore();
}

QImage Picture::image(const QRect& tile, const CancelToken& cancel) const {
  QImage image(tile.size(), QImage::Format_RGB32);
  image.fill(m_look.theme->canvas);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::TextAntialiasing);
  painter.translate(-tile.topLeft());
  painter.scale(m_request.scale, m_request.scale);
  // A little more than the tile, for pens and letters that reach over its edge.
  const double scale = m_request.scale, margin = 12;
  paint(painter,
        QRectF(tile.x() / scale - margin, tile.y() / scale - margin, tile.width() / scale + 2 * margin,
               tile.height() / scale + 2 * margin),
        scale, cancel);
  return image;
}

Result<void> Picture::writePng(QIODevice& file, const CancelToken& cancel, std::atomic<int>* permille) const {
  if (std::max(m_size.width(), m_size.height()) * m_request.scale > 2'147'483'647.0)
    return fail(ErrorCode::kInvalidArgument,
                "a PNG has at most 2,147,483,647 pixels a side, and this would have {:.0f} x {:.0f}: choose a smaller "
                "scale, or SVG",
                m_size.width() * m_request.scale, m_size.height() * m_request.scale);
  const QSize size = pixels();
  PngStream png(file, size, m_request.scale);
  // Wider than memory is the user's scale, and no end of the program.
  const std::unique_ptr<uchar[]> rows(new (std::nothrow) uchar[static_cast<size_t>(size.width()) * 3 * kBandHeight]);
  if (rows == nullptr) return noMemoryForPng(size);
  for (int top = 0; top < size.height(); top += kBandHeight) {
    const int height = std::min(kBandHeight, size.height() - top);
    for (int left = 0; left < size.width(); left += kTileWidth) {
      if (cancel.cancelled()) return fail(cancelledError());
      const QImage tile = image(QRect(left, top, std::min(kTileWidth, size.width() - left), height), cancel)
                              .convertToFormat(QImage::Format_RGB888);
      for (int y = 0; y < height; ++y)
        std::copy_n(tile.constScanLine(y), static_cast<size_t>(tile.width()) * 3,
                    rows.get() + (static_cast<size_t>(y) * size.width() + left) * 3);
    }
    for (int y = 0; y < height; ++y)
      CUTAWAY_CHECK(png.writeRow(rows.get() + static_cast<size_t>(y) * size.width() * 3));
    if (permille) *permille = static_cast<int>(int64_t{top + height} * 1000 / size.height());
  }
  return png.finish();
}

Result<void> Picture::writeSvg(QIODevice& file, const CancelToken& cancel) const {
  XmlDevice xml(file);
  QSvgGenerator generator;
  generator.setOutputDevice(&xml);
  generator.setSize(m_size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), m_size));
  generator.setTitle(QStringLiteral("Graph"));
  QPainter painter(&generator);
  paint(painter, QRectF(QPointF(0, 0), m_size), 1.0, cancel);
  painter.end();
  if (cancel.cancelled()) return fail(cancelledError());
  return {};
}

}  // namespace cutaway::ui

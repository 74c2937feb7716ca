// Blocks to pixels, without a painter.
#include "ui/panels/life_raster.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

constexpr int kEdgedFrom = 4;  // smaller blocks have no edge of their own

void fillRow(QRgb* line, int from, int to, QRgb color) {
  std::fill(line + from, line + to, color);
}

void fillBlock(QImage& image, const QRect& pixels, const BlockLook& look) {
  const int left = pixels.left(), right = pixels.right() + 1, top = pixels.top(), bottom = pixels.bottom() + 1;
  const bool edged = right - left >= kEdgedFrom && bottom - top >= kEdgedFrom;
  const bool openLeft = left <= 0, openRight = right >= image.width();
  for (int y = top; y < bottom; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const bool rim = edged && ((y == top && top > 0) || (y == bottom - 1 && bottom < image.height()));
    fillRow(line, left, right, rim ? look.edge : look.fill);
    if (edged && !openLeft) line[left] = look.edge;
    if (edged && !openRight) line[right - 1] = look.edge;
  }
}

}  // namespace

QRect pixelsOf(const LifeBlock& block, const ChartGeometry& geometry, double scale, bool lanes) {
  if (block.end <= geometry.firstStep || block.begin >= geometry.endStep || block.to <= geometry.low ||
      block.from >= geometry.high)
    return {};
  const QRectF rect = geometry.rectOf(block.begin, block.end, block.from, block.to);
  const auto place = [scale](double pixel, double origin, double limit) {
    return static_cast<int>(std::lround(std::clamp((pixel - origin) * scale, 0.0, limit)));
  };
  const double width = geometry.plot.width() * scale, height = geometry.plot.height() * scale;
  const int left = place(rect.left(), geometry.plot.left(), width),
            right = place(rect.right(), geometry.plot.left(), width);
  int top = place(rect.top(), geometry.plot.top(), height), bottom = place(rect.bottom(), geometry.plot.top(), height);
  if (lanes && bottom - top > 6) ++top, --bottom;
  const int widest = static_cast<int>(width), highest = static_cast<int>(height);
  if (widest < 1 || highest < 1) return {};
  const QPoint corner(std::min(left, widest - 1), std::min(top, highest - 1));
  return QRect(corner, QSize(std::max(1, std::min(right, widest) - corner.x()),
                             std::max(1, std::min(bottom, highest) - corner.y())));
}

void rasterBlocks(QImage& image, const ChartGeometry& geometry, double scale, bool lanes,
                  std::span<const LifeBlock> blocks, std::span<const BlockLook> looks) {
  const QRect all = image.rect();
  for (const LifeBlock& block : blocks) {
    const QRect pixels = pixelsOf(block, geometry, scale, lanes) & all;
    if (pixels.isEmpty() || looks.empty()) continue;
    const BlockLook& look = looks[lookIndex(block, looks.size())];
    if (pixels.width() == 1 && pixels.height() == 1) {
      QRgb& pixel = reinterpret_cast<QRgb*>(image.scanLine(pixels.top()))[pixels.left()];
      if (qAlpha(pixel) == 0 || block.emphasised) pixel = look.fill;
    } else {
      fillBlock(image, pixels, look);
    }
  }
}

}  // namespace cutaway::ui

#pragma once
// Fills blocks into an image, each pixel written a few times at most: fifty thousand blocks in a few milliseconds, far
// away or near.
//
// Blocks out of sight are skipped; what is smaller than a pixel becomes one pixel, and a pixel that is taken is not
// painted again by other such blocks. Thread rule: pure. Example: QImage image(size,
// QImage::Format_ARGB32_Premultiplied);  rasterBlocks(image, geometry, 2.0, blocks, look);

#include <functional>
#include <span>

#include <QImage>

#include "ui/panels/chart_geometry.h"
#include "ui/panels/life_chart_data.h"

namespace cutaway::ui {

struct BlockLook {
  QRgb fill = 0;
  QRgb edge = 0;
};

// Device pixels [left, right) x [top, bottom) of a block; `lanes`: a gap of a pixel above and below. Empty when out of
// sight.
QRect pixelsOf(const LifeBlock& block, const ChartGeometry& geometry, double scale, bool lanes);

// The image covers geometry.plot, `scale` device pixels for each pixel of the plot. looks: two for every category, the
// second emphasised; category -1 comes first.
void rasterBlocks(QImage& image, const ChartGeometry& geometry, double scale, bool lanes,
                  std::span<const LifeBlock> blocks, std::span<const BlockLook> looks);

inline size_t lookIndex(const LifeBlock& block, size_t looks) {
  const auto wanted = static_cast<size_t>(block.category + 1) * 2 + (block.emphasised ? 1 : 0);
  return looks == 0 ? 0 : wanted % looks;
}

}  // namespace cutaway::ui

#include "ui/canvas/view/floating_places.h"

#include <limits>

#include "ui/base/comfort.h"

namespace cutaway::ui {
namespace {

constexpr int kLowHeight = 240;  // where a legend of five rows and a map would take half of it

QPoint placeAt(Corner corner, const QSize& size, const QSize& canvas) {
  const bool right = corner == Corner::kUpperRight || corner == Corner::kLowerRight;
  const bool lower = corner == Corner::kLowerLeft || corner == Corner::kLowerRight;
  return {right ? canvas.width() - size.width() - kFloatingMargin : kFloatingMargin,
          lower ? canvas.height() - size.height() - kFloatingMargin : kFloatingMargin};
}

}  // namespace

QRect leastCovered(const QSize& size, const QSize& canvas, std::span<const Corner> corners, const Covered& covered) {
  QRect best;
  double least = std::numeric_limits<double>::infinity();
  for (const Corner corner : corners) {
    const QRect place(placeAt(corner, size, canvas), size);
    const double hidden = covered ? covered(place) : 0;
    if (2 * hidden >= least) continue;
    least = hidden;
    best = place;
  }
  return best;
}

bool isLowCanvas(const QSize& canvas) {
  return canvas.height() < scaled(kLowHeight);
}

}  // namespace cutaway::ui

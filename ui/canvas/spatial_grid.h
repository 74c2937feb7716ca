#pragma once
// A uniform grid over rectangles: what is inside a window, what is under a point.
//
// Thread rule: immutable after build.
// Example: SpatialGrid grid;  grid.build(rects);  grid.visit(window, [&](int i) { paint(i); });

#include <algorithm>
#include <cmath>
#include <vector>

#include <QRectF>

namespace cutaway::ui {

class SpatialGrid {
 public:
  void build(std::vector<QRectF> rects);

  // Calls visit(i) for every rectangle that may touch the window; some of them twice-listed rectangles are reported
  // once.
  template <typename Visit>
  void visit(const QRectF& window, Visit&& visit) const;
  // Number of rectangles in cells that the window touches: an upper bound that costs no visit.
  int countEstimate(const QRectF& window) const;

 private:
  struct Range {
    int left, top, right, bottom;
  };
  Range rangeOf(const QRectF& rect) const;
  bool isFirstCell(const Range& own, const Range& window, int column, int row) const {
    return column == std::max(own.left, window.left) && row == std::max(own.top, window.top);
  }

  QRectF m_bounds;
  double m_cell = 1;
  int m_columns = 0;
  int m_rows = 0;
  std::vector<int> m_starts;  // per cell
  std::vector<int> m_entries;
  std::vector<int> m_large;  // reach over too many cells to be listed in each
  std::vector<QRectF> m_rects;
};

template <typename Visit>
void SpatialGrid::visit(const QRectF& window, Visit&& visit) const {
  if (m_columns == 0) return;
  const Range range = rangeOf(window);
  for (int row = range.top; row <= range.bottom; ++row)
    for (int column = range.left; column <= range.right; ++column) {
      const size_t cell = static_cast<size_t>(row) * m_columns + column;
      for (int e = m_starts[cell]; e < m_starts[cell + 1]; ++e) {
        const QRectF& rect = m_rects[m_entries[e]];
        if (rect.right() < window.left() || rect.left() > window.right() || rect.bottom() < window.top() ||
            rect.top() > window.bottom())
          continue;
        if (isFirstCell(rangeOf(rect), range, column, row)) visit(m_entries[e]);
      }
    }
  for (const int i : m_large) {
    const QRectF& rect = m_rects[i];
    if (rect.right() >= window.left() && rect.left() <= window.right() && rect.bottom() >= window.top() &&
        rect.top() <= window.bottom())
      visit(i);
  }
}

}  // namespace cutaway::ui

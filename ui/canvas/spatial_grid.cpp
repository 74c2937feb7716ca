#include "ui/canvas/spatial_grid.h"

namespace cutaway::ui {
namespace {
constexpr double kPerCell = 3;
constexpr double kSmallestCell = 96;
constexpr int kLargestSpan = 64;  // cells
}  // namespace

void SpatialGrid::build(std::vector<QRectF> own) {
  m_rects = std::move(own);
  const std::vector<QRectF>& rects = m_rects;
  m_large.clear();
  m_entries.clear();
  m_columns = m_rows = 0;
  if (rects.empty()) return;
  double left = rects[0].left(), top = rects[0].top(), right = rects[0].right(), bottom = rects[0].bottom();
  for (const QRectF& rect : rects) {
    left = std::min(left, rect.left());
    top = std::min(top, rect.top());
    right = std::max(right, rect.right());
    bottom = std::max(bottom, rect.bottom());
  }
  m_bounds = QRectF(left, top, right - left, bottom - top);
  const double area = std::max(1.0, m_bounds.width()) * std::max(1.0, m_bounds.height());
  m_cell = std::max(kSmallestCell, std::sqrt(area * kPerCell / static_cast<double>(rects.size())));
  m_columns = static_cast<int>(m_bounds.width() / m_cell) + 1;
  m_rows = static_cast<int>(m_bounds.height() / m_cell) + 1;

  m_starts.assign(static_cast<size_t>(m_columns) * m_rows + 1, 0);
  const auto eachCell = [&](size_t i, auto&& use) {
    const Range range = rangeOf(rects[i]);
    for (int row = range.top; row <= range.bottom; ++row)
      for (int column = range.left; column <= range.right; ++column)
        use(static_cast<size_t>(row) * m_columns + column);
  };
  const auto isLarge = [&](size_t i) {
    const Range range = rangeOf(rects[i]);
    return (range.right - range.left + 1) * static_cast<long long>(range.bottom - range.top + 1) > kLargestSpan;
  };
  for (size_t i = 0; i < rects.size(); ++i) {
    if (isLarge(i)) {
      m_large.push_back(static_cast<int>(i));
    } else {
      eachCell(i, [&](size_t cell) { ++m_starts[cell + 1]; });
    }
  }
  for (size_t cell = 1; cell < m_starts.size(); ++cell)
    m_starts[cell] += m_starts[cell - 1];
  m_entries.resize(m_starts.back());
  std::vector<int> next(m_starts.begin(), m_starts.end() - 1);
  for (size_t i = 0; i < rects.size(); ++i)
    if (!isLarge(i)) eachCell(i, [&](size_t cell) { m_entries[next[cell]++] = static_cast<int>(i); });
}

SpatialGrid::Range SpatialGrid::rangeOf(const QRectF& rect) const {
  const auto clampTo = [this](double distance, int count) {
    return static_cast<int>(std::clamp(std::floor(distance / m_cell), 0.0, static_cast<double>(count - 1)));
  };
  return {clampTo(rect.left() - m_bounds.left(), m_columns), clampTo(rect.top() - m_bounds.top(), m_rows),
          clampTo(rect.right() - m_bounds.left(), m_columns), clampTo(rect.bottom() - m_bounds.top(), m_rows)};
}

int SpatialGrid::countEstimate(const QRectF& window) const {
  if (m_columns == 0) return 0;
  const Range range = rangeOf(window);
  int count = static_cast<int>(m_large.size());
  // Cells of one row lie side by side, so that a row costs one subtraction.
  for (int row = range.top; row <= range.bottom; ++row) {
    const size_t first = static_cast<size_t>(row) * m_columns;
    count += m_starts[first + range.right + 1] - m_starts[first + range.left];
  }
  return count;
}

}  // namespace cutaway::ui

// Points of a sparkline, and its paint.
#include "ui/panels/sparkline.h"

#include <algorithm>

#include <QPainter>

#include "ui/base/theme_store.h"

namespace cutaway::ui {

QPolygonF sparklinePoints(std::span<const int64_t> amounts, int64_t highest, const QRectF& room) {
  QPolygonF points;
  if (amounts.size() < 2 || highest <= 0 || room.width() < 2) return points;
  const size_t columns = std::min(amounts.size(), static_cast<size_t>(room.width()));
  const auto y = [&](int64_t amount) {
    return room.bottom() -
           static_cast<double>(std::max<int64_t>(0, amount)) / static_cast<double>(highest) * room.height();
  };
  for (size_t column = 0; column < columns; ++column) {
    const size_t from = column * amounts.size() / columns,
                 to = std::max(from + 1, (column + 1) * amounts.size() / columns);
    const auto [least, most] = std::minmax_element(amounts.begin() + static_cast<ptrdiff_t>(from),
                                                   amounts.begin() + static_cast<ptrdiff_t>(to));
    const double x = room.left() + (static_cast<double>(column) + 0.5) / static_cast<double>(columns) * room.width();
    points << QPointF(x, y(*most));
    if (*least != *most) points << QPointF(x, y(*least));
  }
  return points;
}

void Sparkline::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& theme = m_themes->current();
  QStyledItemDelegate::paint(painter, option, index);
  const std::span<const int64_t> amounts = m_amounts(index.row());
  const QRectF room = QRectF(option.rect).adjusted(8, 5, -10, -5);
  const QPolygonF points = sparklinePoints(amounts, m_highest(), room);
  if (points.isEmpty()) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  QPolygonF area = points;
  area << QPointF(points.last().x(), room.bottom()) << QPointF(points.first().x(), room.bottom());
  painter->setPen(Qt::NoPen);
  painter->setBrush(mix(theme.category(0).fill, theme.category(0).color, 0.25));
  painter->drawPolygon(area);
  painter->setPen(QPen(theme.category(0).color, 1.3));
  painter->setBrush(Qt::NoBrush);
  painter->drawPolyline(points);
  const auto top =
      std::min_element(points.begin(), points.end(), [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme.error);
  painter->drawEllipse(*top, 2.5, 2.5);
  painter->restore();
}

}  // namespace cutaway::ui

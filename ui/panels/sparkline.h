#pragma once
// A small curve in a table's cell: the shape of a series of amounts, all rows to one scale, its highest place marked by
// a dot.
//
// Thread rule: GUI thread.
// Example: view->setItemDelegateForColumn(4, new Sparkline(themes, view, [table](int row) { return
// table->rows[row].liveBytes; }));

#include <cstdint>
#include <functional>
#include <span>

#include <QPolygonF>
#include <QRectF>
#include <QStyledItemDelegate>

namespace cutaway::ui {

class ThemeStore;

// At most two points for each pixel of width: the least and the most of what falls into it. Empty for less than two
// amounts.
QPolygonF sparklinePoints(std::span<const int64_t> amounts, int64_t highest, const QRectF& room);

class Sparkline : public QStyledItemDelegate {
 public:
  using Amounts = std::function<std::span<const int64_t>(int sourceRow)>;
  // highest: of all rows. Rows are those of the model, so the table is not to be sorted.
  Sparkline(const ThemeStore* themes, QObject* parent, Amounts amounts, std::function<int64_t()> highest)
      : QStyledItemDelegate(parent), m_themes(themes), m_amounts(std::move(amounts)), m_highest(std::move(highest)) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const ThemeStore* m_themes;
  Amounts m_amounts;
  std::function<int64_t()> m_highest;
};

}  // namespace cutaway::ui

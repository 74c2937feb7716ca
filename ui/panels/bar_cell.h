#pragma once
// A figure with a bar behind it, as long as its share (kShareRole).
//
// Thread rule: GUI thread.
// Example: table->view()->setItemDelegateForColumn(1, new BarCell(context.themes, table));

#include <QStyledItemDelegate>

namespace cutaway::ui {

class ThemeStore;

class BarCell : public QStyledItemDelegate {
 public:
  explicit BarCell(const ThemeStore* themes, QObject* parent, int category = 0)
      : QStyledItemDelegate(parent), m_themes(themes), m_category(category) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const ThemeStore* m_themes;
  int m_category;
};

}  // namespace cutaway::ui

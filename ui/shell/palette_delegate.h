#pragma once
// A row of the command palette: title with the letters that were hit, where it stands in the menus, its keys.
//
// Thread rule: GUI thread. Example: list->setItemDelegate(new PaletteDelegate(themes, list));

#include <QStyledItemDelegate>

namespace cutaway::ui {

class ThemeStore;

class PaletteDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  enum Role { kId = Qt::UserRole, kWhere, kKeys, kLetters };

  PaletteDelegate(ThemeStore* themes, QObject* parent);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  ThemeStore* m_themes;
};

}  // namespace cutaway::ui

#pragma once
// A cell that begins with a mark, in the mark's colour: same, explained, measured, not compared, unexplained.
//
// Thread rule: GUI thread.
// Example: view->setItemDelegateForColumn(kStageMarkColumn, new MarkCell(context.themes, view));

#include <QStyledItemDelegate>

namespace cutaway::ui {

class ThemeStore;

class MarkCell : public QStyledItemDelegate {
 public:
  MarkCell(const ThemeStore* themes, QObject* parent) : QStyledItemDelegate(parent), m_themes(themes) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  const ThemeStore* m_themes;
};

}  // namespace cutaway::ui

#include "ui/panels/opinion/mark_cell.h"

#include "ui/base/theme_store.h"
#include "ui/panels/opinion/opinion_tables.h"

namespace cutaway::ui {

void MarkCell::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const OpinionMark mark = markIn(index.data().toString());
  if (mark == OpinionMark::kNone) return;
  const QColor color = opinionColor(mark, m_themes->current());
  option->palette.setColor(QPalette::Text, color);
  option->palette.setColor(QPalette::HighlightedText, color);
  if (mark == OpinionMark::kUnexplained) option->font.setWeight(QFont::DemiBold);
}

}  // namespace cutaway::ui

// Bars grow from the right, towards the words that stand to the left of figures.
#include "ui/panels/bar_cell.h"

#include <algorithm>

#include <QPainter>

#include "ui/base/table_model.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kMargin = 3;
}

void BarCell::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant share = index.data(kShareRole);
  if (share.isValid()) {
    const CategoryLook& look = m_themes->current().category(m_category);
    const QRectF room = QRectF(option.rect).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double length = std::clamp(share.toDouble(), 0.0, 1.0) * room.width();
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, m_themes->current().accentSoft);
    painter->fillRect(QRectF(room.right() - length, room.top(), length, room.height()),
                      mix(look.fill, look.color, 0.3));
    painter->setPen(m_themes->current().text);
    painter->setFont(option.font);
    painter->drawText(option.rect.adjusted(6, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
    return;
  }
  QStyledItemDelegate::paint(painter, option, index);
}

}  // namespace cutaway::ui

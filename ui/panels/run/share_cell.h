#pragma once
// A cell with a bar as long as its share (kShareRole), the figure beside it.
//
// Thread rule: GUI thread. Example: table->setItemDelegateForColumn(3, new ShareCell(themes, table));

#include <algorithm>

#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/base/table_model.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {

class ShareCell : public QStyledItemDelegate {
 public:
  ShareCell(const ThemeStore* themes, QObject* parent) : QStyledItemDelegate(parent), m_themes(themes) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(kShareRole);
    if (!share.isValid()) return;
    const Theme& theme = m_themes->current();
    const QRectF room = QRectF(option.rect).adjusted(8, 0, -52, 0);
    if (room.width() < 8) return;
    const QRectF track(room.left(), room.center().y() - 3, room.width(), 6);
    painter->fillRect(track, mix(theme.surface, theme.border, 0.6));
    painter->fillRect(QRectF(track.left(), track.top(),
                             std::max(1.0, track.width() * std::clamp(share.toDouble(), 0.0, 1.0)), track.height()),
                      theme.category(1).color);
  }

 private:
  const ThemeStore* m_themes;
};

}  // namespace cutaway::ui

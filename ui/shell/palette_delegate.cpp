#include "ui/shell/palette_delegate.h"

#include <QPainter>

#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr int kPadding = 9;
constexpr int kGap = 14;
}  // namespace

PaletteDelegate::PaletteDelegate(ThemeStore* themes, QObject* parent) : QStyledItemDelegate(parent), m_themes(themes) {}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {200, QFontMetrics(interfaceFont()).height() + 13};
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& theme = m_themes->current();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF row = QRectF(option.rect).adjusted(2, 1, -2, -1);
  if (option.state.testFlag(QStyle::State_Selected) || option.state.testFlag(QStyle::State_MouseOver)) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(option.state.testFlag(QStyle::State_Selected) ? theme.accentSoft : theme.raised);
    painter->drawRoundedRect(row, 5, 5);
  }
  double right = row.right() - kPadding;
  const QFont small = interfaceFont(-1);
  const QFontMetricsF smallMetrics(small);
  painter->setFont(small);
  if (const QString keys = index.data(kKeys).toString(); !keys.isEmpty()) {
    const double width = smallMetrics.horizontalAdvance(keys);
    const QRectF cap(right - width - 10, row.center().y() - smallMetrics.height() / 2 - 2, width + 10,
                     smallMetrics.height() + 4);
    painter->setPen(theme.border);
    painter->setBrush(theme.raised);
    painter->drawRoundedRect(cap, 4, 4);
    painter->setPen(theme.textSecondary);
    painter->drawText(cap, Qt::AlignCenter, keys);
    right = cap.left() - kGap;
  }
  const QString where = index.data(kWhere).toString();
  const double whereWidth = smallMetrics.horizontalAdvance(where);
  const QString title = index.data(Qt::DisplayRole).toString();
  const auto letters = index.data(kLetters).value<QList<int>>();
  const QFont plain = interfaceFont(), bold = interfaceFont(0, QFont::Bold);
  const QFontMetricsF plainMetrics(plain), boldMetrics(bold);
  double x = row.left() + kPadding;
  const double baseline = row.center().y() + (plainMetrics.ascent() - plainMetrics.descent()) / 2;
  const double end = right - kGap;
  for (int i = 0; i < title.size(); ++i) {
    const bool hit = letters.contains(i);
    const double width = (hit ? boldMetrics : plainMetrics).horizontalAdvance(title[i]);
    if (x + width > end) {
      painter->drawText(QPointF(x, baseline), QStringLiteral("\u2026"));
      break;
    }
    painter->setFont(hit ? bold : plain);
    painter->setPen(hit ? theme.accent : theme.text);
    painter->drawText(QPointF(x, baseline), title.mid(i, 1));
    x += width;
  }
  if (x + kGap + whereWidth <= right) {
    painter->setFont(small);
    painter->setPen(theme.textFaint);
    painter->drawText(QRectF(right - whereWidth, row.top(), whereWidth, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                      where);
  }
  painter->restore();
}

}  // namespace cutaway::ui

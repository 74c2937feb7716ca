#include "ui/panels/run/timeline/hover_card.h"

#include <QGuiApplication>
#include <QScreen>

namespace cutaway::ui {
namespace {

constexpr int kAway = 16;  // from the pointer

QString html(const HoverFacts& facts, const Theme& theme) {
  QString page = QStringLiteral("<div style='font-weight:600'>%1</div>").arg(facts.title.toHtmlEscaped());
  if (!facts.subtitle.isEmpty())
    page += QStringLiteral("<div style='color:%1'>%2</div>")
                .arg(theme.textSecondary.name(), facts.subtitle.toHtmlEscaped());
  if (!facts.rows.empty()) {
    page += QStringLiteral("<table cellspacing='0' cellpadding='1' style='margin-top:5px'>");
    for (const auto& [name, value] : facts.rows)
      page +=
          QStringLiteral("<tr><td style='color:%1; padding-right:14px'>%2</td><td style='white-space:pre'>%3</td></tr>")
              .arg(theme.textSecondary.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
    page += QStringLiteral("</table>");
  }
  if (!facts.hint.isEmpty())
    page += QStringLiteral("<div style='color:%1; margin-top:5px'>%2</div>")
                .arg(theme.textFaint.name(), facts.hint.toHtmlEscaped());
  return page;
}

}  // namespace

HoverCard::HoverCard(QWidget* owner)
    : QLabel(owner, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput) {
  setAttribute(Qt::WA_ShowWithoutActivating);
  setTextFormat(Qt::RichText);
  setMargin(9);
  setFont(interfaceFont(-1));
  hide();
}

void HoverCard::present(const HoverFacts& facts, const Theme& theme, const QPoint& globalPosition) {
  if (facts.empty()) return hide();
  const QString page = html(facts, theme);
  if (page != text()) {
    setStyleSheet(QStringLiteral("QLabel { background: %1; color: %2; border: 1px solid %3; }")
                      .arg(theme.dark ? theme.raised.name() : theme.surface.name(), theme.text.name(),
                           theme.borderStrong.name()));
    setText(page);
    adjustSize();
  }
  const QScreen* screen = QGuiApplication::screenAt(globalPosition);
  const QRect room = screen ? screen->availableGeometry() : QRect(globalPosition, QSize(2000, 2000));
  QPoint place = globalPosition + QPoint(kAway, kAway);
  if (place.x() + width() > room.right()) place.setX(globalPosition.x() - kAway - width());
  if (place.y() + height() > room.bottom()) place.setY(globalPosition.y() - kAway - height());
  move(place);
  if (!isVisible()) show();
}

}  // namespace cutaway::ui

#include "ui/panels/run/parts_bar.h"

#include <algorithm>
#include <numeric>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/base/icons.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {
constexpr double kMark = 12, kLine = 18, kGap = 16, kBar = 10;
}

PartsBar::PartsBar(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void PartsBar::present(std::vector<BarPart> parts) {
  m_parts = std::move(parts);
  QStringList words;
  for (const BarPart& part : m_parts)
    words << part.name + QLatin1Char(' ') + part.figure;
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void PartsBar::setBarShown(bool shown) {
  m_barShown = shown;
  updateGeometry();
}

std::vector<QRectF> PartsBar::legendPlaces(int width) const {
  const QFontMetricsF plain(interfaceFont(-2)), strong(interfaceFont(-2, QFont::DemiBold));
  std::vector<QRectF> places;
  double x = kSpaceLarge, y = barHeight() + kSpaceTiny;
  for (const BarPart& part : m_parts) {
    const double needed = kMark + 5 + plain.horizontalAdvance(part.name) + 5 + strong.horizontalAdvance(part.figure);
    if (x > kSpaceLarge && x + needed > width - kSpaceLarge) x = kSpaceLarge, y += kLine;
    places.emplace_back(x, y, needed, kLine);
    x += needed + kGap;
  }
  return places;
}

int PartsBar::heightForWidth(int width) const {
  const std::vector<QRectF> places = legendPlaces(width);
  return places.empty() ? 0 : static_cast<int>(places.back().bottom()) + kSpaceSmall;
}

void PartsBar::paintEvent(QPaintEvent*) {
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  const double all = std::accumulate(m_parts.begin(), m_parts.end(), 0.0, [](double sum, const BarPart& part) {
    return sum + static_cast<double>(part.amount);
  });
  if (m_barShown && all > 0) {
    double x = kSpaceLarge;
    const double room = width() - 2 * kSpaceLarge;
    for (const BarPart& part : m_parts) {
      const double length = room * static_cast<double>(part.amount) / all;
      if (length <= 0) continue;
      const QRectF piece(x, kSpaceSmall, std::max(1.0, length - 1), kBar);
      const CategoryLook& look = theme.category(part.category);
      painter.fillRect(piece, mix(look.fill, look.color, 0.75));
      x += length;
    }
  }
  const std::vector<QRectF> places = legendPlaces(width());
  for (size_t i = 0; i < places.size(); ++i) {
    const BarPart& part = m_parts[i];
    QRectF room = places[i];
    painter.drawPixmap(
        QPointF(room.left(), room.center().y() - kMark / 2),
        categoryMark(theme.category(part.category), part.letter, theme, static_cast<int>(kMark), devicePixelRatioF()));
    room.setLeft(room.left() + kMark + 5);
    painter.setFont(interfaceFont(-2));
    painter.setPen(theme.textSecondary);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, part.name);
    room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(part.name) + 5);
    painter.setFont(interfaceFont(-2, QFont::DemiBold));
    painter.setPen(part.amount > 0 ? theme.text : theme.textFaint);
    painter.drawText(room.adjusted(0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, part.figure);
  }
}

bool PartsBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<QRectF> places = legendPlaces(width());
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i].contains(help->pos()) && !m_parts[i].toolTip.isEmpty()) {
        QToolTip::showText(help->globalPos(), m_parts[i].toolTip, this);
        return true;
      }
    QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace cutaway::ui

#include "ui/canvas/legend_painter.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QLinearGradient>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/truth_mark.h"
#include "ui/base/truth_words.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/pattern_origin.h"

namespace cutaway::ui {
namespace {

// Room for text grows with it.
double mark() {
  return scaled(16);
}
double row() {
  return scaled(22);
}
double padding() {
  return scaled(10);
}
double rampWidth() {
  return scaled(150);
}
double titleRow() {
  return scaled(20);
}

QString entryWords(const LegendEntry& entry) {
  return entry.label;
}

std::vector<LegendEntry> shownEntries(const Overlay& overlay) {
  std::vector<LegendEntry> shown;
  for (const LegendEntry& entry : overlay.legend)
    if (entry.count > 0 || (overlay.descriptor->showsEmpty && entry.category >= 0)) shown.push_back(entry);
  return shown;
}

void paintMark(QPainter& painter, const QRectF& rect, const LegendEntry& entry, const Theme& theme) {
  if (entry.category == kMarkedNodes) {
    painter.setPen(QPen(theme.borderStrong, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    return paintMarkedCorner(painter, rect, theme.accent);
  }
  const CategoryLook& look = theme.category(entry.category);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.color);
  painter.drawRoundedRect(rect, 4, 4);
  if (look.pattern != Qt::SolidPattern) {
    painter.setOpacity(0.35);
    painter.setBrush(QBrush(theme.textOn(look.color), look.pattern));
    painter.drawRoundedRect(rect, 4, 4);
    painter.setOpacity(1);
  }
  if (entry.letter.isNull()) return;
  painter.setFont(interfaceFont(-3, QFont::Bold));
  painter.setPen(theme.textOn(look.color));
  painter.drawText(rect, Qt::AlignCenter, QString(entry.letter));
}

void paintGround(QPainter& painter, const QSizeF& size, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  anchorPatterns(painter);
  QColor ground = theme.surface;
  ground.setAlphaF(0.94f);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(QPointF(0.5, 0.5), size - QSizeF(1, 1)), 7, 7);
}

void paintRamp(QPainter& painter, const QRectF& bar, const Theme& theme) {
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 8; ++i)
    gradient.setColorAt(i / 8.0, theme.ramp(i / 8.0));
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 4, 4);
}

// What stands in the row of marks, from left to right.
struct MarksPlace {
  LegendEntry entry;
  QRectF mark, words;
};

std::vector<MarksPlace> marksPlaces(const Overlay& overlay) {
  const QFontMetricsF metrics(interfaceFont(-1));
  std::vector<MarksPlace> places;
  double x = padding();
  for (const LegendEntry& entry : shownEntries(overlay)) {
    const double width = metrics.horizontalAdvance(countText(entry.count)) + 1;
    const QRectF room(x, (row() + padding() - mark()) / 2, mark(), mark());
    places.push_back({entry, room, QRectF(room.right() + scaled(5), 0, width, row() + padding())});
    x = places.back().words.right() + scaled(12);
  }
  return places;
}

double signRoom() {
  return scaled(17);
}

// What the amounts of a ramp are: of most nodes, and of those that say less.
std::vector<TruthKind> truthsOf(const Overlay& overlay) {
  std::vector<TruthKind> kinds;
  if (overlay.truth != TruthKind::kExact) kinds.push_back(overlay.truth);
  if (overlay.wholeTruth != overlay.truth) kinds.push_back(overlay.wholeTruth);
  return kinds;
}

double truthsWidth(const Overlay& overlay) {
  const QFontMetricsF metrics(interfaceFont(-2));
  double width = 0;
  for (const TruthKind kind : truthsOf(overlay))
    width += scaled(10) + signRoom() + metrics.horizontalAdvance(truthKindWords(kind)) + 1;
  return width;
}

// At the right end of the title.
void paintTruths(QPainter& painter, const QRectF& line, const Overlay& overlay, const Theme& theme) {
  const QFontMetricsF metrics(interfaceFont(-2));
  double x = line.right() - truthsWidth(overlay);
  for (const TruthKind kind : truthsOf(overlay)) {
    const QString words = truthKindWords(kind);
    const double width = metrics.horizontalAdvance(words) + 1;
    x += scaled(10);
    paintTruth(painter, QRectF(x, line.top(), signRoom() - scaled(3), line.height()), kind, theme);
    painter.setFont(interfaceFont(-2));
    painter.setPen(theme.textSecondary);
    painter.drawText(QRectF(x + signRoom(), line.top(), width, line.height()), Qt::AlignVCenter | Qt::AlignLeft, words);
    x += signRoom() + width;
  }
}

// What a ramp says of its amounts beside its ends; the legend's one entry.
QString rampRemark(const Overlay& overlay) {
  return overlay.legend.empty() ? QString() : overlay.legend.front().label;
}

// Of the words that say why there are no colours; a sentence takes as many lines as it needs.
QRectF missingRoom(const Overlay& overlay) {
  return QFontMetricsF(interfaceFont(-1))
      .boundingRect(QRectF(0, 0, scaled(300), scaled(1000)), Qt::TextWordWrap, overlay.missing);
}

}  // namespace

QString legendWords(const Overlay& overlay) {
  if (!overlay.descriptor || overlay.descriptor->shape == OverlayShape::kPlain) return {};
  if (!overlay.available) return overlay.missing;
  QStringList lines = {overlay.title()};
  if (overlay.isRamp()) {
    lines << QStringLiteral("%1 \u2013 %2").arg(overlay.lowText, overlay.highText);
    for (const TruthKind kind : truthsOf(overlay))
      lines << truthKindWords(kind);
    if (!rampRemark(overlay).isEmpty()) lines << rampRemark(overlay);
    return lines.join(QLatin1Char('\n'));
  }
  for (const LegendEntry& entry : shownEntries(overlay)) {
    QString line = entry.letter.isNull() ? QString() : entry.letter + QStringLiteral("  ");
    line += QStringLiteral("%1: %2").arg(entryWords(entry), countText(entry.count));
    if (entry.truth != TruthKind::kExact) line += QStringLiteral(" (%1)").arg(truthKindWords(entry.truth));
    lines << line;
  }
  return lines.join(QLatin1Char('\n'));
}

QSizeF legendSize(const Overlay& overlay) {
  if (!overlay.descriptor || overlay.descriptor->shape == OverlayShape::kPlain) return {};
  const QFontMetricsF metrics(interfaceFont(-1));
  if (!overlay.available)
    return missingRoom(overlay).size() + QSizeF(2 * padding(), row() + padding() - metrics.height());
  if (overlay.isRamp()) {
    const QFontMetricsF small(interfaceFont(-2));
    const double title = QFontMetricsF(interfaceFont(-2, QFont::DemiBold)).horizontalAdvance(overlay.title()) + 2;
    return {std::max({rampWidth(), title + truthsWidth(overlay),
                      rampRemark(overlay).isEmpty() ? 0.0 : small.horizontalAdvance(rampRemark(overlay)) + 2}) +
                2 * padding(),
            titleRow() + scaled(rampRemark(overlay).isEmpty() ? 32 : 49) + padding()};
  }
  double width = QFontMetricsF(interfaceFont(-2, QFont::DemiBold)).horizontalAdvance(overlay.title()) + 2;
  const std::vector<LegendEntry> entries = shownEntries(overlay);
  for (const LegendEntry& entry : entries)
    width = std::max(width, mark() + scaled(8) + metrics.horizontalAdvance(entryWords(entry)) + scaled(18) +
                                metrics.horizontalAdvance(countText(entry.count)) +
                                (entry.truth == TruthKind::kExact ? 0 : signRoom()));
  return {width + 2 * padding(), titleRow() + row() * static_cast<double>(entries.size()) + 1.5 * padding()};
}

void paintLegend(QPainter& painter, const Overlay& overlay, const Theme& theme) {
  const QSizeF size = legendSize(overlay);
  if (size.isEmpty()) return;
  paintGround(painter, size, theme);
  const QFont font = interfaceFont(-1);
  const double inner = size.width() - 2 * padding();
  painter.setFont(font);
  if (!overlay.available) {
    painter.setPen(theme.textSecondary);
    painter.drawText(QRectF(padding(), 0, inner + 1, size.height()),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, overlay.missing);
    return;
  }
  painter.setFont(interfaceFont(-2, QFont::DemiBold));
  painter.setPen(theme.textSecondary);
  painter.drawText(QRectF(padding(), padding() / 2, inner, titleRow()), Qt::AlignVCenter | Qt::AlignLeft,
                   overlay.title());
  if (overlay.isRamp()) paintTruths(painter, QRectF(padding(), padding() / 2, inner, titleRow()), overlay, theme);
  double y = padding() / 2 + titleRow();
  if (overlay.isRamp()) {
    paintRamp(painter, QRectF(padding(), y + 2, inner, scaled(9)), theme);
    painter.setFont(interfaceFont(-2));
    painter.setPen(theme.textSecondary);
    painter.drawText(QRectF(padding(), y + scaled(13), inner, scaled(17)), Qt::AlignLeft | Qt::AlignVCenter,
                     overlay.lowText);
    painter.drawText(QRectF(padding(), y + scaled(13), inner, scaled(17)), Qt::AlignRight | Qt::AlignVCenter,
                     overlay.highText);
    painter.drawText(QRectF(padding(), y + scaled(30), inner, scaled(17)), Qt::AlignLeft | Qt::AlignVCenter,
                     rampRemark(overlay));
    return;
  }
  for (const LegendEntry& entry : shownEntries(overlay)) {
    paintMark(painter, QRectF(padding(), y + (row() - mark()) / 2, mark(), mark()), entry, theme);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(padding() + mark() + scaled(8), y, inner, row()), Qt::AlignVCenter | Qt::AlignLeft,
                     entryWords(entry));
    painter.setPen(theme.textFaint);
    const QString count = countText(entry.count);
    painter.drawText(QRectF(padding(), y, inner, row()), Qt::AlignVCenter | Qt::AlignRight, count);
    if (entry.truth != TruthKind::kExact) {
      const double end = padding() + inner - QFontMetricsF(font).horizontalAdvance(count);
      paintTruth(painter, QRectF(end - signRoom(), y, signRoom() - scaled(3), row()), entry.truth, theme);
    }
    y += row();
  }
}

QSizeF legendMarksSize(const Overlay& overlay, double widest) {
  const double height = row() + padding();
  if (legendSize(overlay).isEmpty()) return {};
  if (!overlay.available)
    return {std::min(QFontMetricsF(interfaceFont(-1)).horizontalAdvance(overlay.missing) + 1 + 2 * padding(), widest),
            height};
  if (overlay.isRamp()) {
    const QFontMetricsF metrics(interfaceFont(-2));
    return {metrics.horizontalAdvance(overlay.lowText) + rampWidth() / 2 + metrics.horizontalAdvance(overlay.highText) +
                4 * padding(),
            height};
  }
  const std::vector<MarksPlace> places = marksPlaces(overlay);
  return places.empty() ? QSizeF() : QSizeF(places.back().words.right() + padding(), height);
}

void paintLegendMarks(QPainter& painter, const Overlay& overlay, const Theme& theme, double widest) {
  const QSizeF size = legendMarksSize(overlay, widest);
  if (size.isEmpty()) return;
  paintGround(painter, size, theme);
  if (!overlay.available) {
    const QRectF words(padding(), 0, size.width() - 2 * padding(), size.height());
    painter.setFont(interfaceFont(-1));
    painter.setPen(theme.textSecondary);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(painter.font()).elidedText(overlay.missing, Qt::ElideRight, words.width()));
    return;
  }
  if (overlay.isRamp()) {
    painter.setFont(interfaceFont(-2));
    const QFontMetricsF metrics(painter.font());
    const double left = padding() * 2 + metrics.horizontalAdvance(overlay.lowText);
    paintRamp(painter, QRectF(left, (size.height() - scaled(9)) / 2, rampWidth() / 2, scaled(9)), theme);
    painter.setPen(theme.textSecondary);
    const QRectF words(padding(), 0, size.width() - 2 * padding(), size.height());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, overlay.lowText);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, overlay.highText);
    return;
  }
  for (const MarksPlace& place : marksPlaces(overlay)) {
    paintMark(painter, place.mark, place.entry, theme);
    painter.setFont(interfaceFont(-1));
    painter.setPen(theme.textSecondary);
    painter.drawText(place.words, Qt::AlignLeft | Qt::AlignVCenter, countText(place.entry.count));
  }
}

}  // namespace cutaway::ui

#include "ui/canvas/card_painter.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <QCoreApplication>
#include <QHash>
#include <QPainterPath>

#include "engine/base/per_thread.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/truth_mark.h"
#include "ui/canvas/opened_groups.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scene_measure.h"

namespace cutaway::ui {
namespace {
constexpr double kRadius = 6;
constexpr double kBar = 5;
constexpr double kInset = 14;
constexpr double kBadgeSize = 16;
constexpr double kMarkedCorner = 11;
constexpr double kTruthRoom = 15;
constexpr double kPlainHeight = 46;  // cards without rows are lower
}  // namespace

QString scopeWords(const Scope& scope) {
  return scope.repeats > 1 ? scope.title + QStringLiteral(" \u00d7%1").arg(scope.repeats) : scope.title;
}

QRectF bodySign(const QRectF& card) {
  return {card.right() - 50, card.top() + 6, 16, 16};
}

double figureEnd(const QRectF& card, bool hasBody) {
  return hasBody ? bodySign(card).left() - 4 : card.right() - 7;
}

void paintMarkedCorner(QPainter& painter, const QRectF& rect, const QColor& color) {
  const double side = std::min(kMarkedCorner, rect.height() * 0.6);
  const QPointF corner = rect.bottomRight() - QPointF(1, 1);
  QPainterPath edge;  // the card's corner is round, and so is the mark
  edge.addRoundedRect(rect.adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
  QPainterPath triangle;
  triangle.addPolygon(QPolygonF({corner, corner - QPointF(side, 0), corner - QPointF(0, side)}));
  triangle.closeSubpath();
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPath(edge.intersected(triangle));
}

namespace {

constexpr double kFarHeight = 0.8;        // of the card's
constexpr double kSmallestLetters = 6.5;  // pixels
constexpr int kFarStep = 2;               // between sizes: few fonts, whose letters are kept
constexpr qsizetype kMostWidths = 4096;

QString farTitle(const Scene& scene, const SceneItem& item) {
  if (item.kind == ItemKind::kFolded) return scopeWords(scene.scopes->scopes[item.index]);
  if (item.kind == ItemKind::kInput || item.kind == ItemKind::kOutput)
    return text(scene.reportOf(item).values[item.index].name);
  const NodeReport& node = scene.nodeOf(item);
  if (isCopy(node)) return {};
  return opensAsHull(node) ? hullTitle(*scene.graphs, node) : operatorText(node);
}

// Of a title in the font of cards; measuring is what costs most, and there are few different ones.
double farWidth(const QString& title) {
  static const PerThread<QHash<QString, double>> widths;
  QHash<QString, double>& own = widths.own();
  const auto known = own.constFind(title);
  if (known != own.constEnd()) return *known;
  if (own.size() > kMostWidths) own.clear();
  return *own.insert(title, QFontMetricsF(cardTitleFont()).horizontalAdvance(title));
}

}  // namespace

void paintFarTitle(QPainter& painter, const Scene& scene, const SceneLook& look, int item, const QRectF& place,
                   double scale) {
  const double smallest = kSmallestLetters / scale;
  const QRectF room = place.adjusted(4, 0, -4, 0);
  if (room.height() * kFarHeight < smallest) return;
  QString title = farTitle(scene, scene.items[item]);
  if (title.isEmpty()) return;
  QFont font = cardTitleFont();
  const double wide = room.width() * font.pixelSize() / std::max(1.0, farWidth(title));
  const int letters = static_cast<int>(std::clamp(wide, smallest, room.height() * kFarHeight) / kFarStep) * kFarStep;
  font.setPixelSize(std::max(letters, static_cast<int>(std::ceil(smallest))));
  if (wide < font.pixelSize()) title = QFontMetricsF(font).elidedText(title, Qt::ElideRight, room.width());
  painter.setFont(font);
  painter.setPen(look.theme->textOn(look.strong(item)));
  painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine, title);
}

CardPainter::CardPainter(QPainter& painter, const Scene& scene, const SceneLook& look, Detail detail)
    : m_painter(painter),
      m_scene(scene),
      m_look(look),
      m_detail(detail),
      m_titleFont(cardTitleFont()),
      m_textFont(cardTextFont()),
      m_badgeFont(sceneFont(-3, QFont::Bold)),
      m_titleMetrics(m_titleFont),
      m_textMetrics(m_textFont) {}

void CardPainter::paint(int item) {
  switch (m_scene.items[item].kind) {
    case ItemKind::kNode:
      return paintNode(item);
    case ItemKind::kFolded:
      return paintFolded(item);
    case ItemKind::kHeader:
      return paintHeader(item);
    case ItemKind::kInput:
    case ItemKind::kOutput:
      return paintTerminal(item);
  }
}

void CardPainter::paintLine(const QRectF& where, const QString& line, const QFont& font, const QColor& color,
                            Qt::TextElideMode elide) {
  const QFontMetricsF& metrics = font.pixelSize() == m_titleFont.pixelSize() ? m_titleMetrics : m_textMetrics;
  m_painter.setFont(font);
  m_painter.setPen(color);
  m_painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(line, elide, where.width()));
}

// A rounded card with a bar of the strong colour at its left; the category's pattern lies over the bar.
void CardPainter::paintBody(const QRectF& rect, const QColor& fill, const QColor& strong, int category) {
  const QRectF card = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(strong);
  m_painter.drawRoundedRect(card, kRadius, kRadius);
  if (category >= 0 && m_look.theme->category(category).pattern != Qt::SolidPattern) {
    m_painter.setBrush(QBrush(m_look.theme->textOn(strong), m_look.theme->category(category).pattern));
    m_painter.setOpacity(0.45);
    m_painter.drawRoundedRect(QRectF(card.left(), card.top(), kBar * 2, card.height()), kRadius, kRadius);
    m_painter.setOpacity(1);
  }
  QPainterPath face;
  face.addRoundedRect(card.adjusted(kBar, 0, 0, 0), kRadius - 2, kRadius - 2);
  m_painter.setBrush(fill);
  m_painter.drawPath(face);
  m_painter.setBrush(Qt::NoBrush);
  m_painter.setPen(QPen(mix(strong, fill, 0.35), 1));
  m_painter.drawRoundedRect(card, kRadius, kRadius);
}

double CardPainter::badgeRoom(const QRectF& card, int item, bool hasBody) const {
  const Overlay& overlay = *m_look.overlay;
  if (!overlay.isRamp()) return overlay.letterOf(m_look.category[item]).isNull() ? 0 : kBadgeSize + 6;
  const QString words = overlay.amountText(m_look.amount[item]);
  if (words.isEmpty()) return 0;
  const bool marked = lessSure(m_look.truth[item], overlay.truth) != overlay.truth;
  return card.right() - figureEnd(card, hasBody) + m_textMetrics.horizontalAdvance(words) + 1 +
         (marked ? kTruthRoom : 0);
}

double CardPainter::paintBadge(const QRectF& rect, int item, bool hasBody) {
  const Overlay& overlay = *m_look.overlay;
  if (overlay.isRamp()) {
    const QString words = overlay.amountText(m_look.amount[item]);
    if (words.isEmpty()) return 0;
    const double width = m_textMetrics.horizontalAdvance(words);
    m_painter.setFont(m_textFont);
    m_painter.setPen(m_look.theme->textOn(m_look.fill(item)));
    const double end = figureEnd(rect, hasBody);
    m_painter.drawText(QRectF(end - width - 2, rect.top(), width + 2, rect.height()), Qt::AlignVCenter | Qt::AlignRight,
                       words);
    // What the whole picture is, the legend says.
    if (const TruthKind truth = m_look.truth[item]; lessSure(truth, overlay.truth) != overlay.truth)
      paintTruth(m_painter, QRectF(end - width - kTruthRoom, rect.top(), kTruthRoom, rect.height()), truth,
                 *m_look.theme);
    return badgeRoom(rect, item, hasBody);
  }
  const QChar letter = overlay.letterOf(m_look.category[item]);
  if (letter.isNull()) return 0;
  const QRectF badge(rect.right() - kBadgeSize - 7, rect.center().y() - kBadgeSize / 2, kBadgeSize, kBadgeSize);
  const QColor strong = m_look.strong(item);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(strong);
  m_painter.drawRoundedRect(badge, 4, 4);
  m_painter.setFont(m_badgeFont);
  m_painter.setPen(m_look.theme->textOn(strong));
  m_painter.drawText(badge, Qt::AlignCenter, QString(letter));
  return kBadgeSize + 6;
}

// The edge of a card that looks out from behind another.
void CardPainter::paintStack(const QRectF& rect, int item) {
  m_painter.setPen(QPen(mix(m_look.strong(item), m_look.theme->canvas, 0.5), 1));
  m_painter.setBrush(mix(m_look.fill(item), m_look.theme->canvas, 0.4));
  m_painter.drawRoundedRect(rect.adjusted(kCardStack + 0.5, kCardStack + 0.5, -0.5, -0.5), kRadius, kRadius);
}

void CardPainter::paintCopy(int item) {
  const QRectF rect = m_scene.items[item].rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const SceneItem& shown = m_scene.items[item];
  const QColor fill = m_look.fill(item);
  m_painter.setPen(QPen(m_look.strong(item), 1.4));
  m_painter.setBrush(fill);
  m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
  m_painter.setFont(m_textFont);
  m_painter.setPen(m_look.share[item] >= 0 ? m_look.theme->textOn(fill) : m_look.theme->text);
  m_painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine,
                     copyWords(m_scene.reportOf(shown), m_scene.nodeOf(shown)));
}

void CardPainter::paintNode(int item) {
  if (isCopy(m_scene.nodeOf(m_scene.items[item]))) return paintCopy(item);
  const int more = m_scene.onCard(item);
  const double stack = more > 0 ? kCardStack : 0;
  const QRectF rect = m_scene.items[item].rect.adjusted(0, 0, -stack, -stack);
  if (more > 0) paintStack(m_scene.items[item].rect, item);
  const NodeReport& node = m_scene.nodeOf(m_scene.items[item]);
  const QColor fill = m_look.fill(item);
  paintBody(rect, fill, m_look.strong(item), m_look.category[item]);
  const bool ramp = m_look.share[item] >= 0;
  const QColor ink = ramp ? m_look.theme->textOn(fill) : m_look.theme->text;
  const bool hasName = m_scene.contents.names && !cardName(node).empty();
  const bool named = m_detail == Detail::kFull && hasName;
  const bool tall = m_scene.contents.rows() && rect.height() > kPlainHeight;
  const double room = tall ? (hasName ? 44 : 32) : rect.height();  // above the rows
  const QRectF titleRow(rect.left() + kInset, rect.top() + (named ? 4 : 0), rect.width() - kInset - 8,
                        named                       ? 19
                        : m_detail == Detail::kFull ? room
                                                    : rect.height());
  if (m_look.marks.contains(item)) paintMarkedCorner(m_painter, rect, m_look.theme->accent);
  const bool body = hasBody(node);
  const QString title = titleOf(node);
  const QRectF nameRow(rect.left() + kInset, rect.top() + 22, rect.width() - kInset - 8, 17);
  // A figure that would cut the title short stands beside the name, which can be shortened.
  const bool below = named && !body && m_look.overlay->isRamp() &&
                     m_titleMetrics.horizontalAdvance(title) > titleRow.width() - badgeRoom(rect, item, body);
  const QRectF& badgeRow = below ? nameRow : titleRow;
  const double badge = paintBadge(QRectF(rect.left(), badgeRow.top(), rect.width(), badgeRow.height()), item, body);
  const QRectF titleRoom = titleRow.adjusted(0, 0, body ? -std::max(48.0, badge) : below ? 0 : -badge, 0);
  paintLine(titleRoom, title, m_titleFont, ink);
  if (more > 0) {
    const double used = m_titleMetrics.horizontalAdvance(title) + 7;
    if (titleRoom.width() - used > 12)
      paintLine(titleRoom.adjusted(used, 0, 0, 0), QStringLiteral("+%1").arg(more), m_textFont, mix(ink, fill, 0.35));
  }
  if (body) {
    const QRectF sign = bodySign(rect);
    m_painter.setPen(QPen(mix(ink, fill, 0.55), 1));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(sign.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    m_painter.setPen(QPen(ink, 1.4));
    const QPointF middle = sign.center();
    m_painter.drawLine(middle - QPointF(4, 0), middle + QPointF(4, 0));
    m_painter.drawLine(middle - QPointF(0, 4), middle + QPointF(0, 4));
  }
  if (tall && m_detail == Detail::kFull)
    paintRows(rect, rect.top() + room - 4, m_scene.reportOf(m_scene.items[item]), node, ink,
              ramp ? mix(ink, fill, 0.3) : m_look.theme->textSecondary);
  if (!named) return;
  paintLine(nameRow.adjusted(0, 0, below ? -badge : 0, 0), text(cardName(node)), m_textFont,
            ramp ? mix(ink, fill, 0.2) : m_look.theme->textSecondary, Qt::ElideMiddle);
}

QString CardPainter::titleOf(const NodeReport& node) const {
  return opensAsHull(node) ? hullTitle(*m_scene.graphs, node) : operatorText(node);
}

// Attributes and weights below the name, divided from it by a fine line.
void CardPainter::paintRows(const QRectF& rect, double top, const GraphReport& graph, const NodeReport& node,
                            const QColor& ink, const QColor& faint) {
  m_painter.setPen(QPen(mix(faint, m_look.theme->surface, 0.7), 1));
  m_painter.drawLine(QPointF(rect.left() + kInset, top + 2), QPointF(rect.right() - 8, top + 2));
  double y = top + kCardRowsGap - 2;
  for (const CardRow& row : cardRows(graph, node, m_scene.contents)) {
    const QRectF line(rect.left() + kInset, y, rect.width() - kInset - 8, kCardRowHeight);
    const double label = std::min(m_textMetrics.horizontalAdvance(row.label), line.width());
    paintLine(QRectF(line.left(), y, label + 1, kCardRowHeight), row.label, m_textFont, faint);
    if (line.width() - label > 24)
      paintLine(QRectF(line.left() + label + 8, y, line.width() - label - 8, kCardRowHeight), row.words, m_textFont,
                ink);
    y += kCardRowHeight;
  }
}

// The title bar of a node whose body is unfolded in its place.
void CardPainter::paintHeader(int item) {
  const QRectF rect = m_scene.items[item].rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const QColor strong = m_look.strong(item), fill = m_look.fill(item);
  m_painter.setPen(QPen(mix(strong, fill, 0.35), 1));
  m_painter.setBrush(fill);
  m_painter.drawRoundedRect(rect, 8, 8);
  const NodeReport& node = m_scene.nodeOf(m_scene.items[item]);
  const QColor ink = m_look.share[item] >= 0 ? m_look.theme->textOn(fill) : m_look.theme->text;
  const QRectF row(rect.left() + 10, rect.top(), rect.width() - 20, rect.height());
  const double badge = paintBadge(rect, item);
  const QString title =
      QStringLiteral("\u2212 ") + (opensAsHull(node) ? hullName(*m_scene.graphs, node) : operatorText(node));
  const double width = std::min(m_titleMetrics.horizontalAdvance(title) + 1, row.width() - badge);
  paintLine(QRectF(row.left(), row.top(), width, row.height()), title, m_titleFont, ink);
  if (m_detail == Detail::kFull && !cardName(node).empty() && row.width() - width - badge > 40)
    paintLine(QRectF(row.left() + width + 8, row.top(), row.width() - width - badge - 8, row.height()),
              text(cardName(node)), m_textFont, mix(ink, fill, 0.3), Qt::ElideMiddle);
}

void CardPainter::paintFolded(int item) {
  const QRectF& rect = m_scene.items[item].rect;
  const Scope& scope = m_scene.scopes->scopes[m_scene.items[item].index];
  const QColor strong = m_look.strong(item), fill = m_look.fill(item);
  paintStack(rect, item);
  const QRectF front = rect.adjusted(0, 0, -kCardStack, -kCardStack);
  paintBody(front, fill, strong, m_look.category[item]);
  const QColor ink = m_look.share[item] >= 0 ? m_look.theme->textOn(fill) : m_look.theme->text;
  const bool full = m_detail == Detail::kFull;
  const QRectF titleRow(front.left() + kInset, front.top() + (full ? 4 : 0), front.width() - kInset - 8,
                        full ? 20 : front.height());
  const QString title = QStringLiteral("+ ") + scopeWords(scope);
  const QRectF countRow(titleRow.left(), front.top() + 23, titleRow.width(), 16);
  const bool below = full && m_titleMetrics.horizontalAdvance(title) > titleRow.width() - badgeRoom(front, item, false);
  const QRectF& badgeRow = below ? countRow : titleRow;
  const double badge = paintBadge(QRectF(front.left(), badgeRow.top(), front.width(), badgeRow.height()), item);
  paintLine(titleRow.adjusted(0, 0, below ? 0 : -badge, 0), title, m_titleFont, ink);
  if (!full) return;
  const QColor faint = mix(ink, fill, 0.25);
  paintLine(countRow.adjusted(0, 0, below ? -badge : 0, 0),
            QCoreApplication::translate("CardPainter", "%n nodes", nullptr, scope.nodeCount), m_textFont, faint);
  if (const QString words = m_look.figureWords(item); !words.isEmpty())
    paintLine(QRectF(titleRow.left(), front.top() + 40, titleRow.width(), 16), words, m_textFont, faint);
}

void CardPainter::paintTerminal(int item) {
  const QRectF rect = m_scene.items[item].rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const ValueReport& value = m_scene.reportOf(m_scene.items[item]).values[m_scene.items[item].index];
  const Theme& theme = *m_look.theme;
  m_painter.setPen(QPen(theme.textSecondary, 1.2));
  m_painter.setBrush(theme.raised);
  m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
  const double side = rect.height() / 3;
  const bool full = m_detail == Detail::kFull && !value.type.empty();
  const QRectF nameRow(rect.left() + side, rect.top() + (full ? 4 : 0), rect.width() - 2 * side,
                       full ? 19 : rect.height());
  m_painter.setFont(m_titleFont);
  m_painter.setPen(theme.text);
  m_painter.drawText(nameRow, Qt::AlignCenter | Qt::TextSingleLine,
                     m_titleMetrics.elidedText(text(value.name), Qt::ElideMiddle, nameRow.width()));
  if (!full) return;
  const QRectF typeRow(nameRow.left(), rect.top() + 21, nameRow.width(), 17);
  m_painter.setFont(m_textFont);
  m_painter.setPen(theme.textSecondary);
  m_painter.drawText(typeRow, Qt::AlignCenter | Qt::TextSingleLine,
                     m_textMetrics.elidedText(text(value.type), Qt::ElideMiddle, typeRow.width()));
}

}  // namespace cutaway::ui

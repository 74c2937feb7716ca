#pragma once
// One card: an operator, a folded scope, an input or an output.
//
// Thread rule: one painter, one thread. Example: paintCard(painter, scene, look, item, Detail::kFull);

#include "ui/canvas/scene_painter.h"

namespace cutaway::ui {

// What a scope is called on its card and its box: its title, and how often what is in it repeats.
QString scopeWords(const Scope& scope);

// Where a card's sign stands that unfolds the body of its node.
QRectF bodySign(const QRectF& card);
// Where the figure of a card ends: at its right, or before the sign of its body.
double figureEnd(const QRectF& card, bool hasBody);

// The corner of a card that has more to tell than its colour (Overlay::marks).
void paintMarkedCorner(QPainter& painter, const QRectF& rect, const QColor& color);

// What a card is called, in one line as large as it holds: where the card's own words are too small to be read and
// these are not. `place` is the card's, or where it is on its way.
void paintFarTitle(QPainter& painter, const Scene& scene, const SceneLook& look, int item, const QRectF& place,
                   double scale);

class CardPainter {
 public:
  CardPainter(QPainter& painter, const Scene& scene, const SceneLook& look, Detail detail);
  void paint(int item);

 private:
  void paintNode(int item);
  void paintFolded(int item);
  void paintTerminal(int item);
  void paintHeader(int item);
  void paintRows(const QRectF& rect, double top, const GraphReport& graph, const NodeReport& node, const QColor& ink,
                 const QColor& faint);
  void paintCopy(int item);
  void paintStack(const QRectF& rect, int item);
  void paintBody(const QRectF& rect, const QColor& fill, const QColor& strong, int category);
  double badgeRoom(const QRectF& card, int item, bool hasBody) const;     // width that the badge takes
  double paintBadge(const QRectF& rect, int item, bool hasBody = false);  // likewise
  QString titleOf(const NodeReport& node) const;
  void paintLine(const QRectF& where, const QString& line, const QFont& font, const QColor& color,
                 Qt::TextElideMode elide = Qt::ElideRight);

  QPainter& m_painter;
  const Scene& m_scene;
  const SceneLook& m_look;
  Detail m_detail;
  QFont m_titleFont, m_textFont, m_badgeFont;
  QFontMetricsF m_titleMetrics, m_textMetrics;
};

}  // namespace cutaway::ui

#include "ui/base/truth_mark.h"

namespace cutaway::ui {

QColor truthColor(TruthKind kind, const Theme& theme) {
  switch (kind) {
    case TruthKind::kExact:
      return theme.success;
    case TruthKind::kMeasured:
      return theme.accent;
    default:
      return theme.warning;
  }
}

void paintTruth(QPainter& painter, const QRectF& where, TruthKind kind, const Theme& theme) {
  const QColor color = truthColor(kind, theme);
  const QRectF box(where.center().x() - 6, where.center().y() - 6, 12, 12);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const auto sign = [&](QChar letter) {
    painter.setFont(sceneFont(1, QFont::DemiBold));  // as large as the drawn ones, which do not grow with text
    painter.setPen(color);
    painter.drawText(box.adjusted(-4, -4, 4, 4), Qt::AlignCenter, QString(letter));
  };
  switch (kind) {
    case TruthKind::kExact:
      painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.drawPolyline(QPolygonF(
          {box.topLeft() + QPointF(1.5, 6.5), box.topLeft() + QPointF(4.8, 9.8), box.topLeft() + QPointF(10.8, 2.8)}));
      break;
    case TruthKind::kPartial: {
      const QRectF disc = box.adjusted(1.5, 1.5, -1.5, -1.5);
      painter.setPen(QPen(color, 1.5));
      painter.drawEllipse(disc);
      painter.setBrush(color);
      painter.drawPie(disc, 90 * 16, 180 * 16);
      break;
    }
    case TruthKind::kAssumed:
    case TruthKind::kEstimated:
      sign(QChar(0x2248));
      break;
    case TruthKind::kSimulated:
      painter.setPen(QPen(color, 1.8, Qt::DotLine, Qt::RoundCap));
      painter.drawEllipse(box.adjusted(1.5, 1.5, -1.5, -1.5));
      break;
    case TruthKind::kMeasured: {
      painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap));
      painter.drawEllipse(box.adjusted(1.7, 2.7, -1.7, -0.7));
      painter.drawLine(box.topLeft() + QPointF(6, 7), box.topLeft() + QPointF(7.8, 4.9));  // its hand
      painter.drawLine(box.topLeft() + QPointF(4.6, 0.7), box.topLeft() + QPointF(7.4, 0.7));
      break;
    }
  }
  painter.restore();
}

}  // namespace cutaway::ui

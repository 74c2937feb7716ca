#include "ui/canvas/line_labels.h"

#include <algorithm>
#include <array>

#include <QFontMetricsF>
#include <QRegularExpression>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {

constexpr double kGap = 6;         // between line and words
constexpr double kDrop = 3;        // below the card
constexpr double kFarthest = 200;  // that a label may reach out of what it belongs to
constexpr int kLongestDim = 12;    // letters
constexpr int kLongestName = 8;    // of an open dimension in a formula

// "f(height)" of "floor(height/2 - 1/2) + 1": which open dimensions it follows from; the inspector has all of it.
QString shortFormula(const QString& formula) {
  static const QRegularExpression kNames(QStringLiteral("[A-Za-z_][A-Za-z_0-9.]*(?![A-Za-z_0-9.(])"));
  QStringList names;
  for (auto found = kNames.globalMatch(formula); found.hasNext();)
    names << shortened(found.next().captured(), kLongestName);
  names.removeDuplicates();
  return QStringLiteral("f(%1)").arg(names.join(QLatin1Char(',')));
}

// Exporters call open dimensions by whole sentences: on a line both ends of the name say which one it is.
QString shortDim(const QString& dim) {
  static const QRegularExpression kFormula(QStringLiteral("[-+*/(]"));
  return dim.size() > kLongestDim && dim.contains(kFormula) ? shortFormula(dim) : shortened(dim, kLongestDim);
}

QString shortDims(std::string_view shape) {
  QStringList dims = shapeDims(shape);
  if (dims.isEmpty()) return shapeText(shape);
  for (QString& dim : dims)
    dim = shortDim(dim.remove(QLatin1Char('"')).trimmed());
  return dims.join(QChar(0x00d7));
}

// Does the line come into the rectangle? Sampled closely enough for a rectangle of a text line's height.
bool crosses(const SegmentCurve& curve, const QRectF& rect) {
  constexpr int kSteps = 24;
  for (int step = 0; step <= kSteps; ++step)
    if (rect.contains(curve.at(static_cast<double>(step) / kSteps))) return true;
  return false;
}

bool isFree(const Scene& scene, const QRectF& rect) {
  bool free = true;
  scene.itemGrid.visit(rect, [&](int i) { free = free && !scene.items[i].rect.intersects(rect); });
  if (!free) return false;
  scene.segmentGrid.visit(rect, [&](int i) {
    free = free && !crosses(curveOf(scene.segments[i], scene.direction), rect.adjusted(1, 2, -1, -2));
  });
  return free;
}

// Down: right or left of the line, close to its start or a line further on. Right: above or below it.
std::vector<QRectF> candidates(const Scene& scene, const QPointF& start, const QSizeF& size) {
  std::vector<QRectF> places;
  if (scene.direction == FlowDirection::kDown) {
    for (const double drop : {kDrop, kDrop + size.height()})
      for (const double x : {start.x() + kGap, start.x() - kGap - size.width()})
        places.emplace_back(QPointF(x, start.y() + drop), size);
  } else {
    for (const double gap : {-3.0 - size.height(), 3.0})
      places.emplace_back(QPointF(start.x() + 8, start.y() + gap), size);
  }
  return places;
}

}  // namespace

QFont lineLabelFont() {
  return sceneFont(-3);
}

QString lineWords(const ValueReport& value) {
  const QString shape = shortDims(value.shape);
  if (value.elementType.empty() || value.elementType == "float") return shape;
  return shape.isEmpty() ? text(value.elementType) : shape + QLatin1Char(' ') + text(value.elementType);
}

std::vector<LineLabel> lineLabels(const Scene& scene, const QRectF& window) {
  const QFontMetricsF metrics(lineLabelFont());
  std::vector<LineLabel> labels;
  const auto taken = [&labels](const QRectF& rect) {
    return std::any_of(labels.begin(), labels.end(),
                       [&](const LineLabel& other) { return other.rect.intersects(rect); });
  };
  const auto addNet = [&](int n) {
    const SceneNet& net = scene.nets[n];
    if (net.segmentCount == 0) return;
    if (net.bundle >= 0) {
      const QString words = QStringLiteral("\u00d7%1").arg(scene.bundles[net.bundle].size());
      // On the longest piece of the line.
      int longest = net.firstSegment;
      for (int s = net.firstSegment; s < net.firstSegment + net.segmentCount; ++s)
        if (std::abs(scene.segments[s].dx) + std::abs(scene.segments[s].dy) >
            std::abs(scene.segments[longest].dx) + std::abs(scene.segments[longest].dy))
          longest = s;
      const QPointF middle = curveOf(scene.segments[longest], scene.direction).at(0.5);
      const QSizeF size(metrics.horizontalAdvance(words) + 10, metrics.height() + 1);
      const QRectF rect(middle.x() - size.width() / 2, middle.y() - size.height() / 2, size.width(), size.height());
      if (rect.intersects(window) && !taken(rect)) labels.push_back({rect, words, n, true});
      return;
    }
    const QString words = lineWords(scene.valueOf(net));
    if (words.isEmpty()) return;
    const QSizeF size(
        std::min(metrics.horizontalAdvance(words), scene.direction == FlowDirection::kRight ? 96.0 : kFarthest) + 2,
        metrics.height());
    for (const QRectF& rect : candidates(scene, scene.segments[net.firstSegment].start(), size)) {
      if (taken(rect) || !isFree(scene, rect)) continue;
      labels.push_back({rect, words, n, false});
      return;
    }
  };
  std::vector<int> items;
  scene.itemGrid.visit(window.adjusted(-kFarthest, -80, kFarthest, 80), [&](int i) { items.push_back(i); });
  std::sort(items.begin(), items.end());  // the same labels win wherever the window stands
  std::vector<int> done;
  for (const int item : items)
    for (const int n : scene.netsOfItem[item])
      if (scene.nets[n].source == item || (scene.nets[n].bundle >= 0 && scene.nets[n].source < 0 &&
                                           std::find(done.begin(), done.end(), n) == done.end())) {
        if (scene.nets[n].bundle >= 0) done.push_back(n);
        addNet(n);
      }
  return labels;
}

void paintLineLabels(QPainter& painter, const Scene& scene, const Theme& theme, const QRectF& window) {
  const QFont font = lineLabelFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  for (const LineLabel& label : lineLabels(scene, window)) {
    if (label.count) {
      painter.setPen(QPen(theme.borderStrong, 1));
      painter.setBrush(theme.raised);
      painter.drawRoundedRect(label.rect, label.rect.height() / 2, label.rect.height() / 2);
      painter.setPen(theme.text);
      painter.drawText(label.rect, Qt::AlignCenter, label.words);
      continue;
    }
    painter.setPen(theme.textFaint);
    painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(label.words, Qt::ElideRight, label.rect.width() + 1));
  }
}

}  // namespace cutaway::ui

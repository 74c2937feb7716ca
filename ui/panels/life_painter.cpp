// How a LifeChart looks. Axes, blocks, labels, lines and legend go into a picture that is kept; selection and pointer
// are drawn over it.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/life_raster.h"
#include "ui/panels/play_bar.h"

namespace cutaway::ui {
namespace {

constexpr double kLabelRoom = 34;
constexpr size_t kMostLabels = 400;  // the largest blocks are named
constexpr size_t kMostSelected = 4000;
constexpr double kShapeRoom = 7;
constexpr double kArrowRoom = 12;  // an arrow to the first step comes from beside the plot
constexpr int kStepsOfPath = 32;   // stroking one path takes time with the square of its length
constexpr double kNameAbove = 4;
constexpr double kPatternSoft = 0.5;
constexpr int kTickRoomX = 76, kTickRoomY = 44;

std::vector<BlockLook> looksOf(const Theme& theme) {
  std::vector<BlockLook> looks;
  for (int category = -1; category < kCategoryCount - 1; ++category)
    for (const double strength : {0.22, 0.58}) {
      const CategoryLook& look = theme.category(category);
      looks.push_back({mix(look.fill, look.color, strength).rgba(), mix(look.color, look.fill, 0.2).rgba()});
    }
  return looks;
}

struct Seen {
  const LifeBlock* block;
  QRectF rect;
};

}  // namespace

QPen LifeChart::penOf(LineLook look) const {
  const Theme& theme = m_context.themes->current();
  switch (look) {
    case LineLook::kPeak:
      return QPen(theme.error, 1.4, Qt::SolidLine);
    case LineLook::kBound:
      return QPen(theme.textSecondary, 1.4, Qt::DashLine);
    case LineLook::kLive:
      return QPen(theme.text, 1.6, Qt::SolidLine);
    case LineLook::kMeasured:
      return QPen(theme.hit, 2.2, Qt::DotLine);
  }
  return {};
}

void LifeChart::paintAxes(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setFont(interfaceFont(-2));
  const QRectF& plot = m_geometry.plot;
  if (m_data.bytes)
    for (const double tick :
         axisTicks(m_geometry.low, m_geometry.high, std::max(2, static_cast<int>(plot.height() / kTickRoomY)))) {
      const double y = std::round(m_geometry.y(tick)) + 0.5;
      painter.setPen(QPen(theme.border, 1));
      painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
      painter.setPen(theme.textFaint);
      // Near by, round sizes would all read the same.
      const bool near = m_geometry.high - m_geometry.low < m_geometry.high / 20;
      painter.drawText(QRectF(0, y - 9, plot.left() - 7, 18), Qt::AlignRight | Qt::AlignVCenter,
                       near ? countText(static_cast<int64_t>(tick)) : sizeText(static_cast<int64_t>(tick)));
    }
  for (size_t lane = 0; lane < m_data.laneNames.size(); ++lane) {
    const double top = m_geometry.y(m_data.high - static_cast<double>(lane)),
                 bottom = m_geometry.y(m_data.high - static_cast<double>(lane) - 1);
    if (bottom < plot.top() || top > plot.bottom()) continue;
    painter.setPen(theme.textSecondary);
    const QRectF room(kSpace, top, plot.left() - kSpace - 6, bottom - top);
    painter.drawText(
        room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        painter.fontMetrics().elidedText(m_data.laneNames[lane], Qt::ElideMiddle, static_cast<int>(room.width())));
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(plot.left(), std::round(bottom) + 0.5), QPointF(plot.right(), std::round(bottom) + 0.5));
  }
  for (const double tick :
       axisTicks(m_geometry.firstStep, m_geometry.endStep, std::max(2, static_cast<int>(plot.width() / kTickRoomX)))) {
    const double x = m_geometry.x(tick);
    if (x < plot.left() - 1 || x > plot.right() - 10) continue;
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(x - 36, plot.bottom() + 4, 72, 14), Qt::AlignHCenter | Qt::AlignTop,
                     m_data.axisText ? m_data.axisText(tick) : QString::number(static_cast<int64_t>(tick)));
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
  }
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

// One row above the plot: lines and curves by name, then the kinds of blocks. What does not fit is left out from the
// end; the tool tip has all.
void LifeChart::paintLegend(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setFont(interfaceFont(-2));
  const QFontMetricsF metrics(painter.font());
  const double middle = m_geometry.plot.top() - 15;
  double x = m_data.bytes ? m_geometry.plot.left() : kSpaceLarge;
  const auto entry = [&](const QString& words, double mark, const auto& draw) {
    const double wanted = mark + 5 + metrics.horizontalAdvance(words) + 14;
    if (x + wanted > width() + 10) return;
    draw(QRectF(x, middle - 5, mark, 10));
    painter.setPen(theme.textSecondary);
    painter.drawText(QPointF(x + mark + 5, middle + metrics.ascent() / 2 - 1), words);
    x += wanted;
  };
  const auto line = [&](const QString& words, LineLook look) {
    entry(words, 20, [&](const QRectF& room) {
      painter.setPen(penOf(look));
      painter.drawLine(QPointF(room.left(), middle), QPointF(room.right(), middle));
    });
  };
  for (const LifeLine& each : m_data.lines)
    line(each.label, each.look);
  for (const LifeCurve& each : m_data.curves)
    line(each.label, each.look);
  for (const KindEntry& each : m_data.legend)
    entry(each.label, 14, [&](const QRectF& room) {
      const CategoryLook& look = theme.category(each.category);
      painter.setPen(
          QPen(mix(look.color, look.fill, 0.2), 1, each.shape == BlockShape::kDashed ? Qt::DashLine : Qt::SolidLine));
      painter.setBrush(mix(look.fill, look.color, each.emphasised ? 0.58 : 0.22));
      painter.drawRect(room.adjusted(0.5, 0.5, -0.5, -0.5));
      painter.setBrush(Qt::NoBrush);
      if (each.shape == BlockShape::kHatched) painter.fillRect(room, QBrush(look.color, Qt::BDiagPattern));
      if (each.shape == BlockShape::kNotched)
        painter.fillRect(QRectF(room.left(), room.top(), 4, room.height()), look.color);
    });
}

void LifeChart::paintBlocks(QPainter& painter) const {
  const double scale = devicePixelRatioF();
  QImage image((m_geometry.plot.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  rasterBlocks(image, m_geometry, scale, !m_data.bytes, m_data.blocks, looksOf(m_context.themes->current()));
  image.setDevicePixelRatio(scale);
  painter.drawImage(m_geometry.plot.topLeft(), image);
}

void LifeChart::paintLabels(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setFont(interfaceFont(-3));
  const QFontMetricsF metrics(painter.font());
  std::vector<Seen> seen;
  for (const LifeBlock& block : m_data.blocks) {
    if (block.end <= m_geometry.firstStep || block.begin >= m_geometry.endStep || block.to <= m_geometry.low ||
        block.from >= m_geometry.high)
      continue;
    const QRectF rect = m_geometry.rectOf(block.begin, block.end, block.from, block.to) & m_geometry.plot;
    const bool named = rect.width() >= kLabelRoom && rect.height() >= metrics.height() - 1;
    const bool shaped = block.shape != BlockShape::kPlain && rect.width() >= kShapeRoom && rect.height() >= kShapeRoom;
    if (named || shaped) seen.push_back({&block, rect});
  }
  if (seen.size() > kMostLabels) {
    const auto area = [](const Seen& each) { return each.rect.width() * each.rect.height(); };
    std::nth_element(seen.begin(), seen.begin() + kMostLabels, seen.end(),
                     [&](const Seen& a, const Seen& b) { return area(a) > area(b); });
    seen.resize(kMostLabels);
  }
  for (const Seen& each : seen) {
    const CategoryLook& look = theme.category(each.block->category);
    const QColor fill = mix(look.fill, look.color, each.block->emphasised ? 0.58 : 0.22);
    const QRectF inner = each.rect.adjusted(1, 1, -1, -1);
    double left = 4;
    if (each.block->shape == BlockShape::kHatched)
      painter.fillRect(inner, QBrush(mix(fill, look.color, kPatternSoft), Qt::BDiagPattern));
    if (each.block->shape == BlockShape::kDashed) {
      painter.setPen(QPen(theme.surface, 1.6, Qt::DotLine));
      painter.drawRect(each.rect.adjusted(0.5, 1.5, -0.5, -1.5));
    }
    if (each.block->shape == BlockShape::kNotched) {
      const double depth = std::min(6.0, each.rect.width() / 2);
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(look.color);
      painter.drawPolygon(QPolygonF({inner.topLeft(), {inner.left() + depth, inner.center().y()}, inner.bottomLeft()}));
      painter.setRenderHint(QPainter::Antialiasing, false);
      left += depth;
    }
    if (!m_data.label || each.rect.width() < kLabelRoom || each.rect.height() < metrics.height() - 1) continue;
    if (!m_data.curves.empty()) {
      const double words =
          std::min(each.rect.width() - left - 3, metrics.horizontalAdvance(m_data.label(each.block->item)));
      painter.fillRect(QRectF(each.rect.left() + left - 2, each.rect.center().y() - metrics.height() / 2 + 1, words + 4,
                              metrics.height() - 2),
                       fill);
    }
    painter.setPen(theme.textOn(fill));
    painter.drawText(each.rect.adjusted(left, each.block->namedAtTop ? kNameAbove : 0, -3, 0),
                     (each.block->namedAtTop ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignLeft | Qt::TextSingleLine,
                     metrics.elidedText(m_data.label(each.block->item), Qt::ElideMiddle, each.rect.width() - left - 3));
  }
}

void LifeChart::paintArrows(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (const LifeArrow& arrow : m_data.arrows) {
    const QPointF from(m_geometry.x(arrow.fromStep), m_geometry.y(arrow.from)),
        to(m_geometry.x(arrow.toStep), m_geometry.y(arrow.to));
    if (std::max(from.x(), to.x()) < m_geometry.plot.left() || std::min(from.x(), to.x()) > m_geometry.plot.right())
      continue;
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 6.0, 40.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setPen(QPen(theme.text, 1.3));
    painter.drawPath(path);
    painter.drawLine(to, to + QPointF(-5, -3.5));
    painter.drawLine(to, to + QPointF(-5, 3.5));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// Where many steps share a pixel, their smallest and largest amount are joined: no peak gets lost.
void LifeChart::paintCurve(QPainter& painter, const LifeCurve& curve) const {
  const auto count = static_cast<ptrdiff_t>(curve.amounts.size());
  const auto first = std::max<ptrdiff_t>(0, static_cast<ptrdiff_t>(std::floor(m_geometry.firstStep)));
  const auto last = std::min(count, static_cast<ptrdiff_t>(std::ceil(m_geometry.endStep)));
  if (last <= first) return;
  const auto perPoint = std::max<ptrdiff_t>(
      1, static_cast<ptrdiff_t>(static_cast<double>(last - first) / std::max(1.0, m_geometry.plot.width())));
  painter.setBrush(Qt::NoBrush);
  const QPen pen = penOf(curve.look);
  painter.setPen(pen);
  QPainterPath path;
  double before = 0;
  bool open = false;
  int steps = 0;
  for (ptrdiff_t step = first; step < last; step += perPoint) {
    const ptrdiff_t end = std::min(last, step + perPoint);
    const auto [least, most] = std::minmax_element(curve.amounts.begin() + step, curve.amounts.begin() + end);
    if (*most < 0) {
      open = false;
      steps = 0;
      continue;
    }
    const double left = m_geometry.x(static_cast<double>(step)), right = m_geometry.x(static_cast<double>(end));
    const double low = m_geometry.y(std::max(0.0, *least)), high = m_geometry.y(*most);
    if (perPoint >
        1) {  // a bar a pixel from least to most, joined to the one before; every second one of a dotted curve
      const double upper = steps ? std::min(high, before) : high, lower = steps ? std::max(low, before) : low;
      if (pen.style() == Qt::SolidLine || steps % 2 == 0)
        painter.fillRect(
            QRectF(left, upper - pen.widthF() / 2, std::max(1.0, right - left), lower - upper + pen.widthF()),
            pen.color());
      before = high;
      ++steps;
      continue;
    }
    open ? path.lineTo(left, high) : path.moveTo(left, high);
    if (low != high) {
      path.lineTo(left, low);
      path.lineTo(left, high);
    }
    path.lineTo(right, high);
    open = true;
    if (++steps % kStepsOfPath) continue;
    painter.drawPath(path);
    path = QPainterPath(QPointF(right, high));
  }
  painter.drawPath(path);
}

void LifeChart::paintLines(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  for (const LifeCurve& curve : m_data.curves)
    paintCurve(painter, curve);
  for (const LifeLine& line : m_data.lines) {
    const double y = m_geometry.y(line.amount);
    painter.setPen(penOf(line.look));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  }
  if (m_data.markedStep < 0) return;
  painter.setPen(QPen(theme.hit, 1.4, Qt::DotLine));
  const double x = m_geometry.x(m_data.markedStep + 0.5);
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

void LifeChart::paintPicture() {
  m_picture = QPixmap(size() * devicePixelRatioF());
  m_picture.setDevicePixelRatio(devicePixelRatioF());
  m_picture.fill(m_context.themes->current().surface);
  QPainter painter(&m_picture);
  paintAxes(painter);
  paintLegend(painter);
  painter.setClipRect(m_geometry.plot.adjusted(0, -2, 1, 1));
  paintBlocks(painter);
  if (m_data.bytes) paintLines(painter);  // names stay legible on top of curves
  paintLabels(painter);
  if (!m_data.bytes) paintLines(painter);
  painter.setClipRect(m_geometry.plot.adjusted(-kArrowRoom, -2, 1, 1));
  paintArrows(painter);
}

void LifeChart::paintSelection(QPainter& painter) const {
  if (m_selected.empty()) return;
  const Theme& theme = m_context.themes->current();
  painter.save();
  painter.setClipRect(m_geometry.plot.adjusted(-2, -2, 2, 2));
  size_t drawn = 0;
  const LifeBlock* before = nullptr;
  for (const LifeBlock& block : m_data.blocks) {
    if (!std::binary_search(m_selected.begin(), m_selected.end(), block.item) || ++drawn > kMostSelected) continue;
    QRectF rect = m_geometry.rectOf(block.begin, block.end, block.from, block.to);
    // Between two intervals of a block its memory is somebody else's.
    if (before && before->item == block.item && block.begin > before->end) {
      painter.setPen(QPen(theme.accent, 1.4, Qt::DotLine));
      painter.drawLine(QPointF(m_geometry.x(before->end), rect.center().y()), QPointF(rect.left(), rect.center().y()));
    }
    before = &block;
    if (rect.width() < 3) rect.adjust(-1.5, 0, 1.5, 0);
    if (rect.height() < 3) rect.adjust(0, -1.5, 0, 1.5);
    painter.setPen(QPen(theme.accent, 2.5));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter.restore();
}

void LifeChart::paintPointer(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  painter.setFont(interfaceFont(-2));
  const QRectF below(kSpaceLarge, plot.bottom() + 18, width() - kSpaceLarge - 14, 14);
  const QString words = pointer() ? textAt(*pointer()) : QString();
  painter.setPen(words.isEmpty() ? theme.textFaint : theme.textSecondary);
  const QString rest =
      followedStep() >= 0 ? playWords(*m_context.document, m_context.document->playhead().step()) : m_data.axis;
  painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                   words.isEmpty()
                       ? painter.fontMetrics().elidedText(rest, Qt::ElideMiddle, static_cast<int>(below.width()))
                       : painter.fontMetrics().elidedText(words, Qt::ElideMiddle, static_cast<int>(below.width())));
  if (words.isEmpty()) return;
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawLine(QPointF(std::round(pointer()->x()) + 0.5, plot.top()),
                   QPointF(std::round(pointer()->x()) + 0.5, plot.bottom()));
}

void LifeChart::paintEvent(QPaintEvent*) {
  const Theme& theme = m_context.themes->current();
  QPainter painter(this);
  if (m_data.blocks.empty() && !m_data.curvesAlone) {
    painter.fillRect(rect(), theme.surface);
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(rect()).adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_data.empty);
    return;
  }
  if (m_picture.isNull() || m_picture.devicePixelRatio() != devicePixelRatioF() ||
      m_picture.deviceIndependentSize().toSize() != size())
    paintPicture();
  painter.drawPixmap(0, 0, m_picture);
  paintPlayed(painter);
  paintSelection(painter);
  paintRange(painter);
  paintStepMarks(painter);
  paintPointer(painter);
  paintFocus(painter);
}

}  // namespace cutaway::ui

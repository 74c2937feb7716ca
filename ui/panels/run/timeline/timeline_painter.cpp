#include "ui/panels/run/timeline/timeline_painter.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr double kRuler = 22, kRow = 20, kLaneGap = 8, kBottom = 9;
constexpr double kNameRoom = 26, kLetterRoom = 9;

void paintRuler(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  painter.setFont(interfaceFont(-2));
  const TimeAxis& axis = look.axis;
  for (const TimeTick& tick : timeTicks(axis, 84)) {
    const double x = std::round(axis.x(tick.ns)) + 0.5;
    if (x < axis.plot.left() - 1 || x > axis.plot.right() + 1) continue;
    painter.setPen(QPen(mix(theme.surface, theme.border, 0.75), 1));
    painter.drawLine(QPointF(x, axis.plot.top() - 4), QPointF(x, axis.plot.bottom()));
    painter.setPen(theme.textFaint);
    const bool last = x > axis.plot.right() - 34;
    painter.drawText(QRectF(last ? x - 70 : x - 35, look.area.top(), 70, kRuler - 3),
                     (last ? Qt::AlignRight : Qt::AlignHCenter) | Qt::AlignVCenter, tick.label);
  }
}

void paintLaneTitles(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  const TraceLanes& lanes = *look.content.lanes;
  const double whole = static_cast<double>(std::max<int64_t>(1, lanes.endNs - lanes.beginNs));
  for (const TraceLane& lane : lanes.lanes) {
    const double top = look.rowTop(lane.firstRow), height = lane.rowCount * kRow;
    if (top > look.axis.plot.bottom() || top + height < look.axis.plot.top()) continue;
    painter.fillRect(QRectF(look.axis.plot.left(), top, look.axis.plot.width(), height),
                     mix(theme.surface, theme.raised, 0.7));
    const QRectF room(kSpaceLarge, top, kTimeGutter - kSpaceLarge - 6, kRow);
    painter.setFont(interfaceFont(-2, QFont::DemiBold));
    painter.setPen(theme.textSecondary);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(lane.title, Qt::ElideMiddle, static_cast<int>(room.width())));
    if (lane.rowCount < 2) continue;
    painter.setFont(interfaceFont(-3));
    painter.setPen(theme.textFaint);
    painter.drawText(room.translated(0, kRow - 4), Qt::AlignVCenter | Qt::AlignLeft,
                     percentText(static_cast<double>(lane.busyNs) / whole));
  }
}

void paintName(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color) {
  const QString shown = painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(rect.width()) - 7);
  if (shown.isEmpty() || shown.front() != name.front()) return;  // dots alone tell nothing
  painter.setPen(color);
  painter.drawText(rect.adjusted(4, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
}

void paintRow(QPainter& painter, const TimelineLook& look, int index, const Theme& theme) {
  const TraceRow& row = look.content.lanes->rows[static_cast<size_t>(index)];
  const double top = look.rowTop(index);
  const QColor ground = mix(theme.surface, theme.raised, 0.7);
  for (const DrawnBar& drawn : visibleBars(row, look.axis, look.colouring)) {
    const QColor color = barColor(theme, drawn.category);
    QRectF rect(drawn.left, top + 0.5, drawn.right - drawn.left, kRow - 1);
    if (drawn.bar < 0) {
      painter.fillRect(rect, mix(ground, color, drawn.density));
      continue;
    }
    if (rect.width() > 3) rect.setRight(rect.right() - 0.8);  // neighbours stay apart
    painter.fillRect(rect, color);
    if (rect.width() < kLetterRoom) continue;
    const TraceSpan& span =
        (*look.content.lanes->spans)[static_cast<size_t>(row.bars[static_cast<size_t>(drawn.bar)].span)];
    // Names stay in sight while their bar reaches over the edge.
    const QRectF seen = rect.intersected(look.axis.plot);
    if (seen.width() >= kNameRoom) {
      paintName(painter, seen, look.content.label ? look.content.label(span) : text(span.name), theme.textOn(color));
    } else if (const QChar letter = look.content.letter && seen.width() >= kLetterRoom
                                        ? look.content.letter(drawn.category, look.colouring)
                                        : QChar();
               !letter.isNull()) {
      painter.setPen(theme.textOn(color));
      painter.drawText(seen, Qt::AlignCenter, QString(letter));
    }
  }
}

void paintMarks(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  painter.setBrush(Qt::NoBrush);
  double lastX = -1e9;
  int lastRow = -1;
  for (const TraceBarPlace& place : look.marked) {
    QRectF rect = look.barRect(place);
    if (rect.right() < look.axis.plot.left() || rect.left() > look.axis.plot.right()) continue;
    if (place.row == lastRow && rect.right() < lastX + 1) continue;  // thousands within a pixel are one mark
    lastX = rect.right(), lastRow = place.row;
    if (rect.width() < 2) rect = QRectF(rect.center().x() - 1, rect.top(), 2, rect.height());
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    const double x = std::clamp(rect.center().x(), look.axis.plot.left(), look.axis.plot.right()),
                 y = look.axis.plot.top() - 1;
    const QPointF mark[3] = {{x - 4, y - 5}, {x + 4, y - 5}, {x, y}};
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawPolygon(mark, 3);
    painter.setBrush(Qt::NoBrush);
  }
  if (look.hovered.valid() && look.hovered.row < static_cast<int>(look.content.lanes->rows.size())) {
    painter.setPen(QPen(theme.text, 1.2));
    painter.drawRect(look.barRect(look.hovered).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

// From where a copy was enqueued to where the device did it. More than a pixel column can show are left out.
void paintCopies(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  const TraceLanes& lanes = *look.content.lanes;
  std::map<std::pair<int32_t, int32_t>, TraceBarPlace> enqueued;  // calls of nodes on the host, by graph and node
  const auto spanOf = [&](int row, int bar) -> const TraceSpan& {
    return (
        *lanes.spans)[static_cast<size_t>(lanes.rows[static_cast<size_t>(row)].bars[static_cast<size_t>(bar)].span)];
  };
  const auto forEachBar = [&](auto&& visit) {
    for (int row = 0; row < static_cast<int>(lanes.rows.size()); ++row)
      for (int bar = 0; bar < static_cast<int>(lanes.rows[static_cast<size_t>(row)].bars.size()); ++bar)
        visit(TraceBarPlace{row, bar}, spanOf(row, bar));
  };
  const bool any =
      std::any_of(lanes.spans->begin(), lanes.spans->end(), [](const TraceSpan& span) { return span.bytes >= 0; });
  if (!any) return;
  forEachBar([&](const TraceBarPlace& place, const TraceSpan& span) {
    if (span.category == "Node" && span.node >= 0) enqueued.try_emplace({span.graph, span.node}, place);
  });
  painter.setRenderHint(QPainter::Antialiasing);
  double lastX = -1e9;
  forEachBar([&](const TraceBarPlace& place, const TraceSpan& span) {
    if (span.bytes < 0) return;
    const auto from = enqueued.find({span.graph, span.node});
    if (from == enqueued.end()) return;
    const QRectF start = look.barRect(from->second), end = look.barRect(place);
    const QPointF a(start.center().x(), start.bottom()), b(end.left(), end.top());
    if (b.x() < look.axis.plot.left() - 20 || a.x() > look.axis.plot.right() + 20 || b.x() - lastX < 1) return;
    lastX = b.x();
    painter.setPen(QPen(theme.textSecondary, 1.1));
    painter.drawLine(a, b);
    const QPointF head[3] = {b, b + QPointF(-3.5, -6), b + QPointF(3.5, -6)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.textSecondary);
    painter.drawPolygon(head, 3);
    painter.setBrush(Qt::NoBrush);
  });
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// Which part of the whole is in sight.
void paintOverview(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  if (look.axis.view == look.full) return;
  const QRectF& plot = look.axis.plot;
  const double scale = plot.width() / look.full.lengthNs();
  const QRectF track(plot.left(), look.area.bottom() - 6, plot.width(), 4);
  painter.fillRect(track, theme.border);
  const double left = (look.axis.view.beginNs - look.full.beginNs) * scale,
               width = std::max(6.0, look.axis.view.lengthNs() * scale);
  painter.fillRect(QRectF(track.left() + std::min(left, track.width() - width), track.top(), width, track.height()),
                   theme.accent);
}

}  // namespace

void TimelineLook::place(const QRectF& rect) {
  area = rect;
  axis.plot = QRectF(rect.left() + kTimeGutter, rect.top() + kRuler,
                     std::max(1.0, rect.width() - kTimeGutter - kTimeRightMargin),
                     std::max(1.0, rect.height() - kRuler - kBottom));
  scroll = std::clamp(scroll, 0.0, mostScroll());
}

double TimelineLook::rowTop(int row) const {
  const int lane = content.lanes->rows[static_cast<size_t>(row)].lane;
  return axis.plot.top() - scroll + row * kRow + lane * kLaneGap + kSpaceTiny;
}

double TimelineLook::contentHeight() const {
  if (!content.lanes || content.lanes->empty()) return 0;
  return static_cast<double>(content.lanes->rows.size()) * kRow +
         static_cast<double>(content.lanes->lanes.size() - 1) * kLaneGap + 2 * kSpaceTiny;
}

int TimelineLook::rowAtY(double y) const {
  if (!content.lanes || content.lanes->empty() || y < axis.plot.top() || y > axis.plot.bottom()) return -1;
  for (const TraceLane& lane : content.lanes->lanes) {
    const double inside = y - rowTop(lane.firstRow);
    if (inside >= 0 && inside < lane.rowCount * kRow) return lane.firstRow + static_cast<int>(inside / kRow);
  }
  return -1;
}

const TraceBar& TimelineLook::bar(const TraceBarPlace& place) const {
  return content.lanes->rows[static_cast<size_t>(place.row)].bars[static_cast<size_t>(place.bar)];
}
const TraceSpan& TimelineLook::span(const TraceBarPlace& place) const {
  return (*content.lanes->spans)[static_cast<size_t>(bar(place).span)];
}

QRectF TimelineLook::barRect(const TraceBarPlace& place) const {
  const TraceBar& it = bar(place);
  const double left = axis.x(static_cast<double>(it.startNs)), right = axis.x(static_cast<double>(it.endNs));
  return {left, rowTop(place.row) + 0.5, std::max(1.0, right - left), kRow - 1};
}

QColor barColor(const Theme& theme, int category) {
  if (category == kEngineCategory) return mix(theme.surface, theme.borderStrong, 0.35);
  const CategoryLook& look = theme.category(category);
  return mix(look.fill, look.color, theme.dark ? 0.62 : 0.6);
}

void paintMoments(QPainter& painter, const TimeAxis& axis, const TimeWindow& window, const Theme& theme) {
  paintMoments(painter, axis, Moments{window.range(), window.hover(), window.play(), window.marks()}, theme);
}

namespace {

// What is still to come lies under a veil, the step itself under a tint that ends in a line.
void paintPlay(QPainter& painter, const TimeAxis& axis, const TimeRange& play, const Theme& theme) {
  const QRectF& plot = axis.plot;
  const double left = axis.x(play.beginNs), right = std::max(axis.x(play.endNs), left + 1);
  const double from = std::clamp(right, plot.left(), plot.right());
  QColor veil = theme.surface;
  veil.setAlpha(150);
  painter.fillRect(QRectF(QPointF(from, plot.top()), QPointF(plot.right(), plot.bottom())), veil);
  if (right < plot.left() || left > plot.right()) return;
  QColor now = theme.accent;
  now.setAlpha(40);
  painter.fillRect(QRectF(QPointF(std::max(left, plot.left()), plot.top()), QPointF(from, plot.bottom())), now);
  painter.setPen(QPen(theme.accent, 2));
  painter.drawLine(QPointF(from, plot.top() - 4), QPointF(from, plot.bottom()));
}

void paintFlags(QPainter& painter, const TimeAxis& axis, const std::vector<double>& marks, const Theme& theme) {
  for (const double mark : marks) {
    const double x = std::round(axis.x(mark)) + 0.5;
    if (x < axis.plot.left() || x > axis.plot.right()) continue;
    painter.setPen(QPen(theme.hit, 1.2, Qt::DashDotLine));
    painter.drawLine(QPointF(x, axis.plot.top() - 4), QPointF(x, axis.plot.bottom()));
    painter.fillRect(QRectF(x, axis.plot.top() - 8, 8, 6), theme.hit);
  }
}

}  // namespace

void paintMoments(QPainter& painter, const TimeAxis& axis, const Moments& moments, const Theme& theme) {
  const auto& [range, hoverNs, play, marks] = moments;
  if (play) paintPlay(painter, axis, *play, theme);
  paintFlags(painter, axis, marks, theme);
  if (range) {
    const double left = std::clamp(axis.x(range->beginNs), axis.plot.left(), axis.plot.right()),
                 right = std::clamp(axis.x(range->endNs), axis.plot.left(), axis.plot.right());
    QColor veil = theme.surface;
    veil.setAlpha(165);
    painter.fillRect(QRectF(QPointF(axis.plot.left(), axis.plot.top()), QPointF(left, axis.plot.bottom())), veil);
    painter.fillRect(QRectF(QPointF(right, axis.plot.top()), QPointF(axis.plot.right(), axis.plot.bottom())), veil);
    painter.setPen(QPen(theme.accent, 1.4));
    for (const double x : {left, right})
      painter.drawLine(QPointF(x, axis.plot.top() - 4), QPointF(x, axis.plot.bottom()));
  }
  if (hoverNs) {
    const double x = axis.x(*hoverNs);
    if (x < axis.plot.left() || x > axis.plot.right()) return;
    painter.setPen(QPen(theme.textFaint, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, axis.plot.top()), QPointF(x, axis.plot.bottom()));
  }
}

void paintTimeline(QPainter& painter, const TimelineLook& look, const Theme& theme) {
  painter.fillRect(look.area, theme.surface);
  if (!look.content.lanes || look.content.lanes->empty()) {
    painter.setPen(theme.textFaint);
    painter.setFont(interfaceFont());
    painter.drawText(look.area.adjusted(20, 12, -20, -12), Qt::AlignCenter | Qt::TextWordWrap, look.content.empty);
    return;
  }
  painter.save();
  painter.setClipRect(QRectF(look.area.left(), look.axis.plot.top(), look.area.width(), look.axis.plot.height()));
  paintLaneTitles(painter, look, theme);
  painter.restore();
  paintRuler(painter, look, theme);
  painter.save();
  painter.setClipRect(look.axis.plot);
  painter.setFont(interfaceFont(-2));
  for (size_t row = 0; row < look.content.lanes->rows.size(); ++row) {
    const double top = look.rowTop(static_cast<int>(row));
    if (top + kRow >= look.axis.plot.top() && top <= look.axis.plot.bottom())
      paintRow(painter, look, static_cast<int>(row), theme);
  }
  paintCopies(painter, look, theme);
  painter.setClipRect(look.axis.plot.adjusted(-4, -7, 4, 0));
  paintMarks(painter, look, theme);
  painter.restore();
  paintMoments(painter, look.axis, Moments{look.range, look.hoverNs, look.play, look.marks}, theme);
  if (look.range) {
    const double left = std::max(look.axis.x(look.range->beginNs), look.axis.plot.left()),
                 right = std::min(look.axis.x(look.range->endNs), look.axis.plot.right());
    painter.setFont(interfaceFont(-2, QFont::DemiBold));
    const QString words = timeText(static_cast<int64_t>(look.range->lengthNs()));
    const double width = painter.fontMetrics().horizontalAdvance(words) + 12;
    const double x = std::clamp((left + right) / 2 - width / 2, look.axis.plot.left(),
                                std::max(look.axis.plot.left(), look.axis.plot.right() - width));
    const QRectF pill(x, look.area.top() + 2, width, kRuler - 6);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(pill, 5, 5);
    painter.setPen(theme.accentText);
    painter.drawText(pill, Qt::AlignCenter, words);
    painter.setRenderHint(QPainter::Antialiasing, false);
  }
  paintOverview(painter, look, theme);
}

}  // namespace cutaway::ui

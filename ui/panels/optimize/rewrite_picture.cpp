#include "ui/panels/optimize/rewrite_picture.h"

#include <algorithm>
#include <map>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostBoxes = 14;
constexpr int kMostColumns = 4;
constexpr double kHead = 24, kFoot = 22, kMargin = 12, kArrow = 34;
constexpr double kWidest = 190, kTallest = 38, kGap = 10, kRowGap = 14;

}  // namespace

SmallGraph smallGraph(const ModelGraphs& graphs, const std::vector<NodeTarget>& nodes) {
  SmallGraph small;
  std::map<std::pair<int, int>, int> boxOf;
  for (const NodeTarget& node : nodes) {
    if (node.graph < 0 || static_cast<size_t>(node.graph) >= graphs.graphs.size()) continue;
    const GraphReport& graph = graphs.graphs[static_cast<size_t>(node.graph)];
    if (node.node < 0 || static_cast<size_t>(node.node) >= graph.nodes.size() ||
        boxOf.count({node.graph, node.node}) > 0)
      continue;
    if (small.boxes.size() == kMostBoxes) {
      ++small.left;
      continue;
    }
    boxOf[{node.graph, node.node}] = static_cast<int>(small.boxes.size());
    const NodeReport& report = graph.nodes[static_cast<size_t>(node.node)];
    small.boxes.push_back({node, operatorText(report), shortName(report.name), 0, 0});
  }
  for (size_t to = 0; to < small.boxes.size(); ++to) {
    const NodeTarget& node = small.boxes[to].node;
    const GraphReport& graph = graphs.graphs[static_cast<size_t>(node.graph)];
    for (const int32_t input : graph.nodes[static_cast<size_t>(node.node)].inputs) {
      if (input < 0 || static_cast<size_t>(input) >= graph.values.size()) continue;
      const auto from = boxOf.find({node.graph, graph.values[static_cast<size_t>(input)].producer});
      if (from != boxOf.end() && from->second != static_cast<int>(to))
        small.lines.emplace_back(from->second, static_cast<int>(to));
    }
  }
  // Longest way from the top; a cycle in a broken file ends after as many rounds as there are boxes.
  for (size_t round = 0; round < small.boxes.size(); ++round)
    for (const auto& [from, to] : small.lines) {
      SmallGraph::Box& below = small.boxes[static_cast<size_t>(to)];
      below.row = std::min(static_cast<int>(small.boxes.size()),
                           std::max(below.row, small.boxes[static_cast<size_t>(from)].row + 1));
    }
  std::map<int, int> used;
  for (SmallGraph::Box& box : small.boxes) {
    while (used[box.row] >= kMostColumns && small.lines.empty())
      ++box.row;
    box.column = used[box.row]++;
    small.rows = std::max(small.rows, box.row + 1);
    small.columns = std::max(small.columns, box.column + 1);
  }
  return small;
}

RewritePicture::RewritePicture(const ThemeStore* themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
  setMouseTracking(true);
  setAccessibleName(tr("Before and after the rewrite"));
  connect(themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void RewritePicture::present(SmallGraph before, SmallGraph after, const QString& pass, const QString& note) {
  m_before = std::move(before);
  m_after = std::move(after);
  m_pass = pass;
  m_note = note;
  m_filled = true;
  const auto names = [](const SmallGraph& graph) {
    QStringList all;
    for (const SmallGraph::Box& box : graph.boxes)
      all << box.title + QLatin1Char(' ') + box.name;
    return all.join(QStringLiteral(", "));
  };
  setAccessibleDescription(tr("Before: %1. After: %2. %3").arg(names(m_before), names(m_after), note));
  update();
}

void RewritePicture::clear() {
  m_before = m_after = {};
  m_filled = false;
  update();
}

QRectF RewritePicture::half(bool after) const {
  const double width = (this->width() - 2 * kMargin - kArrow) / 2;
  return QRectF(after ? kMargin + width + kArrow : kMargin, kHead, std::max(1.0, width),
                std::max(1.0, height() - kHead - kFoot));
}

QRectF RewritePicture::boxRect(bool after, int index) const {
  const SmallGraph& graph = after ? m_after : m_before;
  const SmallGraph::Box& box = graph.boxes[static_cast<size_t>(index)];
  const QRectF room = half(after);
  const int inRow = static_cast<int>(std::count_if(graph.boxes.begin(), graph.boxes.end(),
                                                   [&](const SmallGraph::Box& each) { return each.row == box.row; }));
  const double width = std::min(kWidest, (room.width() - (inRow - 1) * kGap) / std::max(1, inRow));
  const double pitch = std::min(kTallest + kRowGap, room.height() / std::max(1, graph.rows));
  const double height = std::min(kTallest, pitch * 0.74);
  const double left = room.center().x() - (inRow * width + (inRow - 1) * kGap) / 2 + box.column * (width + kGap);
  const double top = room.center().y() - graph.rows * pitch / 2 + box.row * pitch + (pitch - height) / 2;
  return {left, top, width, height};
}

void RewritePicture::paintSide(QPainter& painter, bool after) const {
  const Theme& theme = m_themes->current();
  const SmallGraph& graph = after ? m_after : m_before;
  const QRectF room = half(after);
  painter.setFont(interfaceFont(-2));
  painter.setPen(theme.textFaint);
  painter.drawText(QRectF(room.left(), 4, room.width(), kHead - 4), Qt::AlignCenter,
                   after ? tr("After optimising") : tr("In the model"));
  if (graph.boxes.empty())
    return painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap,
                            after ? tr("nothing is left of it") : tr("nothing of the model"));
  painter.setPen(QPen(theme.borderStrong, 1.4));
  painter.setBrush(Qt::NoBrush);
  for (const auto& [from, to] : graph.lines) {
    const QPointF start(boxRect(after, from).center().x(), boxRect(after, from).bottom()),
        end(boxRect(after, to).center().x(), boxRect(after, to).top());
    QPainterPath path(start);
    path.cubicTo(start + QPointF(0, 8), end - QPointF(0, 8), end);
    painter.drawPath(path);
  }
  const CategoryLook& look = theme.category(after ? 2 : 0);
  for (size_t i = 0; i < graph.boxes.size(); ++i) {
    const QRectF rect = boxRect(after, static_cast<int>(i));
    painter.setPen(QPen(look.color, 1));
    painter.setBrush(look.fill);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const SmallGraph::Box& box = graph.boxes[i];
    const bool two = rect.height() >= 30 && !box.name.isEmpty();
    painter.setPen(theme.textOn(look.fill));
    painter.setFont(interfaceFont(-2, QFont::DemiBold));
    const QRectF inner = rect.adjusted(6, two ? 3 : 0, -6, two ? -rect.height() / 2 : 0);
    painter.drawText(inner, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(box.title, Qt::ElideRight, static_cast<int>(inner.width())));
    if (!two) continue;
    painter.setFont(interfaceFont(-3));
    const QRectF below = rect.adjusted(6, rect.height() / 2, -6, -2);
    painter.drawText(below, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(box.name, Qt::ElideMiddle, static_cast<int>(below.width())));
  }
  if (graph.left > 0) {
    painter.setPen(theme.textFaint);
    painter.setFont(interfaceFont(-3));
    painter.drawText(QRectF(room.left(), room.bottom() - 12, room.width(), 12), Qt::AlignRight,
                     tr("and %1 more").arg(graph.left));
  }
}

void RewritePicture::paintEvent(QPaintEvent*) {
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme.surface);
  if (!m_filled) {
    painter.setPen(theme.textFaint);
    painter.drawText(
        QRectF(rect()).adjusted(20, 8, -20, -8), Qt::AlignCenter | Qt::TextWordWrap,
        tr("Select a rewrite to see the nodes before and after it side by side, and marked on the graph."));
    return;
  }
  paintSide(painter, false);
  paintSide(painter, true);
  const QRectF from = half(false), to = half(true);
  const double y = from.center().y(), x1 = from.right() + 8, x2 = to.left() - 8;
  painter.setPen(QPen(theme.accent, 2));
  painter.drawLine(QPointF(x1, y), QPointF(x2, y));
  painter.drawLine(QPointF(x2, y), QPointF(x2 - 5, y - 4));
  painter.drawLine(QPointF(x2, y), QPointF(x2 - 5, y + 4));
  painter.setFont(interfaceFont(-2));
  painter.setPen(theme.textSecondary);
  const QString words = m_note.isEmpty() ? m_pass : QStringLiteral("%1: %2").arg(m_pass, m_note);
  const QRectF foot(kMargin, height() - kFoot, width() - 2 * kMargin, kFoot - 2);
  painter.drawText(foot, Qt::AlignCenter,
                   painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(foot.width())));
}

const SmallGraph::Box* RewritePicture::boxAt(const QPointF& position) const {
  for (const bool after : {false, true}) {
    const SmallGraph& graph = after ? m_after : m_before;
    for (size_t i = 0; i < graph.boxes.size(); ++i)
      if (boxRect(after, static_cast<int>(i)).contains(position)) return &graph.boxes[i];
  }
  return nullptr;
}

void RewritePicture::mousePressEvent(QMouseEvent* event) {
  if (const SmallGraph::Box* box = boxAt(event->position())) emit nodeChosen(box->node);
}

void RewritePicture::mouseMoveEvent(QMouseEvent* event) {
  const SmallGraph::Box* box = boxAt(event->position());
  setCursor(box ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setToolTip(box ? box->title + QLatin1Char('\n') + box->name : QString());
}

}  // namespace cutaway::ui

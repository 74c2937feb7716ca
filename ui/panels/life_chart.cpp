#include "ui/panels/life_chart.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {
constexpr double kLeft = 66, kTop = 14, kRight = 14, kBottom = 30;
constexpr double kLaneLeft = 14;
constexpr double kClickSlack = 4;
constexpr double kLabelRoom = 34;
}  // namespace

LifeChart::LifeChart(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
  setMouseTracking(true);
  setMinimumHeight(140);
  setAccessibleName(tr("Chart of buffers over steps"));
  connect(&context.document->selection(), &Selection::changed, this, qOverload<>(&QWidget::update));
  connect(context.themes, &ThemeStore::changed, this, qOverload<>(&QWidget::update));
}

void LifeChart::present(LifeChartData data) {
  m_data = std::move(data);
  m_geometry.firstStep = 0;
  m_geometry.endStep = std::max(1, m_data.steps);
  m_geometry.low = 0;
  m_geometry.high = m_data.high > 0 ? m_data.high * (m_data.bytes ? 1.08 : 1.0) : 1;
  placePlot();
  update();
}

void LifeChart::placePlot() {
  const double left = m_data.bytes ? kLeft : kLaneLeft;
  m_geometry.plot = QRectF(left, kTop, std::max(1.0, width() - left - kRight), std::max(1.0, height() - kTop - kBottom));
}

void LifeChart::resizeEvent(QResizeEvent*) { placePlot(); }

bool LifeChart::isSelected(const LifeBlock& block) const {
  const Selection& selection = m_context.document->selection();
  if (block.target.value.valid()) return selection.marks(block.target.value);
  if (!block.target.node.valid()) return false;
  const std::vector<int> nodes = selection.nodesIn(block.target.node.version, block.target.node.graph);
  return std::binary_search(nodes.begin(), nodes.end(), block.target.node.node);
}

void LifeChart::paintAxes(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setFont(interfaceFont(-2));
  const QRectF& plot = m_geometry.plot;
  if (m_data.bytes)
    for (const double tick : axisTicks(0, m_geometry.high, std::max(2, static_cast<int>(plot.height() / 44)), true)) {
      const double y = std::round(m_geometry.y(tick)) + 0.5;
      painter.setPen(QPen(theme.border, 1));
      painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
      painter.setPen(theme.textFaint);
      painter.drawText(QRectF(0, y - 9, plot.left() - 7, 18), Qt::AlignRight | Qt::AlignVCenter, sizeText(static_cast<int64_t>(tick)));
    }
  for (const double tick : axisTicks(m_geometry.firstStep, m_geometry.endStep, std::max(2, static_cast<int>(plot.width() / 70)), false)) {
    const double x = m_geometry.x(tick);
    if (x < plot.left() - 1 || x > plot.right() - 10) continue;
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(x - 30, plot.bottom() + 4, 60, 16), Qt::AlignHCenter | Qt::AlignTop, QString::number(static_cast<int64_t>(tick)));
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
  }
  painter.setPen(theme.textFaint);
  painter.drawText(QRectF(plot.right() - 60, plot.bottom() + 12, 60, 16), Qt::AlignRight, tr("step"));
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

void LifeChart::paintBlocks(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  painter.setClipRect(m_geometry.plot.adjusted(-1, -1, 1, 1));
  painter.setFont(interfaceFont(-3));
  const QFontMetricsF metrics(painter.font());
  const bool choosing = !m_context.document->selection().empty();
  std::vector<const LifeBlock*> chosen;
  for (const LifeBlock& block : m_data.blocks) {
    QRectF rect = m_geometry.rectOf(block.firstStep, block.lastStep, block.from, block.to);
    if (rect.right() < m_geometry.plot.left() || rect.left() > m_geometry.plot.right()) continue;
    if (!m_data.bytes) rect.adjust(0, 1, 0, -1);
    rect = rect.adjusted(0.5, 0, -0.5, 0);
    if (rect.width() < 1) rect.setWidth(1);
    if (choosing && chosen.size() < 4000 && isSelected(block)) chosen.push_back(&block);
    const CategoryLook& look = theme.category(block.category);
    const QColor fill = mix(look.fill, look.color, block.emphasised ? 0.55 : 0.22);
    painter.setBrush(fill);
    painter.setPen(rect.height() > 3 && rect.width() > 3 ? QPen(mix(look.color, look.fill, 0.2), 1) : QPen(Qt::NoPen));
    painter.drawRect(rect);
    if (rect.width() < kLabelRoom || rect.height() < metrics.height()) continue;
    painter.setPen(theme.textOn(fill));
    painter.drawText(rect.adjusted(4, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, metrics.elidedText(block.label, Qt::ElideMiddle, rect.width() - 7));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent, 2.5));
  for (const LifeBlock* block : chosen) painter.drawRect(m_geometry.rectOf(block->firstStep, block->lastStep, block->from, block->to).adjusted(0.5, 0.5, -0.5, -0.5));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.textSecondary, 1.2));
  for (const LifeArrow& arrow : m_data.arrows) {
    const QPointF from(m_geometry.x(arrow.step), m_geometry.y(arrow.from)), to(m_geometry.x(arrow.step), m_geometry.y(arrow.to));
    if (from.x() < m_geometry.plot.left() || from.x() > m_geometry.plot.right()) continue;
    painter.drawLine(from, to);
    const double sign = to.y() > from.y() ? -1 : 1;
    painter.drawLine(to, to + QPointF(-3, 5 * sign));
    painter.drawLine(to, to + QPointF(3, 5 * sign));
  }
  painter.setClipping(false);
}

void LifeChart::paintLines(QPainter& painter) const {
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  painter.setFont(interfaceFont(-2, QFont::DemiBold));
  const QFontMetricsF metrics(painter.font());
  double taken = -100;
  for (const LifeLine& line : m_data.lines) {
    const double y = m_geometry.y(line.amount);
    painter.setPen(QPen(line.dashed ? theme.textSecondary : theme.error, 1.4, line.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    // Peak and bound often lie on each other: their words stand apart.
    const double side = std::abs(y - taken) < 16 ? metrics.horizontalAdvance(line.label) + 170 : metrics.horizontalAdvance(line.label) + 6;
    painter.drawText(QPointF(plot.right() - side, y - 3), line.label);
    taken = y;
  }
  if (!m_data.profile.empty()) {
    QPainterPath path;
    const auto first = static_cast<size_t>(std::max(0.0, std::floor(m_geometry.firstStep)));
    const auto last = std::min(m_data.profile.size(), static_cast<size_t>(std::ceil(m_geometry.endStep)));
    const size_t stride = std::max<size_t>(1, (last - first) / static_cast<size_t>(std::max(1.0, plot.width() * 2)));
    for (size_t step = first; step < last; step += stride) {
      const QPointF point(m_geometry.x(static_cast<double>(step)), m_geometry.y(m_data.profile[step]));
      step == first ? path.moveTo(point) : path.lineTo(point);
      path.lineTo(m_geometry.x(static_cast<double>(step + stride)), point.y());
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1.6));
    painter.drawPath(path);
  }
  if (m_data.markedStep >= 0) {
    painter.setPen(QPen(theme.hit, 1.4, Qt::DotLine));
    const double x = m_geometry.x(m_data.markedStep + 0.5);
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  }
}

void LifeChart::paintEvent(QPaintEvent*) {
  const Theme& theme = m_context.themes->current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.surface);
  if (m_data.blocks.empty()) {
    painter.setPen(theme.textFaint);
    painter.drawText(QRectF(rect()).adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_data.empty);
    return;
  }
  paintAxes(painter);
  paintBlocks(painter);
  paintLines(painter);
}

int LifeChart::blockAt(const QPointF& position) const {
  int found = -1;
  for (size_t i = 0; i < m_data.blocks.size(); ++i) {
    const LifeBlock& block = m_data.blocks[i];
    if (m_geometry.rectOf(block.firstStep, block.lastStep, block.from, block.to).adjusted(-1, -1, 1, 1).contains(position)) found = static_cast<int>(i);
  }
  return found;
}

void LifeChart::wheelEvent(QWheelEvent* event) {
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    m_geometry.zoomAt(event->position().x(), std::pow(1.2, event->angleDelta().y() / 120.0), std::max(1, m_data.steps));
  } else {
    const QPoint by = event->angleDelta();
    m_geometry.pan(by.x() != 0 ? by.x() : by.y(), std::max(1, m_data.steps));
  }
  update();
  event->accept();
}

void LifeChart::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->position();
  m_lastX = m_pressed.x();
}

void LifeChart::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() != Qt::NoButton) {
    m_geometry.pan(event->position().x() - m_lastX, std::max(1, m_data.steps));
    m_lastX = event->position().x();
    update();
    return;
  }
  setCursor(blockAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LifeChart::mouseReleaseEvent(QMouseEvent* event) {
  if ((event->position() - m_pressed).manhattanLength() > kClickSlack) return;
  if (const int block = blockAt(event->position()); block >= 0) {
    m_context.document->selection().select(m_data.blocks[block].target);
  } else {
    m_context.document->selection().clear();
  }
}

bool LifeChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int block = blockAt(QPointF(help->pos()));
    if (block < 0) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), m_data.blocks[block].toolTip, this);
    }
    return true;
  }
  return QWidget::event(event);
}

}  // namespace cutaway::ui

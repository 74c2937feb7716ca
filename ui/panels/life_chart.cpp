// A chart of blocks: where it looks, what it points at. life_painter.cpp draws it.
#include "ui/panels/life_chart.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {
constexpr double kLeft = 66, kTop = 10, kRight = 14, kBottom = 34;
constexpr double kLegendHeight = 20;
constexpr double kLaneLeft = 14;
constexpr double kNamedLaneLeft = 96;
constexpr double kLaneHeight = 24, kTallestLane = 40;  // readable; a few lanes need not fill the room
constexpr double kRoomAbove = 1.05;
constexpr double kFewestBytes = 4;  // single bytes can be told apart
constexpr double kPanStep = 40;
}  // namespace

LifeChart::LifeChart(const PanelContext& context, QWidget* parent)
    : Chart(context.themes, tr("Chart of buffers over steps"), parent), m_context(context) {
  takeKeys();
  setMinimumHeight(120);
  connect(&context.document->selection(), &Selection::changed, this, [this] {
    followSelection();
    update();
  });
  connect(&context.document->playhead(), &Playhead::changed, this, [this] {
    if (m_data.played) update();
  });
}

void LifeChart::present(LifeChartData data) {
  const bool sameShape = !m_data.blocks.empty() && m_data.blocks.size() == data.blocks.size() &&
                         m_data.width == data.width && m_data.high == data.high && m_data.graph == data.graph;
  m_data = std::move(data);
  m_data.width = std::max(1.0, m_data.width);
  m_data.high = m_data.high > 0 ? m_data.high * (m_data.bytes ? kRoomAbove : 1.0) : 1;
  setAccessibleDescription(m_data.summary);
  placePlot();
  if (!sameShape) fit();
  followSelection();
  changed();
}

void LifeChart::placePlot() {
  const double left = m_data.bytes ? kLeft : m_data.laneNames.empty() ? kLaneLeft : kNamedLaneLeft;
  const bool legend = !m_data.legend.empty() || !m_data.lines.empty() || !m_data.curves.empty();
  const double top = kTop + (legend ? kLegendHeight : 0);
  m_geometry.plot = QRectF(left, top, std::max(1.0, width() - left - kRight), std::max(1.0, height() - top - kBottom));
}

void LifeChart::fit() {
  m_geometry.firstStep = 0;
  m_geometry.endStep = m_data.width;
  m_geometry.low = 0;
  m_geometry.high = m_data.high;
  if (!m_data.bytes) {
    const double readable = std::max(1.0, m_geometry.plot.height() / kLaneHeight),
                 fewest = m_geometry.plot.height() / kTallestLane;
    m_geometry.low = m_geometry.high - std::max(std::min(m_data.high, readable), fewest);
  }
  changed();
}

void LifeChart::resizeEvent(QResizeEvent*) {
  placePlot();
  if (!m_data.bytes) fit();
  changed();
}

void LifeChart::changed() {
  m_picture = QPixmap();
  update();
}

void LifeChart::followSelection() {
  m_selected.clear();
  const Selection& selection = m_context.document->selection();
  if (selection.empty()) return;
  const auto add = [this](const std::vector<int32_t>& items, int index) {
    if (index >= 0 && index < static_cast<int>(items.size()) && items[static_cast<size_t>(index)] >= 0)
      m_selected.push_back(items[static_cast<size_t>(index)]);
  };
  const GraphIndex* index = m_context.document->index(GraphVersion::kPartitioned);
  if (selection.value().valid() && !m_data.itemOfValue.empty()) {
    if (index && selection.value().graph == m_data.graph)
      add(m_data.itemOfValue, index->valueIndex(m_data.graph, selection.value().name.toStdString()));
  } else if (index && m_data.graph >= 0 && m_data.graph < static_cast<int>(index->graphs().graphs.size())) {
    const GraphReport& graph = index->graphs().graphs[static_cast<size_t>(m_data.graph)];
    for (const int node : selection.nodesIn(GraphVersion::kPartitioned, m_data.graph)) {
      add(m_data.itemOfNode, node);
      for (const int32_t output : graph.nodes[static_cast<size_t>(node)].outputs)
        add(m_data.itemOfValue, output);
    }
  }
  std::sort(m_selected.begin(), m_selected.end());
  m_selected.erase(std::unique(m_selected.begin(), m_selected.end()), m_selected.end());
}

std::vector<int> LifeChart::selectedItems() const {
  return m_selected;
}

int LifeChart::blockAt(const QPointF& position) const {
  if (!m_geometry.plot.adjusted(-1, -1, 1, 1).contains(position)) return -1;
  const double slackX = (m_geometry.endStep - m_geometry.firstStep) / m_geometry.plot.width(),
               slackY = (m_geometry.high - m_geometry.low) / m_geometry.plot.height();
  const double step = m_geometry.stepAt(position.x()), amount = m_geometry.amountAt(position.y());
  int found = -1, near = -1;
  for (size_t i = 0; i < m_data.blocks.size(); ++i) {
    const LifeBlock& block = m_data.blocks[i];
    if (step < block.begin - slackX || step > block.end + slackX || amount < block.from - slackY ||
        amount > block.to + slackY)
      continue;
    near = static_cast<int>(i);
    if (step >= block.begin && step < block.end && amount >= block.from && amount < block.to) found = near;
  }
  return found >= 0 ? found : near;
}

QString LifeChart::textAt(const QPointF& position) const {
  if (!m_geometry.plot.contains(position)) return {};
  const double step = std::floor(m_geometry.stepAt(position.x()));
  QString words = m_data.stepText ? m_data.stepText(m_geometry.stepAt(position.x()))
                                  : tr("step %1").arg(static_cast<int64_t>(step));
  if (m_data.bytes)
    words +=
        tr(" \u00b7 offset %1").arg(countText(static_cast<int64_t>(std::max(0.0, m_geometry.amountAt(position.y())))));
  return words;
}

void LifeChart::reveal(int item) {
  const auto found = std::find_if(m_data.blocks.begin(), m_data.blocks.end(),
                                  [&](const LifeBlock& block) { return block.item == item; });
  if (found == m_data.blocks.end()) return;
  const QRectF rect = m_geometry.rectOf(found->begin, found->end, found->from, found->to);
  const QRectF& plot = m_geometry.plot;
  double x = 0, y = 0;
  if (rect.right() < plot.left() + 1 || rect.left() > plot.right() - 1) x = plot.center().x() - rect.center().x();
  if (rect.bottom() < plot.top() + 1 || rect.top() > plot.bottom() - 1) y = plot.center().y() - rect.center().y();
  if (x != 0 || y != 0) pan({x, y});
}

void LifeChart::zoom(const QPointF& at, double factor, bool amounts) {
  if (!amounts) m_geometry.zoomAt(at.x(), factor, m_data.width);
  if (amounts && m_data.bytes) m_geometry.zoomAmountAt(at.y(), factor, m_data.high, kFewestBytes);
  changed();
}

void LifeChart::pan(const QPointF& by) {
  if (by.x() != 0) m_geometry.pan(by.x(), m_data.width);
  if (by.y() != 0 && m_geometry.low >= 0) m_geometry.panAmount(by.y(), m_data.high);
  changed();
}

QPointF LifeChart::anchor() const {
  return pointer().value_or(m_geometry.plot.center());
}

Chart::Strides LifeChart::strides() const {
  return {.wheelAcross = 120, .wheelDown = 60, .keyAcross = kPanStep, .keyDown = kPanStep};
}

// Lanes scroll like a list.
bool LifeChart::wheelGoesDown(const QPoint& turned, bool shift) const {
  return !m_data.bytes && !shift && turned.y() != 0;
}

// Items follow one another in the order of their blocks.
bool LifeChart::step(int by) {
  if (m_data.blocks.empty() || !m_data.target) return true;
  const auto holds = [this](const LifeBlock& block) {
    return std::binary_search(m_selected.begin(), m_selected.end(), block.item);
  };
  const auto found = std::find_if(m_data.blocks.begin(), m_data.blocks.end(), holds);
  auto at = static_cast<ptrdiff_t>(found - m_data.blocks.begin());
  const auto count = static_cast<ptrdiff_t>(m_data.blocks.size());
  if (at == count) {
    at = by > 0 ? 0 : count - 1;
  } else {
    const int item = found->item;
    while (at >= 0 && at < count && m_data.blocks[static_cast<size_t>(at)].item == item)
      at += by;
  }
  if (at < 0 || at >= count) return true;
  const int item = m_data.blocks[static_cast<size_t>(at)].item;
  m_context.document->selection().select(m_data.target(item));
  reveal(item);
  return true;
}

Chart::Press LifeChart::press(const QMouseEvent& event) {
  const bool ranges = m_data.played && event.button() == Qt::LeftButton &&
                      !event.modifiers().testFlag(Qt::ShiftModifier) && m_geometry.plot.contains(event.position());
  return ranges ? Press{.drag = Drag::kRange} : Press{.drag = Drag::kPan, .slack = 0};
}

void LifeChart::hover(const QPointF& at, const QPoint&) {
  setCursor(blockAt(at) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void LifeChart::click(const QPointF& at, Qt::MouseButton button) {
  if (button == Qt::LeftButton) choose(at);
}

std::optional<QString> LifeChart::tipAt(const QPointF& at) const {
  if (at.y() < m_geometry.plot.top()) return legendWords();
  const int block = blockAt(at);
  return block < 0 || !m_data.toolTip ? QString() : m_data.toolTip(m_data.blocks[static_cast<size_t>(block)].item);
}

// A narrow chart has room for the first of them alone.
QString LifeChart::legendWords() const {
  QStringList words;
  for (const LifeLine& each : m_data.lines)
    words << each.label;
  for (const LifeCurve& each : m_data.curves)
    words << each.label;
  for (const KindEntry& each : m_data.legend)
    words << each.label;
  return words.join(QLatin1Char('\n'));
}

}  // namespace cutaway::ui

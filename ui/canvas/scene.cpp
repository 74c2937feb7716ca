#include "ui/canvas/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::ui {

void IndexRows::build(size_t rows, const std::vector<std::pair<int, int>>& pairs) {
  m_starts.assign(rows + 1, 0);
  for (const auto& [row, entry] : pairs)
    ++m_starts[row + 1];
  std::partial_sum(m_starts.begin(), m_starts.end(), m_starts.begin());
  m_entries.resize(pairs.size());
  std::vector<int> next(m_starts.begin(), m_starts.end() - 1);
  for (const auto& [row, entry] : pairs)
    m_entries[next[row]++] = entry;
  int kept = 0;
  for (size_t row = 0; row < rows; ++row) {
    const auto begin = m_entries.begin() + m_starts[row], end = m_entries.begin() + m_starts[row + 1];
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    m_starts[row] = kept;
    kept = static_cast<int>(std::move(begin, last, m_entries.begin() + kept) - m_entries.begin());
  }
  m_starts[rows] = kept;
  m_entries.resize(kept);
  m_entries.shrink_to_fit();
}

int Scene::itemAt(const QPointF& point) const {
  int found = -1;
  itemGrid.visit(QRectF(point, point), [&](int i) {
    if (items[i].rect.contains(point)) found = i;
  });
  return found;
}

int Scene::boxAt(const QPointF& point) const {
  int innermost = -1;
  boxGrid.visit(QRectF(point, point), [&](int i) {
    const QRectF& rect = boxes[i].rect;
    if (QRectF(rect.left(), rect.top(), rect.width(), kBoxHeader).contains(point)) innermost = std::max(innermost, i);
  });
  return innermost;
}

QPointF SegmentCurve::at(double t) const {
  const double u = 1 - t;
  return start * (u * u * u) + control1 * (3 * u * u * t) + control2 * (3 * u * t * t) + end * (t * t * t);
}

SegmentCurve curveOf(const SceneSegment& segment, FlowDirection direction) {
  const QPointF start = segment.start(), end = segment.end();
  const double along = direction == FlowDirection::kDown ? segment.dy : segment.dx;
  if (const QPointF way = end - start; std::abs(way.x()) < 0.5 || std::abs(way.y()) < 0.5)
    return {start, start + way / 3, end - way / 3, end};
  const double bend = along > 0 ? along * 0.5 : std::max(40.0, std::abs(along) * 0.25);
  const QPointF way = direction == FlowDirection::kDown ? QPointF(0, bend) : QPointF(bend, 0);
  return {start, start + way, end - way, end};
}

int Scene::netAt(const QPointF& point, double tolerance) const {
  const QRectF window(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
  int best = -1;
  double nearest = tolerance;
  segmentGrid.visit(window, [&](int i) {
    const SegmentCurve curve = curveOf(segments[i], direction);
    constexpr int kSteps = 12;
    QPointF before = curve.start;
    for (int step = 1; step <= kSteps; ++step) {
      // The distance to the chord between two points of the curve.
      const QPointF on = curve.at(static_cast<double>(step) / kSteps), way = on - before;
      const double length = QPointF::dotProduct(way, way);
      const double share = length > 0 ? std::clamp(QPointF::dotProduct(point - before, way) / length, 0.0, 1.0) : 0;
      const QPointF off = point - before - way * share;
      const double distance = std::hypot(off.x(), off.y());
      if (distance < nearest) {
        nearest = distance;
        best = segments[i].net;
      }
      before = on;
    }
  });
  return best;
}

std::vector<int> Scene::nodesOf(int item) const {
  if (item < 0 || item >= static_cast<int>(items.size())) return {};
  if (items[item].kind == ItemKind::kNode || items[item].kind == ItemKind::kHeader) return {items[item].index};
  std::vector<int> nodes;
  if (items[item].kind != ItemKind::kFolded) return nodes;
  for (size_t n = 0; items[item].graph == graph && n < itemOfNode.size(); ++n)
    if (itemOfNode[n] == item) nodes.push_back(static_cast<int>(n));
  for (const BodyNode& node : bodyNodes)
    if (node.item == item && node.graph == items[item].graph) nodes.push_back(node.node);
  return nodes;
}

int Scene::onCard(int item) const {
  return items[item].card > 0 ? scopes->scopes[items[item].card].nodeCount - 1 : 0;
}

std::vector<int> Scene::itemsOf(int ofGraph, int node) const {
  std::vector<int> found;
  if (ofGraph == graph && node >= 0 && node < static_cast<int>(itemOfNode.size())) found.push_back(itemOfNode[node]);
  for (const BodyNode& shown : bodyNodes)
    if (shown.graph == ofGraph && shown.node == node) found.push_back(shown.item);
  return found;
}

std::vector<int> Scene::netsOf(int ofGraph, int value) const {
  std::vector<int> found;
  for (size_t n = 0; n < nets.size(); ++n) {
    if (nets[n].graph != ofGraph) continue;
    const bool bundled =
        nets[n].bundle >= 0 && std::find(bundles[nets[n].bundle].begin(), bundles[nets[n].bundle].end(), value) !=
                                   bundles[nets[n].bundle].end();
    if (nets[n].value == value || bundled) found.push_back(static_cast<int>(n));
  }
  return found;
}

std::vector<int> Scene::shownGraphs() const {
  std::vector<int> shown = {graph};
  for (const BodyNode& node : bodyNodes)
    if (shown.back() != node.graph) shown.push_back(node.graph);
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

}  // namespace cutaway::ui

#include "ui/canvas/scope_layouts.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/canvas/dot_layout.h"

namespace cutaway::ui {
namespace {
constexpr double kRightLayerGap = 84;  // beside the flow labels are short; along it they need room
}  // namespace

ScopeLayouts::ScopeLayouts(const SceneRequest& request, const SceneGraph& shown, const VisibleGraph& visible,
                           SceneCache& cache, const CancelToken& cancel)
    : m_request(request),
      m_shown(shown),
      m_visible(visible),
      m_cache(cache),
      m_cancel(cancel),
      m_layouts(shown.tree->scopes.size()),
      m_numberOf(visible.entities.count(), -1) {
  if (right()) m_options.layerGap = kRightLayerGap;
  m_options.windowAcross = right() ? request.window.height() : request.window.width();
  m_options.windowAlong = right() ? request.window.width() : request.window.height();
  chooseEngine();
}

void ScopeLayouts::chooseEngine() {
  if (m_request.layout != LayoutEngine::kDot) return;
  size_t nodes = 0;
  for (size_t scope = 0; scope < m_layouts.size(); ++scope)
    if (m_visible.open[scope]) nodes += m_visible.members[scope].size();
  if (nodes < kMostDotNodes)
    m_options.engine = LayoutEngine::kDot;
  else
    m_note = tr("%1 nodes are shown, and Graphviz is for fewer than %2: this is the layout of Cutaway.")
                 .arg(nodes)
                 .arg(kMostDotNodes);
}

bool ScopeLayouts::run() {
  for (int scope = static_cast<int>(m_layouts.size()) - 1; scope >= 0; --scope)
    if (m_visible.open[scope] && !layoutScope(scope)) return false;
  return true;
}

bool ScopeLayouts::isOpenBox(int entity) const {
  const int scope = scopeOf(entity);
  return scope >= 0 && scope < m_visible.entities.scopes && m_visible.open[scope];
}

const ValueReport& ScopeLayouts::valueOf(int value) const {
  return m_request.graphs->graphs[m_shown.values[value].graph].values[m_shown.values[value].value];
}

QSizeF ScopeLayouts::sizeOf(int entity) const {
  const EntityNumbers& entities = m_visible.entities;
  if (entity < entities.nodes)
    return m_cache.nodeSize(m_request, m_shown.nodes[entity].graph, m_shown.nodes[entity].node);
  if (isOpenBox(entity)) {
    const ScopeLayout& box = m_layouts[scopeOf(entity)];
    return right() ? QSizeF(box.height, box.width) : QSizeF(box.width, box.height);
  }
  if (entity < entities.ofTerminal(0)) {
    const Scope& folded = m_shown.tree->scopes[scopeOf(entity)];
    if (folded.kind != ScopeKind::kCard) return m_cache.measure().folded(folded);
    return m_cache.nodeSize(m_request, folded.callGraph, folded.callNode) + QSizeF(kOnCardWords, kCardStack);
  }
  return m_cache.measure().terminal(valueOf(m_shown.terminals[entity - entities.ofTerminal(0)].value));
}

bool ScopeLayouts::layoutScope(int scope) {
  ScopeLayout& own = m_layouts[scope];
  LayoutInput input;
  own.entities = m_visible.members[scope];
  for (const int entity : own.entities) {
    m_numberOf[entity] = static_cast<int>(input.nodes.size());
    const QSizeF size = right() ? sizeOf(entity).transposed() : sizeOf(entity);
    const int terminal = entity - m_visible.entities.ofTerminal(0);
    input.nodes.push_back(
        {size.width(), size.height(), LayerPin::kFree, terminal >= 0 && !m_shown.terminals[terminal].output});
  }
  // Lines that are bundled outside share their place on the border.
  const int parent = m_shown.tree->scopes[scope].parent;
  std::vector<std::pair<int, int>> borders;  // value, layout node; negative node - 1: bottom
  std::unordered_map<int, int> first, last;
  const auto addBorder = [&](int value, LayerPin pin) {
    const int lead = parent >= 0 ? m_visible.lead(parent, value) : value;
    const auto [entry, added] =
        (pin == LayerPin::kFirst ? first : last).try_emplace(lead, static_cast<int>(input.nodes.size()));
    if (!added) return entry->second;
    input.nodes.push_back({1, 0, pin});
    borders.emplace_back(lead, pin == LayerPin::kFirst ? entry->second : -entry->second - 1);
    return entry->second;
  };
  const auto crossingOf = [&](int entity, int value) -> const Crossing* {
    const auto& crossings = m_layouts[scopeOf(entity)].crossings;
    const auto entry = crossings.find(value);
    return entry == crossings.end() ? nullptr : &entry->second;
  };
  std::vector<LayoutTarget> targets;
  for (const LocalNet& net : m_visible.nets[scope]) {
    targets.clear();
    const int source = net.source == kBorder ? addBorder(net.value, LayerPin::kFirst) : m_numberOf[net.source];
    for (const int target : net.targets) {
      if (target == kBorder) {
        targets.push_back({addBorder(net.value, LayerPin::kLast), 0});
        continue;
      }
      const Crossing* crossing = isOpenBox(target) ? crossingOf(target, net.value) : nullptr;
      targets.push_back({m_numberOf[target], crossing ? crossing->in : kAutomaticPort});
    }
    const Crossing* crossing =
        net.source != kBorder && isOpenBox(net.source) ? crossingOf(net.source, net.value) : nullptr;
    input.addNet(source, targets, net.source == kBorder ? 0 : crossing ? crossing->out : kAutomaticPort);
    own.netSources.push_back(net.source);
  }
  own.result = layOut(input);
  if (!own.result) return false;
  measureBox(scope, borders);
  return true;
}

std::shared_ptr<const LayoutResult> ScopeLayouts::layOut(const LayoutInput& input) {
  const LayoutKey key = keyOf(input, m_options);
  if (auto known = m_cache.find(key)) return known;
  std::optional<LayoutResult> result;
  if (m_options.engine == LayoutEngine::kDot) {
    Result<LayoutResult> placed = layoutWithDot(input, m_options, m_cancel);
    if (!placed) {
      if (m_cancel.cancelled()) return nullptr;
      m_note = placed.error().code == ErrorCode::kNotFound
                   ? tr("Graphviz is not installed (package graphviz): this is the layout of Cutaway.")
                   : tr("Graphviz failed, so this is the layout of Cutaway: %1").arg(text(placed.error().message));
      m_options.engine = LayoutEngine::kOwn;
      return layOut(input);
    }
    result = *std::move(placed);
  } else {
    result = layoutLayered(input, m_options, m_cancel);
  }
  if (!result) return nullptr;
  auto kept = std::make_shared<const LayoutResult>(*std::move(result));
  m_cache.keep(key, kept);
  return kept;
}

// The shapes beside lines may reach further than the nodes.
double ScopeLayouts::widthWithLabels(const ScopeLayout& own) const {
  double reach = 0;
  for (size_t i = 0; i < own.entities.size(); ++i) {
    if (own.entities[i] >= m_visible.entities.nodes) continue;
    const SceneGraph::Node& shown = m_shown.nodes[own.entities[i]];
    const GraphReport& graph = m_request.graphs->graphs[shown.graph];
    for (const int32_t output : graph.nodes[shown.node].outputs)
      if (output >= 0)
        reach = std::max(reach, own.result->nodes[i].x + 10 + m_cache.measure().shapeWidth(graph.values[output]));
  }
  return reach;
}

void ScopeLayouts::measureBox(int scope, const std::vector<std::pair<int, int>>& borders) {
  ScopeLayout& own = m_layouts[scope];
  const double title = m_cache.measure().folded(m_shown.tree->scopes[scope]).width() + 20;
  if (right()) {
    own.width = own.result->width + kBoxHeader + 2 * kBoxPadding;
    own.height = std::max(own.result->height + 2 * kBoxPadding, title);
    own.inset = kBoxHeader + kBoxPadding;
    own.lead = own.trail = (own.height - own.result->height) / 2;
  } else {
    const double content = std::max(own.result->width, scope > 0 ? widthWithLabels(own) - kBoxPadding / 2 : 0.0);
    own.width = std::max(content + 2 * kBoxPadding, title);
    own.inset = (own.width - content) / 2;
    own.lead = kBoxHeader + kBoxPadding;
    own.trail = kBoxPadding;
    own.height = own.result->height + own.lead + own.trail;
  }
  for (const auto& [value, node] : borders) {
    const double across = own.inset + own.result->nodes[node >= 0 ? node : -node - 1].x - own.width / 2;
    Crossing& crossing = own.crossings[value];
    (node >= 0 ? crossing.in : crossing.out) = across;
    crossing.enters = crossing.enters || node >= 0;
  }
}

}  // namespace cutaway::ui

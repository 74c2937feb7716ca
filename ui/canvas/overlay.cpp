#include "ui/canvas/overlay.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "ui/base/context_words.h"
#include "ui/base/format.h"
#include "ui/base/operator_family.h"

namespace cutaway::ui {
namespace {

struct KindWords {
  OverlayKind kind;
  const char* id;
  const char* title;
};
constexpr std::array<KindWords, 7> kKinds = {{{OverlayKind::kNone, "none", "Plain"},
                                              {OverlayKind::kOperator, "operator", "Operator"},
                                              {OverlayKind::kProvider, "provider", "Provider"},
                                              {OverlayKind::kTime, "time", "Time"},
                                              {OverlayKind::kMemory, "memory", "Memory"},
                                              {OverlayKind::kOrder, "order", "Order"},
                                              {OverlayKind::kContext, "context", "Kept compiled"}}};

const std::shared_ptr<const ModelGraphs>& graphsOf(const WalkReport& walk, GraphVersion version) {
  return version == GraphVersion::kPartitioned ? walk.partitionedGraphs : version == GraphVersion::kOptimized ? walk.optimizedGraphs : walk.loadedGraphs;
}

const GraphReport* graphOf(const WalkReport& walk, GraphVersion version, int graph) {
  const auto& all = graphsOf(walk, version);
  return all && graph >= 0 && graph < static_cast<int>(all->graphs.size()) ? &all->graphs[graph] : nullptr;
}

void setMissing(Overlay& overlay, const QString& why) {
  overlay.available = false;
  overlay.missing = why;
}

void countLegend(Overlay& overlay) {
  for (const signed char category : overlay.category)
    if (category >= 0) ++overlay.legend[category].count;
}

void fillOperators(Overlay& overlay, const GraphReport& graph) {
  for (int family = 0; family < kOperatorFamilyCount; ++family) overlay.legend.push_back({family, operatorFamilyLetter(family), operatorFamilyName(family), 0});
  for (const NodeReport& node : graph.nodes) overlay.category.push_back(static_cast<signed char>(operatorFamily(node)));
  countLegend(overlay);
}

void fillProviders(Overlay& overlay, const WalkReport& walk, GraphVersion version, int graphIndex, const GraphReport& graph, const ProviderMarks& marks) {
  if (!walk.partition) return setMissing(overlay, QStringLiteral("Nodes have no provider before Partition is done."));
  for (size_t i = 0; i < marks.names.size(); ++i) overlay.legend.push_back({static_cast<int>(i), marks.letters[i], marks.names[i], 0});
  std::unordered_map<std::string, signed char> categories;  // names are looked up once per node
  for (size_t i = 0; i < marks.names.size(); ++i) categories.emplace(marks.names[i].toStdString(), static_cast<signed char>(std::min<size_t>(i, 100)));
  const auto categoryOf = [&](const std::string& provider) {
    const auto found = categories.find(provider);
    return found == categories.end() ? static_cast<signed char>(-1) : found->second;
  };
  if (version == GraphVersion::kOptimized) {
    for (const NodePlacement& placement : walk.partition->nodes)
      if (placement.graph == graphIndex && placement.node >= 0 && placement.node < static_cast<int>(overlay.category.size())) overlay.category[placement.node] = categoryOf(placement.provider);
  } else {
    for (size_t n = 0; n < graph.nodes.size(); ++n) overlay.category[n] = categoryOf(graph.nodes[n].provider);
  }
  countLegend(overlay);
}

void finishRamp(Overlay& overlay, double from) {
  for (const double amount : overlay.amount) overlay.largest = std::max(overlay.largest, amount);
  overlay.lowText = overlay.amountText(from);
  overlay.highText = overlay.amountText(overlay.largest);
}

void fillTimes(Overlay& overlay, const WalkReport& walk, GraphVersion version, int graph) {
  if (!walk.run || !walk.run->profiled || version != GraphVersion::kPartitioned) return setMissing(overlay, QStringLiteral("Run the model with profiling to see times."));
  for (const NodeTiming& timing : walk.run->nodes)
    if (timing.graph == graph && timing.node >= 0 && timing.node < static_cast<int>(overlay.amount.size())) overlay.amount[timing.node] = static_cast<double>(timing.totalNs);
  finishRamp(overlay, 0);
}

void fillMemory(Overlay& overlay, const WalkReport& walk, GraphVersion version, int graphIndex, const GraphReport& graph) {
  const GraphAllocation* plan = nullptr;
  if (walk.allocate && version == GraphVersion::kPartitioned)
    for (const GraphAllocation& candidate : walk.allocate->graphs)
      if (candidate.graph == graphIndex) plan = &candidate;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    double bytes = -1;
    for (const int32_t output : graph.nodes[n].outputs) {
      if (output < 0) continue;
      int64_t size = graph.values[output].sizeBytes;
      if (plan && output < static_cast<int32_t>(plan->values.size()) && plan->values[output].sizeBytes >= 0) size = plan->values[output].sizeBytes;
      if (size >= 0) bytes = std::max(bytes, 0.0) + static_cast<double>(size);
    }
    overlay.amount[n] = bytes;
  }
  finishRamp(overlay, 0);
  if (overlay.largest <= 0) setMissing(overlay, QStringLiteral("Sizes depend on open dimensions: bind them with --dim NAME=VALUE."));
}

void fillOrder(Overlay& overlay, const WalkReport& walk, GraphVersion version, int graph) {
  if (!walk.schedule || version != GraphVersion::kPartitioned) return setMissing(overlay, QStringLiteral("The order is known once Order is done."));
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    if (schedule.graph != graph) continue;
    for (size_t step = 0; step < schedule.steps.size(); ++step) {
      const int32_t node = schedule.steps[step].node;
      if (node >= 0 && node < static_cast<int32_t>(overlay.amount.size())) overlay.amount[node] = static_cast<double>(step);
    }
  }
  finishRamp(overlay, 0);
}

}  // namespace

const char* overlayId(OverlayKind kind) { return kKinds[static_cast<size_t>(kind)].id; }
QString overlayTitle(OverlayKind kind) { return QString::fromLatin1(kKinds[static_cast<size_t>(kind)].title); }

std::optional<OverlayKind> overlayFromId(std::string_view id) {
  for (const KindWords& words : kKinds)
    if (id == words.id) return words.kind;
  return std::nullopt;
}

OverlayKind overlayFor(Stage stage) {
  switch (stage) {
    case Stage::kPartition:
      return OverlayKind::kProvider;
    case Stage::kContext:
      return OverlayKind::kContext;
    case Stage::kSchedule:
      return OverlayKind::kOrder;
    case Stage::kAllocate:
    case Stage::kPattern:
      return OverlayKind::kMemory;
    case Stage::kRun:
      return OverlayKind::kTime;
    default:
      return OverlayKind::kOperator;
  }
}

QString Overlay::amountText(double amount) const {
  if (amount < 0) return {};
  switch (kind) {
    case OverlayKind::kTime:
      return timeText(static_cast<int64_t>(amount));
    case OverlayKind::kMemory:
      return sizeText(static_cast<int64_t>(amount));
    case OverlayKind::kOrder:
      return QString::number(static_cast<int64_t>(amount));
    default:
      return {};
  }
}

QChar Overlay::letterOf(int category) const { return category >= 0 && category < static_cast<int>(legend.size()) ? legend[category].letter : QChar(); }

namespace {

enum ContextCategory : signed char { kKept, kSimulated, kRestored, kUnusable };
// Each has its own letter beside its colour; what stays as it is has neither, so that the others stand out.
constexpr std::array<std::pair<char, const char*>, 4> kContextWords = {{{'K', "kept compiled"}, {'P', "placeholder"}, {'R', "restored"}, {'X', "cannot run here"}}};

signed char categoryOf(const ContextNodeReport& node) {
  switch (contextFate(node)) {
    case ContextFate::kRestored:
      return kRestored;
    case ContextFate::kSimulated:
      return kSimulated;
    default:
      return kUnusable;
  }
}

// Context nodes are known as loaded, groups as optimised; both reach other versions through the originals.
void fillContexts(Overlay& overlay, const WalkReport& walk, GraphVersion version, int graphIndex, const GraphReport& graph) {
  if (!walk.context) return setMissing(overlay, QStringLiteral("What can be kept compiled is known once Partition is done."));
  for (size_t i = 0; i < kContextWords.size(); ++i) overlay.legend.push_back({static_cast<int>(i), QLatin1Char(kContextWords[i].first), QString::fromLatin1(kContextWords[i].second), 0});
  std::unordered_map<int32_t, signed char> byOrigin;
  const auto note = [&](const std::shared_ptr<const ModelGraphs>& graphs, int32_t g, int32_t n, signed char category) {
    if (!graphs || g < 0 || n < 0 || g >= static_cast<int32_t>(graphs->graphs.size()) || n >= static_cast<int32_t>(graphs->graphs[g].nodes.size())) return;
    for (const int32_t origin : graphs->graphs[g].nodes[n].origins) byOrigin.insert_or_assign(origin, category);
  };
  for (const ContextGroup& group : walk.context->groups)
    if (group.canSave)
      for (const int32_t node : group.nodes) {
        const signed char category = group.isPlaceholder ? kSimulated : kKept;
        note(walk.optimizedGraphs, group.graph, node, category);
        // Nodes that a pass made of nothing have no originals: in their own version they are known by number.
        if (version == GraphVersion::kOptimized && group.graph == graphIndex && node >= 0 && node < static_cast<int32_t>(overlay.category.size())) overlay.category[node] = category;
      }
  for (const ContextNodeReport& node : walk.context->nodes) note(walk.loadedGraphs, node.graph, node.node, categoryOf(node));
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int32_t origin : graph.nodes[n].origins)
      if (const auto found = byOrigin.find(origin); found != byOrigin.end()) overlay.category[n] = found->second;
  }
  countLegend(overlay);
  overlay.legend.push_back({-1, QChar(), QStringLiteral("stays as it is"), static_cast<int>(std::count(overlay.category.begin(), overlay.category.end(), static_cast<signed char>(-1)))});
}

// Original nodes inside a context node have neither provider nor steps of their own: they show what the context node shows.
Overlay insideOverlay(OverlayKind kind, const WalkReport& walk, GraphVersion version, const GraphReport& inside, const ProviderMarks* marks) {
  Overlay overlay = makeOverlay(kind, walk, version, inside.parentGraph, marks);
  if (overlay.isRamp()) setMissing(overlay, QStringLiteral("Nodes inside a context node are compiled into one step: they have no figures of their own."));
  const size_t holder = static_cast<size_t>(inside.parentNode);
  const signed char category = inside.parentNode >= 0 && holder < overlay.category.size() ? overlay.category[holder] : static_cast<signed char>(-1);
  overlay.amount.assign(overlay.isRamp() ? inside.nodes.size() : 0, -1);
  overlay.category.assign(inside.nodes.size(), category);
  for (LegendEntry& entry : overlay.legend) entry.count = entry.category == category ? static_cast<int>(inside.nodes.size()) : 0;
  return overlay;
}

}  // namespace

Overlay makeOverlay(OverlayKind kind, const WalkReport& walk, GraphVersion version, int graph, const ProviderMarks* marks) {
  Overlay overlay;
  overlay.kind = kind;
  const GraphReport* report = graphOf(walk, version, graph);
  if (!report || kind == OverlayKind::kNone) return overlay;
  // A graph inside stands behind its holder, so this ends.
  if (report->isInside && kind != OverlayKind::kOperator && report->parentGraph >= 0 && report->parentGraph < graph) return insideOverlay(kind, walk, version, *report, marks);
  if (overlay.isRamp()) overlay.amount.assign(report->nodes.size(), -1);
  if (kind == OverlayKind::kProvider || kind == OverlayKind::kContext) overlay.category.assign(report->nodes.size(), -1);
  switch (kind) {
    case OverlayKind::kOperator:
      fillOperators(overlay, *report);
      break;
    case OverlayKind::kProvider:
      fillProviders(overlay, walk, version, graph, *report, marks ? *marks : providerMarks(walk));
      break;
    case OverlayKind::kTime:
      fillTimes(overlay, walk, version, graph);
      break;
    case OverlayKind::kMemory:
      fillMemory(overlay, walk, version, graph, *report);
      break;
    case OverlayKind::kOrder:
      fillOrder(overlay, walk, version, graph);
      break;
    case OverlayKind::kContext:
      fillContexts(overlay, walk, version, graph, *report);
      break;
    case OverlayKind::kNone:
      break;
  }
  return overlay;
}

}  // namespace cutaway::ui

#include "ui/canvas/overlay.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "ui/base/format.h"
#include "ui/base/operator_family.h"

namespace cutaway::ui {
namespace {

struct KindWords {
  OverlayKind kind;
  const char* id;
  const char* title;
};
constexpr std::array<KindWords, 6> kKinds = {{{OverlayKind::kNone, "none", "Plain"},
                                              {OverlayKind::kOperator, "operator", "Operator"},
                                              {OverlayKind::kProvider, "provider", "Provider"},
                                              {OverlayKind::kTime, "time", "Time"},
                                              {OverlayKind::kMemory, "memory", "Memory"},
                                              {OverlayKind::kOrder, "order", "Order"}}};

const GraphReport* graphOf(const WalkReport& walk, GraphVersion version, int graph) {
  const auto& all = version == GraphVersion::kPartitioned ? walk.partitionedGraphs : version == GraphVersion::kOptimized ? walk.optimizedGraphs : walk.loadedGraphs;
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
    case Stage::kContext:
      return OverlayKind::kProvider;
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

Overlay makeOverlay(OverlayKind kind, const WalkReport& walk, GraphVersion version, int graph, const ProviderMarks* marks) {
  Overlay overlay;
  overlay.kind = kind;
  const GraphReport* report = graphOf(walk, version, graph);
  if (!report || kind == OverlayKind::kNone) return overlay;
  if (overlay.isRamp()) overlay.amount.assign(report->nodes.size(), -1);
  if (kind == OverlayKind::kProvider) overlay.category.assign(report->nodes.size(), -1);
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
    case OverlayKind::kNone:
      break;
  }
  return overlay;
}

}  // namespace cutaway::ui

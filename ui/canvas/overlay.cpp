// The table of overlays, and what holds for all of them.
#include "ui/canvas/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "ui/canvas/overlay_fill.h"
#include "ui/canvas/plugin_overlays.h"

namespace cutaway::ui {

#define CUTAWAY_UNIT(name) const OverlayDescriptor& overlay_##name();
#include "overlay_table.inc"
#undef CUTAWAY_UNIT

const std::vector<const OverlayDescriptor*>& overlayTable() {
  static const std::vector<const OverlayDescriptor*> table = [] {
    std::vector<const OverlayDescriptor*> all = {
#define CUTAWAY_UNIT(name) &overlay_##name(),
#include "overlay_table.inc"
#undef CUTAWAY_UNIT
    };
    addPluginOverlays(all);
    return all;
  }();
  return table;
}

const OverlayDescriptor* findOverlay(std::string_view id) {
  for (const OverlayDescriptor* each : overlayTable())
    if (id == each->id) return each;
  return nullptr;
}

QString overlayTitle(const OverlayDescriptor& descriptor) {
  return QCoreApplication::translate("Overlay", descriptor.title);
}

const char* overlayFor(Stage stage) {
  for (const OverlayDescriptor* each : overlayTable())
    if (std::find(each->stages.begin(), each->stages.end(), stage) != each->stages.end()) return each->id;
  return overlayTable().front()->id;
}

std::string_view Overlay::id() const {
  return descriptor ? descriptor->id : "none";
}
QString Overlay::title() const {
  return descriptor ? overlayTitle(*descriptor) : QString();
}
bool Overlay::isRamp() const {
  return descriptor && descriptor->shape == OverlayShape::kRamp;
}
QString Overlay::amountText(double amount) const {
  return isRamp() && amount >= 0 ? descriptor->amountText(amount) : QString();
}

QChar Overlay::letterOf(int category) const {
  for (const LegendEntry& entry : legend)
    if (category >= 0 && entry.category == category) return entry.letter;
  return {};
}

TruthKind Overlay::truthOf(int node) const {
  const auto n = static_cast<size_t>(node);
  if (descriptor && descriptor->sumsLeaveOut && n < amount.size() && amount[n] < 0) return TruthKind::kPartial;
  const auto found = truths.find(node);
  return found == truths.end() ? truth : found->second;
}

TruthKind lessSure(TruthKind a, TruthKind b) {
  constexpr std::array kFromSure = {TruthKind::kExact,     TruthKind::kMeasured, TruthKind::kAssumed,
                                    TruthKind::kEstimated, TruthKind::kPartial,  TruthKind::kSimulated};
  return std::max(a, b, [&](TruthKind one, TruthKind other) {
    return std::ranges::find(kFromSure, one) < std::ranges::find(kFromSure, other);
  });
}

double Overlay::shareOf(double amount, double most) const {
  if (amount <= 0 || most <= 0) return 0;
  switch (descriptor ? descriptor->scale : OverlayScale::kLinear) {
    case OverlayScale::kSquareRoot:
      return std::sqrt(amount / most);
    case OverlayScale::kLogarithm: {
      constexpr double kDecades = 8;  // below the largest: as good as nothing
      return std::clamp(1 + std::log10(amount / most) / kDecades, 0.0, 1.0);
    }
    default:
      return amount / most;
  }
}

namespace {

const GraphReport* graphOf(const WalkReport& walk, GraphVersion version, int graph) {
  const auto& all = graphsOf(walk, version);
  return all && graph >= 0 && graph < static_cast<int>(all->graphs.size()) ? &all->graphs[static_cast<size_t>(graph)]
                                                                           : nullptr;
}

// Original nodes inside a context node have neither provider nor steps of their own: they show what the context node
// shows.
Overlay insideOverlay(const OverlayDescriptor& descriptor, const WalkReport& walk, GraphVersion version,
                      const GraphReport& inside, const ProviderMarks* marks, const OverlayExtras& extras) {
  Overlay overlay = makeOverlay(descriptor.id, walk, version, inside.parentGraph, marks, extras);
  if (overlay.isRamp())
    setMissing(
        overlay,
        QCoreApplication::translate(
            "Overlay", "Nodes inside a context node are compiled into one step: they have no figures of their own."));
  const size_t holder = static_cast<size_t>(inside.parentNode);
  const signed char category = inside.parentNode >= 0 && holder < overlay.category.size()
                                   ? overlay.category[holder]
                                   : static_cast<signed char>(-1);
  overlay.amount.assign(overlay.isRamp() ? inside.nodes.size() : 0, -1);
  overlay.category.assign(inside.nodes.size(), category);
  for (LegendEntry& entry : overlay.legend)
    entry.count = entry.category == category ? static_cast<int>(inside.nodes.size()) : 0;
  return overlay;
}

}  // namespace

Overlay makeOverlay(std::string_view id, const WalkReport& walk, GraphVersion version, int graph,
                    const ProviderMarks* marks, const OverlayExtras& extras) {
  Overlay overlay;
  overlay.descriptor = findOverlay(id);
  const GraphReport* report = graphOf(walk, version, graph);
  if (!report || !overlay.descriptor || !overlay.descriptor->fill) return overlay;
  // A graph inside stands behind its holder, so this ends.
  if (report->isInside && !overlay.descriptor->ownInside && report->parentGraph >= 0 && report->parentGraph < graph)
    return insideOverlay(*overlay.descriptor, walk, version, *report, marks, extras);
  (overlay.isRamp() ? overlay.amount.resize(report->nodes.size(), -1)
                    : overlay.category.resize(report->nodes.size(), -1));
  overlay.descriptor->fill(overlay, {walk, version, graph, *report, marks ? *marks : providerMarks(walk), extras});
  if (overlay.isRamp() && overlay.available) finishRamp(overlay);
  return overlay;
}

}  // namespace cutaway::ui

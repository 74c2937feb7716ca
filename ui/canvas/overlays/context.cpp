// Overlay: what a context model keeps compiled, and what the model's own context nodes are.
#include <array>
#include <unordered_map>
#include <utility>

#include "ui/base/context_words.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

enum ContextCategory : signed char { kKept, kSimulated, kRestored, kUnusable };
// Each has its own letter beside its colour; what stays as it is has neither, so that the others stand out.
constexpr std::array<std::pair<char, const char*>, 4> kContextWords = {
    {{'K', QT_TRANSLATE_NOOP("Overlay", "kept compiled")},
     {'P', QT_TRANSLATE_NOOP("Overlay", "placeholder")},
     {'R', QT_TRANSLATE_NOOP("Overlay", "restored")},
     {'X', QT_TRANSLATE_NOOP("Overlay", "cannot run here")}}};

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
void fill(Overlay& overlay, const OverlaySource& source) {
  const WalkReport& walk = source.walk;
  if (!walk.context)
    return setMissing(overlay, OverlayWords::tr("What can be kept compiled is known once Partition is done."));
  for (size_t i = 0; i < kContextWords.size(); ++i)
    overlay.legend.push_back(
        {static_cast<int>(i), QLatin1Char(kContextWords[i].first), OverlayWords::ofTable(kContextWords[i].second), 0});
  std::unordered_map<int32_t, signed char> byOrigin;
  const auto note = [&](const std::shared_ptr<const ModelGraphs>& graphs, int32_t g, int32_t n, signed char category) {
    if (!graphs || g < 0 || n < 0 || g >= static_cast<int32_t>(graphs->graphs.size()) ||
        n >= static_cast<int32_t>(graphs->graphs[static_cast<size_t>(g)].nodes.size()))
      return;
    for (const int32_t origin : graphs->graphs[static_cast<size_t>(g)].nodes[static_cast<size_t>(n)].origins)
      byOrigin.insert_or_assign(origin, category);
  };
  for (const ContextGroup& group : walk.context->groups)
    if (group.canSave)
      for (const int32_t node : group.nodes) {
        const signed char category = group.isPlaceholder ? kSimulated : kKept;
        note(walk.optimizedGraphs, group.graph, node, category);
        // Nodes that a pass made of nothing have no originals: in their own version they are known by number.
        if (source.version == GraphVersion::kOptimized && group.graph == source.graph && node >= 0 &&
            node < static_cast<int32_t>(overlay.category.size()))
          overlay.category[static_cast<size_t>(node)] = category;
      }
  for (const ContextNodeReport& node : walk.context->nodes)
    note(walk.loadedGraphs, node.graph, node.node, categoryOf(node));
  for (size_t n = 0; n < source.report.nodes.size(); ++n)
    for (const int32_t origin : source.report.nodes[n].origins)
      if (const auto found = byOrigin.find(origin); found != byOrigin.end()) overlay.category[n] = found->second;
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("not compiled"));
}

}  // namespace

const OverlayDescriptor& overlay_context() {
  static const OverlayDescriptor descriptor{
      .id = "context", .title = QT_TRANSLATE_NOOP("Overlay", "Compiled"), .stages = {Stage::kContext}, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui

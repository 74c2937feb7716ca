// Overlay: whether a node moves weights or activations: what quantising weights would help, and what fusing would.
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

enum Balance : signed char { kWeights, kAlike, kActivations };
constexpr int64_t kClearly = 2;  // this many times the other

void fill(Overlay& overlay, const OverlaySource& source) {
  const GraphCosts* costs = costsOf(source.walk, source.version, source.graph);
  if (!costs || costs->nodes.size() != overlay.category.size())
    return setMissing(overlay, OverlayWords::tr("Costs are known once shapes are: after Inputs & outputs."));
  overlay.legend = {{kWeights, QLatin1Char('W'), OverlayWords::tr("mostly weights"), 0},
                    {kAlike, QLatin1Char('B'), OverlayWords::tr("both equally"), 0},
                    {kActivations, QLatin1Char('A'), OverlayWords::tr("mostly activations"), 0}};
  for (size_t n = 0; n < overlay.category.size(); ++n) {
    const int64_t weights = costs->nodes[n].weightBytes, activations = costs->nodes[n].movedBytes;
    if (activations < 0 || (weights <= 0 && activations == 0)) continue;
    overlay.category[n] = weights / kClearly > activations   ? kWeights
                          : activations / kClearly > weights ? kActivations
                                                             : kAlike;
  }
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("size not known"));
}

}  // namespace

const OverlayDescriptor& overlay_weights() {
  static const OverlayDescriptor descriptor{.id = "weights",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Weights or activations"),
                                            .ownInside = true,
                                            .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui

// Overlay: elements of the float initializers that a node reads.
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  const GraphCosts* costs = costsOf(source.walk, source.version, source.graph);
  if (!costs || costs->nodes.size() != overlay.amount.size()) return setMissing(overlay, OverlayWords::tr("Costs are known once shapes are: after Inputs & outputs."));
  for (size_t n = 0; n < overlay.amount.size(); ++n) overlay.amount[n] = static_cast<double>(costs->nodes[n].parameters);
}

}  // namespace

const OverlayDescriptor& overlay_parameters() {
  static const OverlayDescriptor descriptor{.id = "parameters",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Parameters"),
                                            .shape = OverlayShape::kRamp,
                                            .ownInside = true,
                                            .fill = fill,
                                            .amountText = [](double amount) { return countText(static_cast<int64_t>(amount)); }};
  return descriptor;
}

}  // namespace cutaway::ui

// Overlay: largest relative error of what a node makes, of the latest accuracy comparison. Shares are logarithmic:
// errors differ by powers of ten.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/report/accuracy_report.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.extras.accuracy)
    return setMissing(overlay, OverlayWords::tr("Compare two configurations to see errors."));
  std::unordered_map<std::string_view, double> errors;
  for (const ValueAccuracy& value : source.extras.accuracy->values)
    if (value.problem.empty()) errors.emplace(value.value, value.maxRelative);
  bool any = false;
  for (size_t n = 0; n < source.report.nodes.size(); ++n)
    for (const int32_t output : source.report.nodes[n].outputs)
      if (output >= 0)
        if (const auto found = errors.find(source.report.values[static_cast<size_t>(output)].name);
            found != errors.end())
          overlay.amount[n] = std::max(overlay.amount[n], found->second), any = true;
  overlay.truth = TruthKind::kMeasured;
  if (!any) setMissing(overlay, OverlayWords::tr("The comparison has no value of this graph: compare every layer."));
}

}  // namespace

const OverlayDescriptor& overlay_error() {
  static const OverlayDescriptor descriptor{
      .id = "error",
      .title = QT_TRANSLATE_NOOP("Overlay", "Error"),
      .shape = OverlayShape::kRamp,
      .scale = OverlayScale::kLogarithm,
      .fold = OverlayFold::kLargest,
      .fill = fill,
      .amountText = [](double amount) { return amount == 0 ? QStringLiteral("0") : QString::number(amount, 'g', 2); }};
  return descriptor;
}

}  // namespace cutaway::ui

#pragma once
// Steps and bytes to pixels of a chart and back: pure arithmetic.
//
// Thread rule: plain values.
// Example: ChartGeometry g{QRectF(60, 8, 400, 200), 0, 10, 0, 4096};  g.x(5) == 260;  g.rectOf(2, 3, 0, 1024)

#include <QRectF>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace cutaway::ui {

struct ChartGeometry {
  QRectF plot;              // pixels
  double firstStep = 0;     // left edge
  double endStep = 1;       // right edge, exclusive
  double low = 0;           // bottom edge
  double high = 1;          // top edge

  double x(double step) const { return plot.left() + (step - firstStep) / (endStep - firstStep) * plot.width(); }
  double y(double amount) const { return plot.bottom() - (amount - low) / (high - low) * plot.height(); }
  double stepAt(double pixel) const { return firstStep + (pixel - plot.left()) / plot.width() * (endStep - firstStep); }
  double amountAt(double pixel) const { return low + (plot.bottom() - pixel) / plot.height() * (high - low); }
  // A block that lives during the closed interval of steps.
  QRectF rectOf(int firstLived, int lastLived, double from, double to) const {
    return QRectF(QPointF(x(firstLived), y(to)), QPointF(x(lastLived + 1), y(from)));
  }

  // Keeps the step under the pixel where it is, within [0, count).
  void zoomAt(double pixel, double factor, double count) {
    const double anchor = stepAt(pixel), span = std::clamp((endStep - firstStep) / factor, std::min(4.0, count), count);
    const double share = (pixel - plot.left()) / plot.width();
    firstStep = std::clamp(anchor - share * span, 0.0, count - span);
    endStep = firstStep + span;
  }
  void pan(double pixels, double count) {
    const double span = endStep - firstStep;
    firstStep = std::clamp(firstStep - pixels / plot.width() * span, 0.0, std::max(0.0, count - span));
    endStep = firstStep + span;
  }
};

// Round values for an axis: 1, 2 or 5 times a power of ten (of 1024 for bytes), at most `most` of them.
inline std::vector<double> axisTicks(double low, double high, int most, bool binary) {
  std::vector<double> ticks;
  if (!(high > low) || most < 1) return ticks;
  double unit = 1;
  while (binary && unit * 1024 <= (high - low) / 2) unit *= 1024;
  double step = unit;
  constexpr double kFactors[] = {2, 2.5, 2};
  for (int i = 0; (high - low) / step > most; ++i) step *= kFactors[i % 3];
  for (double tick = std::max(0.0, low); tick <= high; tick += step) ticks.push_back(tick);
  return ticks;
}

}  // namespace cutaway::ui

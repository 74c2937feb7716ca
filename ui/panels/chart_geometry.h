#pragma once
// Steps and amounts to pixels of a chart and back: pure arithmetic.
//
// Thread rule: plain values.
// Example: ChartGeometry g{QRectF(60, 8, 400, 200), 0, 10, 0, 4096};  g.x(5) == 260;  g.rectOf(2, 4, 0, 1024)

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <QRectF>

namespace cutaway::ui {

struct ChartGeometry {
  QRectF plot;           // pixels
  double firstStep = 0;  // left edge
  double endStep = 1;    // right edge, exclusive
  double low = 0;        // bottom edge
  double high = 1;       // top edge

  double x(double step) const { return plot.left() + (step - firstStep) / (endStep - firstStep) * plot.width(); }
  double y(double amount) const { return plot.bottom() - (amount - low) / (high - low) * plot.height(); }
  double stepAt(double pixel) const { return firstStep + (pixel - plot.left()) / plot.width() * (endStep - firstStep); }
  double amountAt(double pixel) const { return low + (plot.bottom() - pixel) / plot.height() * (high - low); }
  // From a step up to, not including, another; between two amounts.
  QRectF rectOf(double begin, double end, double from, double to) const {
    return QRectF(QPointF(x(begin), y(to)), QPointF(x(end), y(from)));
  }

  // Keep what lies under the pixel where it is, within [0, full); at least `least` stays in sight.
  void zoomAt(double pixel, double factor, double full, double least = 1) {
    const double anchor = stepAt(pixel), share = (pixel - plot.left()) / plot.width();
    zoomRange(firstStep, endStep, anchor, share, factor, full, least);
  }
  void zoomAmountAt(double pixel, double factor, double full, double least = 1) {
    const double anchor = amountAt(pixel), share = (plot.bottom() - pixel) / plot.height();
    zoomRange(low, high, anchor, share, factor, full, least);
  }
  void pan(double pixels, double full) { panRange(firstStep, endStep, pixels / plot.width(), full); }
  void panAmount(double pixels, double full) { panRange(low, high, -pixels / plot.height(), full); }

 private:
  static void zoomRange(double& from, double& to, double anchor, double share, double factor, double full,
                        double least) {
    const double span = std::clamp((to - from) / factor, std::min(least, full), full);
    from = std::clamp(anchor - share * span, 0.0, full - span);
    to = from + span;
  }
  static void panRange(double& from, double& to, double share, double full) {
    const double span = to - from;
    from = std::clamp(from - share * span, 0.0, std::max(0.0, full - span));
    to = from + span;
  }
};

// Round values for an axis: 1, 2 or 5 times a power of ten, at most `most` and one more of them; whole numbers.
inline std::vector<double> axisTicks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(high > low) || most < 1) return ticks;
  double step = 1;
  constexpr double kFactors[] = {2, 2.5, 2};
  for (int i = 0; (high - low) / step > most; ++i)
    step *= kFactors[i % 3];
  for (double tick = std::ceil(low / step) * step; tick <= high; tick += step)
    ticks.push_back(tick);
  return ticks;
}

}  // namespace cutaway::ui

#pragma once
// Colours for numbers: one scale from little to much, one that parts at zero; both readable without red and green, and
// in grey.
//
// Thread rule: plain values, pure functions.
// Example: const ValueScale scale = robustScale(samples, ScaleRange::kRobust);  image.setPixel(x, y,
// scale.color(number));

#include <vector>

#include <QColor>
#include <QRgb>

namespace cutaway::ui {

enum class ScaleRange { kRobust, kWhole, kUnit, kByte };  // the middle 98 %, everything, 0..1, 0..255

struct ValueScale {
  double low = 0, high = 1;
  bool diverging = false;

  double position(double number) const;  // 0..1, clamped; NaN gives -1
  QRgb color(double number) const;       // NaN: a colour of its own
  QRgb grey(double number) const;
};

inline constexpr QRgb kNotANumber = 0xff8a8a8a;        // in heat pictures
inline constexpr QRgb kNotANumberInGrey = 0xffd95f02;  // where grey is a number

// Samples that are not finite are left out. Values on both sides of zero part at zero, unless range says otherwise.
ValueScale scaleOf(std::vector<double> samples, ScaleRange range);

}  // namespace cutaway::ui

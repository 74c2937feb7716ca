// The single scale follows viridis (S. van der Walt and N. Smith, CC0); the diverging one goes from blue over
// near-white to brown, which all kinds of colour vision tell apart.
#include "ui/panels/tensor/value_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::ui {
namespace {

constexpr std::array<QRgb, 9> kSingle = {0xff440154, 0xff472d7b, 0xff3b528b, 0xff2c728e, 0xff21918c,
                                         0xff28ae80, 0xff5ec962, 0xffaddc30, 0xfffde725};
constexpr std::array<QRgb, 7> kParted = {0xff08306b, 0xff2f74b5, 0xff9ecae1, 0xfff6f6f4,
                                         0xfff2b880, 0xffc96a17, 0xff5f2300};
constexpr double kTail = 0.01;

template <size_t kCount>
QRgb between(const std::array<QRgb, kCount>& stops, double position) {
  const double scaled = position * (kCount - 1);
  const size_t low = std::min<size_t>(static_cast<size_t>(scaled), kCount - 2);
  const double share = scaled - static_cast<double>(low);
  const auto mixed = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return qRgb(mixed(qRed(stops[low]), qRed(stops[low + 1])), mixed(qGreen(stops[low]), qGreen(stops[low + 1])),
              mixed(qBlue(stops[low]), qBlue(stops[low + 1])));
}

}  // namespace

double ValueScale::position(double number) const {
  if (std::isnan(number)) return -1;
  if (!(high > low)) return number > high ? 1 : number < low ? 0 : 0.5;
  return std::clamp((number - low) / (high - low), 0.0, 1.0);
}

QRgb ValueScale::color(double number) const {
  const double at = position(number);
  if (at < 0) return kNotANumber;
  return diverging ? between(kParted, at) : between(kSingle, at);
}

QRgb ValueScale::grey(double number) const {
  const double at = position(number);
  if (at < 0) return kNotANumberInGrey;
  const int level = static_cast<int>(std::lround(at * 255));
  return qRgb(level, level, level);
}

ValueScale scaleOf(std::vector<double> samples, ScaleRange range) {
  if (range == ScaleRange::kUnit) return {0, 1, false};
  if (range == ScaleRange::kByte) return {0, 255, false};
  std::erase_if(samples, [](double each) { return !std::isfinite(each); });
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto tail =
      range == ScaleRange::kRobust ? static_cast<size_t>(static_cast<double>(samples.size() - 1) * kTail) : 0;
  double low = samples[tail], high = samples[samples.size() - 1 - tail];
  if (!(high > low)) low = samples.front(), high = samples.back();  // nearly all are the same
  if (low < 0 && high > 0) {
    const double reach = std::max(-low, high);
    return {-reach, reach, true};
  }
  return {low, high, false};
}

}  // namespace cutaway::ui

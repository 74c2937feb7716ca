#include "providers/cpu/kernels/quantize/dynamic_scale.h"

#include <array>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 15;
constexpr int64_t kMaxParts = 64;

}  // namespace

DynamicScale dynamicScale(const float* x, int64_t count) {
  std::array<FloatRange, kMaxParts> ranges{};
  const int64_t part =
      (count + kMaxParts - 1) / kMaxParts < kGrainElements ? kGrainElements : (count + kMaxParts - 1) / kMaxParts;
  const int64_t parts = (count + part - 1) / part;
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      ranges[static_cast<size_t>(i)] =
          integerLoops().range(x + i * part, i * part + part < count ? part : count - i * part, {});
  });
  FloatRange all;
  for (const FloatRange& each : ranges)
    all = {each.low < all.low ? each.low : all.low, each.high > all.high ? each.high : all.high};
  const QuantRange range = quantRange(ElementType::kUint8);
  const float scale = (all.high - all.low) / range.high;
  // A constant zero has no range; any scale maps it to the zero point.
  const float divisor = scale == 0 ? 1.0f : scale;
  return {scale, static_cast<uint8_t>(static_cast<int32_t>(requantize(range.low - all.low / divisor, 0, range)))};
}

void quantizeDynamic(const float* x, int64_t count, const DynamicScale& chosen, uint8_t* out) {
  const float divisor = chosen.scale == 0 ? 1.0f : chosen.scale;
  const float zeroPoint = chosen.zeroPoint;
  parallelFor(count, kGrainElements, [&](int64_t begin, int64_t end) {
    integerLoops().quantizeU8(x + begin, {end - begin, &divisor, &zeroPoint, 0}, out + begin);
  });
}

}  // namespace cutaway::cpu

#pragma once
// Max pooling that answers as the standard does where an input is not a finite number.
//
// The library's maximum passes over what is not a number and starts with the lowest finite one, so that a window of
// minus infinities gives -3.4e38. Infinities and NaN are rare: a pass over the input looks for them, and only where
// there are some a plain loop computes the result again. Thread rule: pure, over all threads of the caller's share.
// Example: if (!allFinite(x, count)) poolMaximum(shape, x, stridesOf(input), y, stridesOf(output));

#include <limits>
#include <type_traits>

#include "engine/math/pooling.h"

namespace cutaway::math {

// Whether a value is the new maximum: nothing is larger than NaN, which so stays.
template <typename T>
constexpr bool isNewMaximum(T value, T best) {
  if constexpr (std::is_floating_point_v<T>)
    return (value > best) | ((value != value) & (best == best));
  else
    return value > best;
}
// The maximum of nothing.
template <typename T>
inline constexpr T kLowestMaximum =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

// Where a cell of an activation lies: channels in blocks of neighbours (1: each on its own), then strides in elements.
struct ActivationStrides {
  int64_t image = 0, channelBlock = 0, block = 1;
  SpatialDims cell{};
};

// False when one of `count` values is infinite or not a number.
bool allFinite(const float* values, int64_t count);

// y = the largest of each window; NaN where the window holds one, minus infinity where it covers nothing. The shape's
// layout is not read.
void poolMaximum(const PoolingShape& shape, const float* x, const ActivationStrides& from, float* y,
                 const ActivationStrides& to);

}  // namespace cutaway::math

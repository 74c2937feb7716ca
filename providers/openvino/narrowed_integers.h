#pragma once
// OpenVINO's devices compute int64 in 32 bits and go on with another number where these do not hold it. So constants
// that need more are refused, as are sums, differences and products that easily leave 32 bits; and what comes into a
// group is looked at in each run, so that the rest stays within them.
//
// Casts of floats beyond 32 bits, and integers that operators without a known bound make inside a group, are not seen.
// Thread rule: pure. Example: if (Found narrowed = narrowedIntegers(graph, node)) return narrowed;

#include <cstdint>
#include <optional>

#include "engine/tensor/tensor.h"
#include "providers/openvino/difference_parts.h"

namespace cutaway::openvino {

inline constexpr int kDeviceIntegerBits = 32;

Found narrowedIntegers(const Graph& graph, const Node& node);

// Bits, with the sign, that an int64 which comes into this group may need: as many as the device has, or so many fewer
// that what the group adds and multiplies stays within these.
int bitsOfEntering(const Graph& group);

// A number of an int64 tensor that needs more bits. The ends of int64 stand for "as far as it goes" (Slice), and mean
// that afterwards, too.
std::optional<int64_t> tooWide(const Tensor& tensor, int bits);

}  // namespace cutaway::openvino

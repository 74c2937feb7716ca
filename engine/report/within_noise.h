#pragma once
// Measured times of a what-if that no test tells apart: nothing is called faster or slower then.
//
// Thread rule: pure. Example: if (measuredWithinNoise(comparison)) say("within noise");

#include <algorithm>

#include "engine/report/partition_comparison.h"

namespace cutaway {

// The remark among the warnings of the changed side.
inline constexpr const char* kWithinNoise = "the measured times differ by no more than chance";

inline bool measuredWithinNoise(const PartitionComparison& comparison) {
  return std::ranges::find(comparison.b.warnings, kWithinNoise) != comparison.b.warnings.end();
}

}  // namespace cutaway

#pragma once
// Sizes of a dimension as people write them: one, several, or a range.
//
// "8"; "1, 8, 32"; "1..32": doubled from the first on, the last included; "16..64:16": in steps. Lists may be mixed.
// Thread rule: pure. Example: CUTAWAY_TRY(std::vector<int64_t> sizes, readSizes("1, 8..64"));  // 1 8 16 32 64

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::study {

inline constexpr size_t kMostSizes = 64;

// Each once, ascending. INVALID_ARGUMENT: a word that is no size, one below 1, a range that ends before it begins, a
// step below 1, none at all, or more than kMostSizes.
Result<std::vector<int64_t>> readSizes(std::string_view words);
// "1, 8, 32", which readSizes() reads back.
std::string printSizes(const std::vector<int64_t>& sizes);

}  // namespace cutaway::study

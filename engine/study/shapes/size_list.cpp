#include "engine/study/shapes/size_list.h"

#include <charconv>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cutaway::study {
namespace {

constexpr int64_t kLargestSize = int64_t{1} << 40;  // beyond any tensor that has an address

std::string_view trimmed(std::string_view words) {
  while (!words.empty() && words.front() == ' ')
    words.remove_prefix(1);
  while (!words.empty() && words.back() == ' ')
    words.remove_suffix(1);
  return words;
}

Result<int64_t> readSize(std::string_view word) {
  word = trimmed(word);
  int64_t size = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (problem != std::errc() || end != word.data() + word.size() || size < 1 || size > kLargestSize)
    return fail(ErrorCode::kInvalidArgument,
                "'{}' is no size: write whole numbers from 1 on, as in 1, 8, 32 or 1..32 or 16..64:16", word);
  return size;
}

// All of "16..64:16"; without a step each is twice the one before.
Result<void> addRange(std::string_view word, size_t dots, std::set<int64_t>& sizes) {
  std::string_view last = word.substr(dots + 2);
  int64_t step = 0;
  if (const size_t colon = last.find(':'); colon != std::string_view::npos) {
    CUTAWAY_TRY(step, readSize(last.substr(colon + 1)));
    last = last.substr(0, colon);
  }
  CUTAWAY_TRY(const int64_t from, readSize(word.substr(0, dots)));
  CUTAWAY_TRY(const int64_t to, readSize(last));
  if (to < from) return fail(ErrorCode::kInvalidArgument, "'{}' ends before it begins", trimmed(word));
  for (int64_t size = from; size <= to && sizes.size() <= kMostSizes; size += step > 0 ? step : size)
    sizes.insert(size);
  if (step == 0) sizes.insert(to);
  return {};
}

}  // namespace

Result<std::vector<int64_t>> readSizes(std::string_view words) {
  std::set<int64_t> sizes;
  while (true) {
    const size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    if (const size_t dots = word.find(".."); dots != std::string_view::npos) {
      CUTAWAY_CHECK(addRange(word, dots, sizes));
    } else {
      CUTAWAY_TRY(const int64_t size, readSize(word));
      sizes.insert(size);
    }
    if (sizes.size() > kMostSizes)
      return fail(ErrorCode::kInvalidArgument, "more than {} sizes: write fewer, or a larger step", kMostSizes);
    if (comma == std::string_view::npos) break;
    words.remove_prefix(comma + 1);
  }
  return std::vector<int64_t>(sizes.begin(), sizes.end());
}

std::string printSizes(const std::vector<int64_t>& sizes) {
  return fmt::format("{}", fmt::join(sizes, ", "));
}

}  // namespace cutaway::study

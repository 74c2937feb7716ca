#include "engine/base/name_hint.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace cutaway {
namespace {

constexpr size_t kLongestName = 256;  // names are hostile input: the table is quadratic in their length
constexpr size_t kListed = 8;
constexpr size_t kSuggested = 3;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Levenshtein's distance, letters of either case alike: one row of his table at a time.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nameHint(std::string_view list, std::string_view name, std::span<const std::string> known) {
  if (known.empty()) return fmt::format("{} none", list);
  std::vector<std::pair<size_t, size_t>> near;  // distance, index
  if (name.size() <= kLongestName) {
    for (size_t i = 0; i < known.size(); ++i) {
      const size_t longer = std::max(name.size(), known[i].size());
      const size_t shorter = std::min(name.size(), known[i].size());
      if (known[i].size() > kLongestName || longer - shorter > longer / 3 + 1) continue;
      const size_t far = distance(name, known[i]);
      if (far <= std::max<size_t>(1, longer / 3) && far < longer) near.emplace_back(far, i);
    }
  }
  std::string text;
  if (!near.empty()) {
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), kSuggested));
    for (size_t i = 0; i < near.size(); ++i)
      text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == near.size() ? " or " : ", ", known[near[i].second]);
    return fmt::format("did you mean {}?", text);
  }
  for (size_t i = 0; i < std::min(known.size(), kListed); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", known[i]);
  if (known.size() > kListed) text += fmt::format(" and {} more", known.size() - kListed);
  return fmt::format("{} {}", list, text);
}

}  // namespace cutaway

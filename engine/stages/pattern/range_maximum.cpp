#include "engine/stages/pattern/range_maximum.h"

#include <bit>
#include <cstddef>
#include <numeric>

namespace cutaway::pattern {

RangeMaximum::RangeMaximum(const std::vector<int64_t>& numbers)
    : m_numbers(numbers), m_levels(1, std::vector<int32_t>(numbers.size())) {
  std::iota(m_levels[0].begin(), m_levels[0].end(), 0);
  for (std::size_t width = 2; width <= numbers.size(); width *= 2) {
    const std::vector<int32_t>& half = m_levels.back();
    std::vector<int32_t> level(numbers.size() - width + 1);
    for (std::size_t i = 0; i < level.size(); ++i)
      level[i] = larger(half[i], half[i + width / 2]);
    m_levels.push_back(std::move(level));
  }
}

int32_t RangeMaximum::at(int32_t first, int32_t last) const {
  const auto width = static_cast<uint32_t>(last - first + 1);
  const auto level = static_cast<std::size_t>(std::bit_width(width) - 1);
  return larger(m_levels[level][static_cast<std::size_t>(first)],
                m_levels[level][static_cast<std::size_t>(last) + 1 - (std::size_t{1} << level)]);
}

int32_t RangeMaximum::larger(int32_t a, int32_t b) const {
  const int64_t atA = m_numbers[static_cast<std::size_t>(a)], atB = m_numbers[static_cast<std::size_t>(b)];
  return atB > atA || (atB == atA && b < a) ? b : a;
}

}  // namespace cutaway::pattern

#include "providers/cpu/kernels/lookup_table.h"

#include <algorithm>
#include <bit>

namespace cutaway::cpu {
namespace {

// At most half full.
size_t slotCount(size_t keys) {
  return std::bit_ceil(2 * keys + 1);
}

// An array may be this much longer than the list it serves.
constexpr uint64_t kDenseFactor = 4;
constexpr uint64_t kDenseAlways = 1024;

}  // namespace

void NumberLookup::keep(int32_t& place, int32_t position, Repeated repeated) {
  if (place != kNone) m_repeats = true;
  if (place == kNone || repeated == Repeated::kLast) place = position;
}

NumberLookup::NumberLookup(std::span<const int64_t> keys, Repeated repeated) {
  if (!keys.empty()) {
    const auto [smallest, largest] = std::ranges::minmax(keys);
    const uint64_t range = static_cast<uint64_t>(largest) - static_cast<uint64_t>(smallest);
    if (range < kDenseFactor * keys.size() + kDenseAlways) {
      m_smallest = smallest;
      m_dense.assign(static_cast<size_t>(range) + 1, kNone);
      for (size_t i = 0; i < keys.size(); ++i)
        keep(m_dense[static_cast<size_t>(static_cast<uint64_t>(keys[i]) - static_cast<uint64_t>(smallest))],
             static_cast<int32_t>(i), repeated);
      return;
    }
  }
  m_slots.resize(slotCount(keys.size()));
  m_mask = m_slots.size() - 1;
  for (size_t i = 0; i < keys.size(); ++i) {
    size_t at = slotOf(keys[i]);
    while (m_slots[at].position != kNone && m_slots[at].key != keys[i])
      at = (at + 1) & m_mask;
    m_slots[at].key = keys[i];
    keep(m_slots[at].position, static_cast<int32_t>(i), repeated);
  }
}

StringLookup::StringLookup(std::vector<std::string> keys, Repeated repeated)
    : m_keys(std::move(keys)), m_slots(slotCount(m_keys.size())), m_mask(m_slots.size() - 1) {
  for (size_t i = 0; i < m_keys.size(); ++i) {
    const Words words = wordsOf(m_keys[i]);
    const auto position = static_cast<int32_t>(i);
    size_t at = words.hash() & m_mask;
    while (m_slots[at].position != kNone && !holds(m_slots[at], words, m_keys[i]))
      at = (at + 1) & m_mask;
    if (m_slots[at].position != kNone) {
      m_repeats = true;
      if (repeated == Repeated::kLast) m_slots[at].position = position;
      continue;
    }
    m_slots[at] = {words, position, position};
  }
}

}  // namespace cutaway::cpu

#pragma once
// From a key to its position in a list: what label encoders, one-hot encoders and n-gram pools look up for every
// element.
//
// NumberLookup holds integers (numbers of other types by a key of 64 bits); a list whose numbers lie close together is
// an array, any other an open-addressing hash table. StringLookup holds strings. Both are filled once; a repeated key
// keeps the position that `repeated` asks for. Thread rule: immutable once made; find from many threads. Example: const
// StringLookup table(words, Repeated::kFirst);  const int32_t position = table.find("tree");  // -1: not in the list

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"

namespace cutaway::cpu {

enum class Repeated : uint8_t { kFirst, kLast };

// Lists hold at most 2^31 - 1 keys: positions are int32. Callers check (attributes of more would not fit a model file).
class NumberLookup {
 public:
  static constexpr int32_t kNone = -1;
  NumberLookup() : NumberLookup({}, Repeated::kFirst) {}
  NumberLookup(std::span<const int64_t> keys, Repeated repeated);

  int32_t find(int64_t key) const {
    if (!m_dense.empty()) {
      const uint64_t offset = static_cast<uint64_t>(key) - static_cast<uint64_t>(m_smallest);
      return offset < m_dense.size() ? m_dense[offset] : kNone;
    }
    for (size_t at = slotOf(key);; at = (at + 1) & m_mask) {
      if (m_slots[at].position == kNone || m_slots[at].key == key) return m_slots[at].position;
    }
  }
  bool hasRepeats() const { return m_repeats; }

 private:
  struct Slot {
    int64_t key = 0;
    int32_t position = kNone;
  };
  // Fibonacci hashing: the high bits of a product with 2^64 / golden ratio.
  size_t slotOf(int64_t key) const {
    return static_cast<size_t>((static_cast<uint64_t>(key) * 0x9E3779B97F4A7C15ull) >> 32) & m_mask;
  }
  void keep(int32_t& place, int32_t position, Repeated repeated);

  int64_t m_smallest = 0;
  std::vector<int32_t> m_dense;
  std::vector<Slot> m_slots;
  size_t m_mask = 0;
  bool m_repeats = false;
};

class StringLookup {
 public:
  static constexpr int32_t kNone = -1;
  StringLookup() : StringLookup({}, Repeated::kFirst) {}
  StringLookup(std::vector<std::string> keys, Repeated repeated);

  int32_t find(std::string_view key) const {
    const Words words = wordsOf(key);
    for (size_t at = words.hash() & m_mask;; at = (at + 1) & m_mask) {
      const Slot& slot = m_slots[at];
      if (slot.position == kNone) return kNone;
      if (holds(slot, words, key)) return slot.position;
    }
  }
  bool hasRepeats() const { return m_repeats; }
  const std::vector<std::string>& keys() const { return m_keys; }

 private:
  // Up to 16 bytes, two overlapping words and the length say all there is in a key, so that no text needs to be looked
  // at. Longer ones have a hash instead.
  struct Words {
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t length = 0;
    uint64_t hash() const {
      const auto product = static_cast<unsigned __int128>(first ^ 0x9E3779B97F4A7C15ull) *
                           (last ^ 0xC2B2AE3D27D4EB4Full ^ (length << 56));
      return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
  };
  struct Slot {
    Words words;
    int32_t first = 0;         // where the key's text is
    int32_t position = kNone;  // what find gives
  };

  static constexpr size_t kShort = 16;
  static Words wordsOf(std::string_view key) {
    Words words{0, 0, key.size()};
    if (key.size() > kShort) {
      words.first = hash64(key);
    } else if (key.size() >= 8) {
      std::memcpy(&words.first, key.data(), 8);
      std::memcpy(&words.last, key.data() + key.size() - 8, 8);
    } else if (key.size() >= 4) {
      std::memcpy(&words.first, key.data(), 4);
      std::memcpy(&words.last, key.data() + key.size() - 4, 4);
    } else if (!key.empty()) {
      const auto byte = [&](size_t at) { return static_cast<uint64_t>(static_cast<unsigned char>(key[at])); };
      words.first = byte(0) | byte(key.size() / 2) << 8 | byte(key.size() - 1) << 16;
    }
    return words;
  }
  bool holds(const Slot& slot, const Words& words, std::string_view key) const {
    if (slot.words.first != words.first || slot.words.last != words.last || slot.words.length != words.length)
      return false;
    return key.size() <= kShort || m_keys[static_cast<size_t>(slot.first)] == key;
  }

  std::vector<std::string> m_keys;
  std::vector<Slot> m_slots;
  size_t m_mask = 0;
  bool m_repeats = false;
};

}  // namespace cutaway::cpu

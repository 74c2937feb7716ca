#pragma once
// Whether a list of ids names one once more: what a node's inputs say twice is read, and counted, once.
//
// Lists of a few are searched as they stand; of longer ones what was seen is kept, so that all of it is linear.
// Thread rule: one thread. Example:
//   NamedBefore before(std::span<const ValueId>(node.inputs));  for (each slot, upwards) if (before(slot)) continue;

#include <algorithm>
#include <span>
#include <unordered_set>

namespace cutaway {

template <class Id>
class NamedBefore {
 public:
  explicit NamedBefore(std::span<const Id> ids) : m_ids(ids) {}
  // Whether a slot before this one has the same id. Longer lists are asked slot by slot, upwards; what is left out does
  // not count as seen.
  bool operator()(size_t slot) {
    constexpr size_t kFew = 16;
    if (m_ids.size() > kFew) return !m_seen.insert(m_ids[slot]).second;
    const auto before = m_ids.first(slot);
    return std::ranges::find(before, m_ids[slot]) != before.end();
  }

 private:
  std::span<const Id> m_ids;
  std::unordered_set<Id> m_seen;
};

}  // namespace cutaway

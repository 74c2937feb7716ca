#pragma once
// Ranges of bytes and who still uses them.
//
// An extent is a whole buffer, or a part of another extent (inputs inside a join, outputs inside a split input). Values
// in one extent share all its bytes. Use counts say when a buffer is free, and when an extent may be overwritten:
// nobody else uses it, nothing inside it, and nothing around it. Thread rule: one thread. Example: const int32_t whole
// = extents.addBuffer(root);  extents.use(whole, 3);  if (extents.drop(whole)) buffer of root is free;

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/graph/ids.h"

namespace cutaway::allocate {

class Extents {
 public:
  int32_t addBuffer(ValueId root) { return add(-1, root); }
  // A part of the extent of `container`. Parts of one divider (a split; kJoin: the join that makes the container) lie
  // beside each other; those of two dividers may overlap.
  static constexpr int32_t kJoin = -1;
  int32_t addPart(int32_t parent, ValueId container, int32_t divider = kJoin) {
    const int32_t part = add(parent, container);
    const uint64_t key = (static_cast<uint64_t>(parent) << 32) | static_cast<uint32_t>(divider);
    const auto [known, isNew] = m_dividers.try_emplace(key, m_usesOfDivider.size());
    if (isNew) m_usesOfDivider.push_back(0);
    at(part).divider = known->second;
    at(part).depth = at(parent).depth + 1;
    return part;
  }

  void use(int32_t extent, int64_t count) {
    at(extent).own += count;
    for (int32_t part = extent; at(part).parent >= 0; part = at(part).parent) {
      at(at(part).parent).below += count;
      m_usesOfDivider[at(part).divider] += count;
    }
  }
  // One use less. True when nobody uses or holds any byte of the buffer any more.
  bool drop(int32_t extent) {
    use(extent, -1);
    return idle(extent);
  }
  // Keeps the buffer from being freed without a use: for values that are placed before they are made.
  void hold(int32_t extent) { ++at(bufferOf(extent)).held; }
  void unhold(int32_t extent) { --at(bufferOf(extent)).held; }

  bool unused(int32_t extent) const { return at(extent).own == 0 && at(extent).below == 0; }
  // Exactly one use is left of these bytes, under any name.
  bool lastUse(int32_t extent) const {
    if (at(extent).own != 1 || at(extent).below != 0) return false;
    for (int32_t part = extent; at(part).parent >= 0; part = at(part).parent) {
      const Extent& around = at(at(part).parent);
      if (around.own != 0 || around.below != m_usesOfDivider[at(part).divider]) return false;
    }
    return true;
  }
  int64_t usesOf(int32_t extent) const { return at(extent).own; }
  // Extents around it. Every use counts in all of them: whoever adds parts keeps it small.
  int32_t depthOf(int32_t extent) const { return at(extent).depth; }
  int32_t parentOf(int32_t extent) const { return at(extent).parent; }
  // The root of a buffer; of a part: the value it is a part of.
  ValueId ownerOf(int32_t extent) const { return at(extent).owner; }

 private:
  struct Extent {
    int32_t parent;
    int32_t buffer;
    ValueId owner;
    int64_t own = 0;    // uses by values in it
    int64_t below = 0;  // uses by values in its parts
    int64_t held = 0;   // of buffers
    int32_t depth = 0;
    size_t divider = 0;  // of a part: in m_usesOfDivider
  };
  int32_t add(int32_t parent, ValueId owner) {
    const auto index = static_cast<int32_t>(m_extents.size());
    m_extents.push_back({parent, parent < 0 ? index : bufferOf(parent), owner});
    return index;
  }
  Extent& at(int32_t extent) { return m_extents[static_cast<size_t>(extent)]; }
  const Extent& at(int32_t extent) const { return m_extents[static_cast<size_t>(extent)]; }
  int32_t bufferOf(int32_t extent) const { return at(extent).buffer; }
  bool idle(int32_t extent) const {
    const Extent& buffer = at(bufferOf(extent));
    return buffer.own == 0 && buffer.below == 0 && buffer.held == 0;
  }

  std::vector<Extent> m_extents;
  std::unordered_map<uint64_t, size_t> m_dividers;  // by extent and what divides it
  std::vector<int64_t> m_usesOfDivider;             // by values in its parts
};

}  // namespace cutaway::allocate

#pragma once
// Distinct index types for each table, so that a node index cannot be used where a value index is meant.
//
// Thread rule: plain values.
// Example: using NodeId = StrongId<struct NodeTag>;  NodeId id{3};  if (id.valid()) nodes[id.index()];

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace cutaway {

template <typename Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(size_t index) : m_index(static_cast<uint32_t>(index)) {}

  constexpr bool valid() const { return m_index != kNone; }
  constexpr size_t index() const { return m_index; }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint32_t m_index = kNone;
};

}  // namespace cutaway

template <typename Tag>
struct std::hash<cutaway::StrongId<Tag>> {
  size_t operator()(cutaway::StrongId<Tag> id) const noexcept { return std::hash<size_t>{}(id.index()); }
};

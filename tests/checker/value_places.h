#pragma once
// How large values are and where in which buffer they lie, found from types and plans with nothing but arithmetic:
// sizes are compared by their values under many assignments of the symbols.
//
// Thread rule: pure once made.
// Example: const ValueSizes sizes(graph, dims, least, most);  sizes.alwaysEqual(a, b);

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/stages/allocate/allocate.h"

namespace cutaway {

class ValueSizes {
 public:
  using Numbers = std::map<std::string, int64_t>;
  // dims: known values of symbols, used for planned(); bounds: for the assignments.
  ValueSizes(const Graph& graph, const Numbers& dims, const Numbers& least, const Numbers& most);

  // With the given dims; -1: not known, or no tensor of fixed-size elements.
  int64_t planned(size_t value) const { return m_planned[value]; }
  bool alwaysEqual(size_t a, size_t b) const;
  bool alwaysAtLeast(size_t larger, size_t smaller) const;
  static constexpr size_t kAssignments = 8;
  // Under one of the assignments; -1: not known.
  int64_t assigned(size_t assignment, size_t value) const { return m_assigned[assignment][value]; }

 private:
  std::vector<int64_t> m_planned;
  std::vector<int64_t> m_assigned[kAssignments];
};

// The value of a dimension; nullopt when unknown. valueOf: asked for each symbol, nullopt allowed. Understands + - *
// between symbols and whole numbers; all else is one symbol.
std::optional<int64_t> dimValue(const Dim& dim,
                                const std::function<std::optional<int64_t>(const std::string&)>& valueOf);

// Places: a buffer (root), or a part of a place. Each place is named by the value that defines it.
class ValuePlaces {
 public:
  ValuePlaces(const Graph& graph, const allocate::AllocationPlan& plan);
  size_t owner(size_t value) const { return m_owner[value]; }  // of the place where it lies
  size_t root(size_t value) const { return m_root[value]; }    // of the buffer in the end
  bool isPart(size_t place) const { return m_around[place] >= 0; }
  size_t around(size_t place) const { return static_cast<size_t>(m_around[place]); }  // the place that a part lies in
  // Two places share bytes, as far as can be told: parts of one join (or split) with different numbers do not.
  bool overlap(size_t placeA, size_t placeB, const ValueSizes& sizes) const;
  // Bytes before this part in the place around it; nullopt when a size is not known. sizeOf: bytes of a value, -1
  // unknown.
  std::optional<int64_t> offsetInside(size_t place, const std::function<int64_t(size_t)>& sizeOf) const;
  // The node whose inputs (join) or outputs (split) are the parts.
  NodeId divider(size_t place) const { return m_divider[place]; }

 private:
  std::vector<size_t> pathOf(size_t place) const;
  bool apartByOffsets(size_t placeA, size_t placeB, const ValueSizes& sizes) const;

  const Graph& m_graph;
  const allocate::AllocationPlan& m_plan;
  std::vector<size_t> m_owner, m_root;
  std::vector<int32_t> m_around;  // -1: a whole buffer
  std::vector<NodeId> m_divider;
};

}  // namespace cutaway

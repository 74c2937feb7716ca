#pragma once
// Which node waits for which, as dense arrays (compressed rows), so that every order is linear in nodes + edges.
//
// Thread rule: pure. Example: const Dependencies producers = producersOf(graph);  for (uint32_t before :
// producers.row(node)) ...

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::schedule {

// Row i is targets[offsets[i] .. offsets[i + 1]): each node once, ascending.
struct Dependencies {
  std::vector<uint32_t> offsets;
  std::vector<uint32_t> targets;
  std::span<const uint32_t> row(size_t node) const {
    return {targets.data() + offsets[node], offsets[node + 1] - offsets[node]};
  }
};

// By explicit and implicit inputs (what bodies capture).
Dependencies producersOf(const Graph& graph);
Dependencies reversed(const Dependencies& producers);

// Node indexes in the order they run.
using NodeOrder = std::vector<uint32_t>;

}  // namespace cutaway::schedule

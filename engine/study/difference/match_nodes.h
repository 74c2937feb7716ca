#pragma once
// Which node of one graph is which node of another.
//
// Thread rule: pure; deterministic; near-linear. Example: const NodeMatching matching = matchNodes(MatchGraph(a),
// MatchGraph(b));  matching.toB[node]

#include "engine/study/difference/match_graph.h"

namespace cutaway::study {

enum class MatchedBy : uint8_t { kNothing, kName, kStructure };

struct NodeMatching {
  std::vector<int32_t> toB, toA;  // kNone: on one side only
  std::vector<MatchedBy> by;      // by node of A
};
NodeMatching matchNodes(const MatchGraph& a, const MatchGraph& b);

}  // namespace cutaway::study

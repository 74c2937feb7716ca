#pragma once
// Two models made comparable value by value: what the second computes gets the names that the first has for it.
//
// Nodes are matched as in a structural difference (difference/match_nodes.h). A value that is quantised in the second
// model alone is compared as the number it stands for: behind its DequantizeLinear. Thread rule: pure; one model each.
// Example: CUTAWAY_TRY(AlignedModel b, alignModel(fp32, std::move(qdq)));  run(fp32), run(b.model) and compare by name

#include <cstdint>

#include "engine/base/result.h"
#include "engine/graph/model.h"

namespace cutaway::study {

struct AlignedModel {
  Model model;
  int64_t nodesA = 0, nodesB = 0;  // of the main graphs
  int64_t matched = 0;
};

// Both are resolved, so that types are known. INVALID_ARGUMENT: an input of `a` has no counterpart of its type in `b`,
// or `b` asks for inputs that `a` has not.
Result<AlignedModel> alignModel(const Model& a, Model b);

}  // namespace cutaway::study

#pragma once
// Whether costs of a walk depend on dimensions that are open.
//
// Thread rule: pure. Example: if (hasOpenFigures(*walk)) showFormulas();

#include <algorithm>

#include "engine/report/walk_report.h"

namespace cutaway {

// Some figure of the main graph as loaded depends on a dimension, or nobody knows it.
inline bool hasOpenFigures(const WalkReport& walk) {
  return walk.loadedCosts && !walk.loadedCosts->graphs.empty() &&
         std::ranges::any_of(walk.loadedCosts->graphs.front().nodes,
                             [](const NodeFigures& node) { return node.flops < 0 || node.movedBytes < 0; });
}

}  // namespace cutaway

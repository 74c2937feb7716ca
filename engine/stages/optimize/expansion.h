#pragma once
// What stands for several ordinary operators and is written out as them before any pass, at every level, because nobody
// runs it as it stands: gradients, and the layouts of onnxruntime's optimiser.
//
// Thread rule: plain values. Example: report.rewrites.push_back(rewriteOf(expansion));

#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway::optimize {

struct Expansion {
  const Graph* graph = nullptr;
  std::string node;  // what was expanded: operator and name
  std::string note;
  std::vector<std::string> added;
  std::vector<OriginId> origins;
};

}  // namespace cutaway::optimize

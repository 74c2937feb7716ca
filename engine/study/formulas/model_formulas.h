#pragma once
// What a model costs, node by node and as a whole, as formulas over the dimensions that are open.
//
// First over the symbols of the types: exact for every size. Where shape inference loses them (behind strides, computed
// shapes, names that a file made up) the model is typed again and again with numbers for its dimensions, and
// polynomials are put through the counts; further sizes must give what they say, or there is no formula. Strides round:
// such formulas hold for multiples of a size that is found by trying, too. Of the main graph as loaded; bodies are not
// counted. Thread rule: one thread. Example: CUTAWAY_TRY(const ModelFormulas formulas,
// modelFormulas(walk.loadedModel.lock()->unpack(), {}, progress));

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/report/cost_formula.h"

namespace cutaway::study {

struct ModelFormulas {
  CostFormula flops, movedBytes;  // sums over the nodes that have a formula (a number is one)
  int64_t nodesWithoutFlops = 0, nodesWithoutBytes = 0;
  std::set<std::string> free;                // dimensions that who runs the model chooses; empty: none is open
  std::vector<NodeFormulas> nodes;           // of the main graph, in the order of its report
  std::map<std::string, CostFormula> sizes;  // bytes of values whose size is open; none of larger graphs
  std::map<std::string, int64_t> multiples;  // the formulas hold where these dimensions are multiples of that
  bool isOpen() const { return flops.isOpen() || movedBytes.isOpen(); }
};

// loaded: as load left it; copies of it share its weights. dims: sizes given to dimensions; those are not open. Errors:
// those of types; MODEL_LOAD_CANCELED.
Result<ModelFormulas> modelFormulas(Model loaded, const std::map<std::string, int64_t>& dims, Progress& progress);

// Of a graph as it stands, over the symbols of its types alone: nodes, sums and sizes.
ModelFormulas symbolicFormulas(const Graph& graph);

// "height and width in multiples of 32"; empty: any sizes.
std::string multiplesText(const std::map<std::string, int64_t>& multiples);

}  // namespace cutaway::study

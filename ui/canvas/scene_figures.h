#pragma once
// Parameters, work and time of what is shown, rolled up over folded scopes.
//
// Thread rule: pure over immutable reports.
// Example: look.figures = figuresOf(*scene, walk->loadedCosts.get(), nullptr);   look.figureWords(item)   // "7.1 M
// parameters, 1.2 GFLOP"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QString>

#include "engine/report/cost_formula.h"
#include "engine/report/cost_report.h"
#include "engine/report/run_report.h"

namespace cutaway::ui {

struct Scene;

struct ItemFigures {
  int64_t parameters = 0;  // read by several nodes: counted at each
  int64_t flops = -1;      // -1: not known of any node
  int64_t timeNs = -1;     // -1: not measured
  CostFormula open;        // operations that depend on open dimensions
};

// The operations of a node whose figure is open.
using OpenFlops = std::function<std::optional<CostFormula>(int graph, int node)>;

// costs: of the scene's graphs. run: only where the scene shows the partitioned graphs, which times are told of. Either
// may be null; empty: neither is there.
std::vector<ItemFigures> figuresOf(const Scene& scene, const CostReport* costs, const RunReport* run,
                                   const OpenFlops& openFlops = {});
QString figureWords(const ItemFigures& figures);  // empty: nothing is known

// "7.1 M": parameters in short.
QString parameterText(int64_t parameters);

}  // namespace cutaway::ui

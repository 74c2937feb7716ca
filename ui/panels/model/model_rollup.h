#pragma once
// What the nodes of a model cost together, by operator and by scope of their names.
//
// Thread rule: pure; made on a worker. Example: const ModelRollup sums = rollUp(*walk->loadedGraphs,
// walk->loadedCosts.get());

#include <memory>
#include <vector>

#include <QString>

#include "engine/report/cost_report.h"
#include "engine/report/graph_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

struct RollupRow {
  QString title;
  int depth = 0;  // of a scope
  int64_t nodes = 0;
  int64_t unknown = 0;                           // whose operations are not known
  NodeFigures sum{.flops = 0, .movedBytes = 0};  // of what is known
  std::vector<int>
      members;  // of an operator: nodes of all graphs, see ModelRollup::places; of a scope: nodes of the main graph
};

struct ModelRollup {
  std::vector<NodeTarget> places;
  std::vector<RollupRow> operators;  // most nodes first
  std::vector<RollupRow> scopes;     // of the main graph, parents before their children
};

// costs may be null: nothing but counts is known then.
ModelRollup rollUp(const ModelGraphs& graphs, const CostReport* costs, GraphVersion version = GraphVersion::kLoaded);

}  // namespace cutaway::ui

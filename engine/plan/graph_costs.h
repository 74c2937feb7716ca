#pragma once
// What nodes and graphs cost, for every state of the model that a walk publishes.
//
// Thread rule: pure. Near-linear; the body of a function is worked out once for each set of shapes it is called with.
// Example: snapshot.loadedCosts = std::make_shared<const CostReport>(costsOf(model, *snapshot.loadedGraphs));

#include "engine/graph/model.h"
#include "engine/report/cost_report.h"
#include "engine/report/walk_report.h"

namespace cutaway::plan {

// `graphs` describes `model` as it is. Calls of functions cost what their bodies do with these shapes, where the body
// can be inlined.
CostReport costsOf(const Model& model, const ModelGraphs& graphs);
// Of the graphs that providers were asked about, from what the partition says of their nodes.
CostReport costsOfAsked(const ModelGraphs& asked, const PartitionReport& report);
// After fusing: a compiled group costs the sum of what is inside (-1 where part of it is not known), and moves what
// crosses its border.
CostReport costsOfPartitioned(const Model& model, const ModelGraphs& partitioned, const ModelGraphs& asked,
                              const CostReport& askedCosts, const PartitionReport& report);

}  // namespace cutaway::plan

#pragma once
// The plain orders: depth first (ours and onnxruntime's), first in first out, by priority.
//
// Thread rule: pure. Linear (priority: n log n). Example: CUTAWAY_TRY(NodeOrder order, depthFirstOrder(graph,
// producers, consumers));

#include "engine/base/result.h"
#include "engine/stages/schedule/dependencies.h"

namespace cutaway::schedule {

// Post-order of a walk from the sinks. Sinks are taken in ascending node index, the producers of a node as they stand
// in their row. FAIL names a node on a cycle.
Result<NodeOrder> depthFirstOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers);
// onnxruntime's own: the same walk with one stack of nodes for all. Sinks are pushed in ascending node index, and so
// are the producers of a node when it is entered, so that the sink and the producer with the greatest index run first.
// Sinks q, p with q before p in the file give the chain of p, then that of q. FAIL names a node on a cycle.
Result<NodeOrder> onnxruntimeOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers);
Result<NodeOrder> fifoOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers);
// Shape and Size first (they free their input early), then smaller "priority" attribute, then smaller index.
Result<NodeOrder> priorityOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers);

}  // namespace cutaway::schedule

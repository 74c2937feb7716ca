#pragma once
// Compares two models by names and by structure.
//
// Thread rule: pure. Near-linear: nodes are matched by name and operator, then by fingerprints of what they read and of who reads them, then along edges from matched neighbours (as in
// tree and graph differencing by anchors; the algorithm is described in diff_models.cpp).
// Example: const ModelDiff diff = diffGraphs(*a.loadedGraphs, *b.loadedGraphs);

#include "engine/graph/model.h"
#include "engine/report/model_diff.h"
#include "engine/report/walk_report.h"

namespace cutaway {

// By reports alone: weights are compared by type and shape only.
ModelDiff diffGraphs(const ModelGraphs& a, const ModelGraphs& b);
// Weights byte by byte too (hashed once each), and opsets, metadata and producers. The graphs of the reports are those of the models as loaded.
ModelDiff diffModels(const Model& a, const Model& b);

}  // namespace cutaway

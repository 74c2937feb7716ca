#pragma once
// Compares two models by names and by structure.
//
// Thread rule: pure. Near-linear: nodes are matched by name and operator, then by fingerprints of what they read and of
// who reads them, then along edges from matched neighbours (as in tree and graph differencing by anchors; the algorithm
// is described in diff_models.cpp). Example: const ModelDiff diff = diffGraphs(*a.loadedGraphs, *b.loadedGraphs);

#include <map>
#include <string>
#include <utility>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/report/model_diff.h"
#include "engine/report/walk_report.h"

namespace cutaway::study {

// Weights as numbers that are the same where bytes, type and shape are: by graph index (as in ModelGraphs) and name.
using WeightHashes = std::map<std::pair<int32_t, std::string>, uint64_t>;
// Reads every weight once. MODEL_LOAD_CANCELED.
Result<WeightHashes> hashWeights(const Model& model, const CancelToken& cancel);

// By reports; weights are compared by type and shape only, unless both sides have hashes.
ModelDiff diffGraphs(const ModelGraphs& a, const ModelGraphs& b, const WeightHashes* weightsA = nullptr,
                     const WeightHashes* weightsB = nullptr);
// What the files say of themselves: opsets, IR, producer, metadata, documentation.
std::vector<std::string> diffFacts(const LoadReport& a, const LoadReport& b);
// Everything: weights byte by byte too. Graphs of the result are those of describeGraphs() of both.
// MODEL_LOAD_CANCELED.
Result<ModelDiff> diffModels(const Model& a, const Model& b, const CancelToken& cancel = {});

}  // namespace cutaway::study

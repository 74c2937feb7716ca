#include "engine/runtime/diff_models.h"

namespace cutaway {

const char* diffKindName(DiffKind kind) {
  constexpr const char* kNames[] = {"same", "changed", "only in A", "only in B"};
  return kNames[static_cast<size_t>(kind)];
}
Result<WeightHashes> hashWeights(const Model&, const CancelToken&) { return WeightHashes(); }
ModelDiff diffGraphs(const ModelGraphs&, const ModelGraphs&, const WeightHashes*, const WeightHashes*) { return {}; }
std::vector<std::string> diffFacts(const LoadReport&, const LoadReport&) { return {}; }
Result<ModelDiff> diffModels(const Model&, const Model&, const CancelToken&) { return ModelDiff(); }

}  // namespace cutaway

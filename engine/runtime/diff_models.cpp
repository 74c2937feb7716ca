#include "engine/runtime/diff_models.h"

namespace cutaway {

const char* diffKindName(DiffKind kind) {
  constexpr const char* kNames[] = {"same", "changed", "only in A", "only in B"};
  return kNames[static_cast<size_t>(kind)];
}
ModelDiff diffGraphs(const ModelGraphs&, const ModelGraphs&) { return {}; }
ModelDiff diffModels(const Model&, const Model&) { return {}; }

}  // namespace cutaway

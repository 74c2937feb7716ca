#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

#define CUTAWAY_UNIT(name) Result<void> rewrite_##name(RewriteRequest& request);
#include "rewrite_table.inc"
#undef CUTAWAY_UNIT

Result<std::vector<ProviderRewrite>> runCpuRewrites(const Model& model, Graph& graph, int optimizationLevel,
                                                    bool exact) {
  RewriteRequest request{model, graph, optimizationLevel, exact, {}};
#define CUTAWAY_UNIT(name) CUTAWAY_CHECK(rewrite_##name(request));
#include "rewrite_table.inc"
#undef CUTAWAY_UNIT
  return std::move(request.done);
}

}  // namespace cutaway::cpu

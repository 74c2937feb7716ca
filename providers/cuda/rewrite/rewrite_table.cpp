#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {

#define CUTAWAY_UNIT(name) Result<void> rewrite_##name(RewriteCall& call);
#include "rewrite_table.inc"
#undef CUTAWAY_UNIT

Result<std::vector<ProviderRewrite>> rewriteGraph(RewriteCall call) {
  if (call.level < 1) return std::move(call.done);
#define CUTAWAY_UNIT(name) CUTAWAY_CHECK(rewrite_##name(call));
#include "rewrite_table.inc"
#undef CUTAWAY_UNIT
  return std::move(call.done);
}

}  // namespace cutaway::cuda

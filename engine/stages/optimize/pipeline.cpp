#include "engine/stages/optimize/pipeline.h"

namespace cutaway {

#define CUTAWAY_UNIT(name) Pass pass_##name();
#include "pass_table.inc"
#undef CUTAWAY_UNIT

std::vector<Pass> pipeline() {
  return {
      // First, because everything after looks at fewer nodes.
      pass_eliminate_dead_nodes(),
      // Before folding: Identity and Dropout hide constants from the passes that look for them.
      pass_eliminate_noops(),
      // Shape arithmetic and weight arithmetic become initializers; fusions need constant operands.
      pass_fold_constants(),
      // A condition that folding made constant opens its branch to everything else.
      pass_inline_constant_if(),
      // After folding: equal chains have become equal nodes by now.
      pass_eliminate_common_subexpressions(),
      // Before MatMul fusions: both want the node after a linear operator, and a normalisation that vanishes into a convolution saves more.
      pass_fold_batch_normalization(),
      pass_fuse_matmul_add(),
  };
}

}  // namespace cutaway

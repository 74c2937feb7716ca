// The order of the passes. Each line says why it stands there. The list is run again until nothing changes, ten times
// at most.

#include <array>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway {

#define CUTAWAY_UNIT(name) const GraphPass& pass_##name();
#include "pass_table.inc"
#undef CUTAWAY_UNIT

std::span<const GraphPass* const> passPipeline() {
  static const std::array kPipeline = {
      &pass_eliminate_dead_nodes(),             // first: nobody should look at nodes whose results nobody reads
      &pass_eliminate_noops(),                  // before folding: an Identity on a weight would be copied by it
      &pass_fold_constants(),                   // gives the fusions below constants to see
      &pass_inline_constant_if(),               // after folding, which makes conditions constant
      &pass_fold_batch_normalization(),         // before multiplications and additions, so that a whole Conv,
                                                // BatchNormalization, Mul, Add chain folds
      &pass_fold_mul_add_into_conv(),           // takes what is left of scale and shift
      &pass_fuse_pad(),                         // after folding: padding amounts are constants then
      &pass_fuse_matmul_add(),                  // after no-ops, so that nothing stands between the two
      &pass_eliminate_common_subexpressions(),  // last: folding and fusing make equal nodes, and never need two
  };
  return kPipeline;
}

}  // namespace cutaway

// The passes in the order they run, which is that of the list in CMakeLists.txt.

#include <array>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

#define CUTAWAY_UNIT(name) const GraphPass& pass_##name();
#include "pass_table.inc"
#undef CUTAWAY_UNIT

std::span<const GraphPass* const> passPipeline() {
  static const std::array kPipeline = {
#define CUTAWAY_UNIT(name) &pass_##name(),
#include "pass_table.inc"
#undef CUTAWAY_UNIT
  };
  return kPipeline;
}

}  // namespace cutaway::optimize

#include "engine/math/requantized_loops.h"

namespace cutaway::math {

const RequantizedLoops* requantizedLoops() {
  static const RequantizedLoops* const loops = vnniLoops() != nullptr ? vnniLoops() : avx2Loops();
  return loops;
}

}  // namespace cutaway::math

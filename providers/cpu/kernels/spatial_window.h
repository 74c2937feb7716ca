#pragma once
// Windows of convolutions and poolings (engine/operators/window.h) as loops of this provider walk them.

#include "engine/operators/window.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

using operators::kMaxWindowRank;
using operators::placeWindow;
using operators::readWindowAttributes;
using operators::Window;
using operators::WindowAttributes;
using operators::WindowDims;
using operators::WindowFit;

// Steps through all index tuples below `limits`, last axis fastest; false when back at zero.
inline bool nextIndex(WindowDims& index, const WindowDims& limits, size_t rank) {
  for (size_t axis = rank; axis-- > 0;) {
    if (++index[axis] < limits[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

}  // namespace cutaway::cpu

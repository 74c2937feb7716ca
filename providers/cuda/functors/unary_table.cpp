// Instances of the float functions of mathematics: "unary.<function>.<type>", the function's name with a small first
// letter.
#include "providers/cuda/functors/unary_launch.h"

namespace cutaway::cuda {

void functors_unary(LaunchTable& table) {
#define CUTAWAY_ROW(function) addFloatFunction<element::function>(table, #function);
  CUTAWAY_FLOAT_MATH(CUTAWAY_ROW)
#undef CUTAWAY_ROW
}

}  // namespace cutaway::cuda

#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {

#define CUTAWAY_UNIT(name) void functors_##name(LaunchTable& table);
#include "functors_table.inc"
#undef CUTAWAY_UNIT

const LaunchTable& launchTable() {
  static const LaunchTable table = [] {
    LaunchTable made;
#define CUTAWAY_UNIT(name) functors_##name(made);
#include "functors_table.inc"
#undef CUTAWAY_UNIT
    return made;
  }();
  return table;
}

}  // namespace cutaway::cuda

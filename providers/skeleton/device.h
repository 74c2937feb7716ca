#pragma once
// Where the skeleton's values would live: the host.
//
// Thread rule: immutable. Example: const Device& device = skeletonDevice();

#include "engine/tensor/allocator.h"

namespace cutaway {

const Device& skeletonDevice();

}  // namespace cutaway

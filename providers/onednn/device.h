#pragma once
// Where this provider's values live: the host, so that no copies stand around its groups.
//
// Thread rule: immutable. Example: const Device& device = onednnDevice();

#include "engine/tensor/allocator.h"

namespace cutaway {

const Device& onednnDevice();

}  // namespace cutaway

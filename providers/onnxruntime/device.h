#pragma once
// Where the values of this provider's nodes live: the host's memory. The library's own devices copy what they need.
//
// Thread rule: immutable. Example: const Device& device = onnxruntimeDevice();

#include "engine/tensor/allocator.h"

namespace cutaway {

const Device& onnxruntimeDevice();

}  // namespace cutaway

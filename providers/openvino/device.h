#pragma once
// Where the values of OpenVINO's nodes live: the host. OpenVINO's own devices copy what they need.
//
// Thread rule: immutable. Example: const Device& device = openvinoDevice();

#include "engine/tensor/allocator.h"

namespace cutaway {

const Device& openvinoDevice();

}  // namespace cutaway

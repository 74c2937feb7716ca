#pragma once
// All kernel rows of the provider. A family is a folder; naming a unit in its CMakeLists lists it here.
//
// Thread rule: immutable. Example: KernelRegistry registry(kernelTables(), &resources);

#include <span>

#include "engine/provider/kernel.h"

namespace cutaway::cuda {

std::span<const KernelRows> kernelTables();

}  // namespace cutaway::cuda

#pragma once
// The CUDA run time's errors as Status: code, name and text, and what to do about those that have a
// remedy.
//
// Thread rule: pure functions. Example: return statusOf(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "providers/cuda/backend/status.h"

namespace cutaway::cuda {

// None for cudaSuccess. Takes the error out of the run time's "last error", so that the next launch does not report it
// again (a lost device stays lost all the same).
Status statusOf(cudaError_t error, std::string_view what);

StatusCode codeOf(cudaError_t error);

// Why no device can be used: no driver, too old a driver (with both versions), no device, a broken system.
// driverVersion: what cudaDriverGetVersion says, 0 where there is no driver.
std::string whyNoDevice(cudaError_t error, int driverVersion, int runtimeVersion);

// 13020 is "13.2".
std::string versionText(int version);

}  // namespace cutaway::cuda

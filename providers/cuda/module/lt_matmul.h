#pragma once
// Matrix products on cuBLASLt, with what follows them (bias, residual, relu, gelu) in the same kernel.
//
// Thread rule: as DeviceBackend and Operation.
// Example: return makeLtMatmul({.backend = this, .search = false}, description, store, operation);

#include <memory>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

struct LtDevice {
  DeviceBackend* backend = nullptr;  // lives longer than its operations
  bool search = false;               // time the algorithms on the device
};

// kUnsupported with the reason: the library is missing, has no such product, or may not be asked (a sealed store).
Status makeLtMatmul(const LtDevice& device, const MatmulDescription& description, ArtifactStore& store,
                    std::unique_ptr<Operation>& operation);

// Why cuBLASLt cannot do it, by the description alone; empty: it may.
std::string refuseLtMatmul(const MatmulDescription& description);

}  // namespace cutaway::cuda

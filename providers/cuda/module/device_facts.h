#pragma once
// What there is to know of a device, and what is missing around it.
//
// Thread rule: any thread. Example: DeviceFacts facts;  if (Status status = readFacts(0, facts); !status.ok()) return
// status;

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

// How many devices there are; kUnsupported with the reason when none can be used.
Status countDevices(int& count);
// Everything but the versions of libraries, which are opened when a device is.
Status readFacts(int device, DeviceFacts& facts);
// Opens the libraries and says their versions, and in `missing` what is not there.
void readLibraries(DeviceFacts& facts);
// "libnvidia-ml", or the kernel's own files: the fastest the bus can carry one way, in bytes a second; 0 unknown.
// busId: "0000:3b:00.0".
double linkSpeed(const std::string& busId);

}  // namespace cutaway::cuda

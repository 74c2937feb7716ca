#pragma once
// What there is to know of a device, and what is missing around it.
//
// Thread rule: any thread. Example: DeviceFacts facts;  if (Problem problem = readFacts(0, facts)) return problem;

#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {

// How many devices there are; kUnsupported with the reason when none can be used.
Problem countDevices(int& count);
// Everything but the versions of libraries, which are opened when a device is.
Problem readFacts(int device, DeviceFacts& facts);
// Opens the libraries and says their versions, and in `missing` what is not there.
void readLibraries(DeviceFacts& facts);
// "libnvidia-ml", or the kernel's own files: the fastest the bus can carry one way, in bytes a second; 0 unknown.
// busId: "0000:3b:00.0".
double linkSpeed(const std::string& busId);

}  // namespace cutaway::cuda

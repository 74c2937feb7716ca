#pragma once
// What really ran on the devices, as NVIDIA's profiler library (CUPTI, opened at run time) sees it: kernels by their
// names, copies and fills with their bytes.
//
// Thread rule: one trace a process at a time; starting a second is refused.
// Example: if (!startDeviceTrace()) { ...; stopDeviceTrace(0, activities); }

#include <vector>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

// kUnsupported with the reason where CUPTI is missing, or may not be used (it needs the right to profile).
Status startDeviceTrace();
// Of this device only, in order of time, on the host's steady clock. The device's work is done when this is called.
Status stopDeviceTrace(int device, std::vector<DeviceActivity>& activities);

}  // namespace cutaway::cuda

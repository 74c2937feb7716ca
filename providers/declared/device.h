#pragma once
// The device that a profile describes: its memory is host memory under another name, so that copies to and from it
// appear in plans.
//
// Thread rule: immutable. Example: const Device device = declaredDevice(profile);   // "TensorRT (simulated)"

#include "providers/declared/profile.h"

namespace cutaway::declared {

Device declaredDevice(const Profile& profile);

// Rough figures for estimates: float32 operations, or those of the widest type that the profile knows.
DeviceSpeed declaredSpeed(const Profile& profile);

}  // namespace cutaway::declared

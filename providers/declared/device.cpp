#include "providers/declared/device.h"

#include <algorithm>

namespace cutaway::declared {

namespace {

constexpr double kNsPerUs = 1000;

double flopsOf(const DeviceFacts& facts) {
  for (const char* type : {"float32", "float16", "bfloat16"}) {
    const auto found = facts.flopsPerSecond.find(type);
    if (found != facts.flopsPerSecond.end() && found->second > 0) return found->second;
  }
  double most = 0;
  for (const auto& [type, flops] : facts.flopsPerSecond)
    most = std::max(most, flops);
  return most;
}

}  // namespace

Device declaredDevice(const Profile& profile) {
  return {.type = DeviceType::kSimulated, .index = 0, .name = profile.name + " (simulated)"};
}

DeviceSpeed declaredSpeed(const Profile& profile) {
  const DeviceFacts& facts = profile.device;
  return {.flopsPerSecond = flopsOf(facts),
          .memoryBytesPerSecond = facts.memoryBytesPerSecond,
          .linkBytesPerSecond = facts.linkBytesPerSecond,
          .launchNs = facts.launchUs * kNsPerUs,
          .transferNs = facts.transferUs * kNsPerUs};
}

}  // namespace cutaway::declared

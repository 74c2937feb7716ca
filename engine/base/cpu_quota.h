#pragma once
// How many cores a control group lets this process use, read from the kernel's files (containers are limited this way,
// which the affinity mask does not show).
//
// Thread rule: pure functions of the files. Example: if (const auto cores = cpuQuota("/sys/fs/cgroup", text)) threads =
// std::min(threads, *cores);

#include <filesystem>
#include <optional>
#include <string_view>

namespace cutaway {

// Cores, rounded up and at least 1; nullopt when nothing limits them. `cgroupRoot` is where control groups are mounted,
// `membership` the text of /proc/self/cgroup. The tightest limit on the way from the process's group to the root
// counts. Reads version 2 (cpu.max) and version 1 (cpu.cfs_quota_us).
std::optional<int> cpuQuota(const std::filesystem::path& cgroupRoot, std::string_view membership);

}  // namespace cutaway

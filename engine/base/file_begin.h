#pragma once
// The first bytes of a file, read at once: files of the system (/proc, /sys), headers of libraries. Where memory is
// short a standard stream would give less of it, or take it for missing (tests/lint, rule streams).
//
// Thread rule: any thread. Example: const std::string quota = fileBegin("/sys/fs/cgroup/cpu.max", 64).value_or("");

#include <filesystem>
#include <optional>
#include <string>

namespace cutaway {

constexpr size_t kSystemFileBytes = size_t{16} << 20;  // more than any of them has

// Up to mostBytes. nullopt: it is not there, or cannot be read. Throws std::bad_alloc.
std::optional<std::string> fileBegin(const std::filesystem::path& path, size_t mostBytes = kSystemFileBytes);

}  // namespace cutaway

#pragma once
// Checksums of context binaries: XXH3-64 with seed 0 (Yann Collet's public specification).
//
// Thread rule: pure. Example: const uint64_t sum = checksumOf(section.bytes);

#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/progress.h"

namespace cutaway::context_binary {

uint64_t checksumOf(std::span<const std::byte> bytes);
// nullopt: cancelled. Asked for after every few megabytes.
std::optional<uint64_t> checksumOf(std::span<const std::byte> bytes, const Progress& progress);

}  // namespace cutaway::context_binary

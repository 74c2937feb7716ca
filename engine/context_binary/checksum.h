#pragma once
// Checksums of context binaries: XXH3-64 with seed 0 (Yann Collet's public specification).
//
// Thread rule: pure. Example: const uint64_t sum = checksumOf(section.bytes);

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/base/progress.h"

namespace cutaway::context_binary {

uint64_t checksumOf(std::span<const std::byte> bytes);
// nullopt: cancelled. Asked for after every few megabytes.
std::optional<uint64_t> checksumOf(std::span<const std::byte> bytes, const Progress& progress);
// As models and messages write it: 16 hexadecimal digits.
std::string checksumText(uint64_t checksum);

}  // namespace cutaway::context_binary

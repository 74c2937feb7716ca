#pragma once
// A stable 64-bit hash for file checksums and cache keys: the same bytes give the same number on every machine and in
// every release. Not cryptographic.
//
// The function is XXH64 as its public specification describes it (Yann Collet), so that other tools can check our
// numbers. Thread rule: pure. Example: const uint64_t key = hash64(file->bytes());

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cutaway {

uint64_t hash64(std::span<const std::byte> bytes, uint64_t seed = 0);

inline uint64_t hash64(std::string_view text, uint64_t seed = 0) {
  return hash64(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace cutaway

#include "engine/context_binary/checksum.h"

#define XXH_INLINE_ALL
#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

namespace cutaway::context_binary {

uint64_t checksumOf(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::optional<uint64_t> checksumOf(std::span<const std::byte> bytes, const Progress& progress) {
  constexpr size_t kPiece = size_t{8} << 20;
  if (progress.cancelled()) return std::nullopt;
  if (bytes.size() <= kPiece) return checksumOf(bytes);
  alignas(64) XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPiece, bytes.size()))) {
    if (progress.cancelled()) return std::nullopt;
    XXH3_64bits_update(&state, bytes.data(), std::min(kPiece, bytes.size()));
  }
  return XXH3_64bits_digest(&state);
}

std::string checksumText(uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

}  // namespace cutaway::context_binary

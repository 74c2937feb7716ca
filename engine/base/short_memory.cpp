#include "engine/base/short_memory.h"

#include "engine/base/free_memory.h"

namespace cutaway {

namespace {

constexpr std::string_view kRemedy = "give the program more memory, or choose smaller inputs or a smaller model";

std::string freeText() {
  const std::optional<int64_t> free = freeMemoryBytes();
  return free ? fmt::format("; {} are free", *free) : std::string();
}

}  // namespace

Error noMemoryFor(std::string_view what, int64_t sizeBytes, const MemoryAllowance& allowance) {
  const auto& [heldBytes, limitBytes] = allowance;
  if (limitBytes <= 0 || sizeBytes <= limitBytes - heldBytes)
    return {
        ErrorCode::kFail, fmt::format("no memory for {} ({} bytes{}): {}", what, sizeBytes, freeText(), kRemedy), {}};
  const std::string held = heldBytes > 0 ? fmt::format("{} bytes are held, and ", heldBytes) : std::string();
  return {.code = ErrorCode::kFail,
          .message = fmt::format("no memory for {} ({} bytes): {}the memory limit is {} bytes; raise it", what,
                                 sizeBytes, held, limitBytes),
          .where = {},
          .byPolicy = true};
}

Error outOfMemory(std::string_view where) {
  return {ErrorCode::kRuntimeException, fmt::format("out of memory {}: {}", where, kRemedy), {}};
}

}  // namespace cutaway

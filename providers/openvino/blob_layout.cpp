// The head of a blob, number by number.
#include "providers/openvino/blob_layout.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cutaway::openvino {

namespace {

constexpr std::string_view kMagic = "RR_UPCVO";
constexpr std::string_view kBuilds = "2026.4.";
constexpr size_t kFixedBytes = 20;  // magic, version, length of the text
constexpr uint64_t kMostTextBytes = 1 << 16;

struct Part {
  uint64_t offset = 0, size = 0;
};

template <typename Number>
Number numberAt(std::span<const std::byte> bytes, size_t offset) {
  Number number{};
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

}  // namespace

Result<void> checkCpuBlob(std::span<const std::byte> blob, std::string_view build) {
  const auto refused = [](std::string_view why) {
    return fail(ErrorCode::kEpFail, "the blob is none of OpenVINO's CPU plugin: {}", why);
  };
  if (blob.size() < kFixedBytes) return refused("it is cut short");
  if (std::memcmp(blob.data(), kMagic.data(), kMagic.size()) != 0) {
    if (!build.starts_with(kBuilds)) return {};
    return refused("it begins with something else");
  }
  const auto textBytes = numberAt<uint64_t>(blob, 12);
  std::array<Part, 3> parts;
  if (textBytes > kMostTextBytes || blob.size() - kFixedBytes < textBytes + sizeof(parts))
    return refused("its head does not fit");
  const std::span<const std::byte> body = blob.subspan(kFixedBytes + textBytes);
  std::memcpy(parts.data(), body.data(), sizeof(parts));
  uint64_t at = sizeof(parts);
  for (const Part& part : parts) {
    if (part.offset != at || part.size > body.size() - at)
      return refused("its parts do not follow each other, or reach past its end");
    at += part.size;
  }
  if (at != body.size() || parts[2].size == 0) return refused("its parts do not fill it");
  return {};
}

}  // namespace cutaway::openvino

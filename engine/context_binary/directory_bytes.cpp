#include "engine/context_binary/directory_bytes.h"

#include <cstring>

#include "engine/context_binary/binary_format.h"

namespace cutaway::context_binary {

// Well-formed byte sequences of the Unicode standard, table 3-7.
bool isUtf8(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  while (at < end) {
    const unsigned char first = *at++;
    if (first < 0x80) continue;
    if (first < 0xC2 || first > 0xF4) return false;
    const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (end - at < more) return false;
    const unsigned char low = first == 0xE0   ? 0xA0
                              : first == 0xF0 ? 0x90
                                              : 0x80,
                        high = first == 0xED   ? 0x9F
                               : first == 0xF4 ? 0x8F
                                               : 0xBF;
    if (at[0] < low || at[0] > high) return false;
    for (int i = 1; i < more; ++i) {
      if ((at[i] & 0xC0) != 0x80) return false;
    }
    at += more;
  }
  return true;
}

Result<void> DirectoryReader::take(void* to, size_t size, std::string_view what) {
  if (size > m_bytes.size()) return fail(ErrorCode::kEpFail, "the directory ends in the {}", what);
  std::memcpy(to, m_bytes.data(), size);
  m_bytes = m_bytes.subspan(size);
  return {};
}

Result<uint32_t> DirectoryReader::number32(std::string_view what) {
  uint32_t value = 0;
  CUTAWAY_CHECK(take(&value, sizeof(value), what));
  return value;
}

Result<uint64_t> DirectoryReader::number64(std::string_view what) {
  uint64_t value = 0;
  CUTAWAY_CHECK(take(&value, sizeof(value), what));
  return value;
}

Result<std::string> DirectoryReader::text(std::string_view what) {
  CUTAWAY_TRY(const uint32_t size, number32(what));
  if (size > kMostContextText)
    return fail(ErrorCode::kEpFail, "the {} has {} bytes; at most {} are allowed", what, size, kMostContextText);
  if (size > m_bytes.size()) return fail(ErrorCode::kEpFail, "the directory ends in the {}", what);
  std::string value(reinterpret_cast<const char*>(m_bytes.data()), size);
  m_bytes = m_bytes.subspan(size);
  if (!isUtf8(value)) return fail(ErrorCode::kEpFail, "the {} is no UTF-8 text", what);
  return value;
}

Result<uint32_t> DirectoryReader::count(std::string_view what, uint32_t most, size_t leastBytes) {
  CUTAWAY_TRY(const uint32_t value, number32(what));
  if (value > most || value > m_bytes.size() / leastBytes)
    return fail(ErrorCode::kEpFail, "the {} is {}, more than can be", what, value);
  return value;
}

}  // namespace cutaway::context_binary

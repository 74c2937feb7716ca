#include "engine/context_binary/directory_bytes.h"

#include <cstring>

#include "engine/base/printable.h"
#include "engine/context_binary/binary_format.h"

namespace cutaway::context_binary {

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
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

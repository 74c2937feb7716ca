#pragma once
// Numbers and texts of a context binary's directory: little-endian, every read checked.
//
// Thread rule: plain values. Example: DirectoryReader reader(bytes);  CUTAWAY_TRY(const uint32_t count,
// reader.number32("number of chunks"));

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::context_binary {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

bool isUtf8(std::string_view text);

class DirectoryWriter {
 public:
  void number32(uint32_t value) { raw(&value, sizeof(value)); }
  void number64(uint64_t value) { raw(&value, sizeof(value)); }
  void text(std::string_view value) {
    number32(static_cast<uint32_t>(value.size()));
    m_bytes.append(value);
  }
  std::string take() { return std::move(m_bytes); }

 private:
  void raw(const void* data, size_t size) { m_bytes.append(static_cast<const char*>(data), size); }
  std::string m_bytes;
};

// what: names the thing in messages, such as "name of partition 3". EP_FAIL.
class DirectoryReader {
 public:
  explicit DirectoryReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  Result<uint32_t> number32(std::string_view what);
  Result<uint64_t> number64(std::string_view what);
  Result<std::string> text(std::string_view what);
  // A count of things of at least `leastBytes` each: more than the bytes that are left could hold is damage.
  Result<uint32_t> count(std::string_view what, uint32_t most, size_t leastBytes);
  size_t left() const { return m_bytes.size(); }

 private:
  Result<void> take(void* to, size_t size, std::string_view what);
  std::span<const std::byte> m_bytes;
};

}  // namespace cutaway::context_binary

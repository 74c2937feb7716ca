#pragma once
// Numbers and texts as bytes and back, little-endian, every read checked: what this provider keeps in a context is
// written by strangers.
//
// Thread rule: one writer or reader, one thread.
// Example: RecordWriter writer; writer.number(3); writer.text("w");  RecordReader reader(bytes);  CUTAWAY_TRY(const
// uint64_t three, reader.number(16));

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::onednn {

class RecordWriter {
 public:
  void number(uint64_t value) {
    for (int byte = 0; byte < 8; ++byte)
      m_bytes.push_back(static_cast<char>(value >> (8 * byte)));
  }
  void text(std::string_view text) {
    number(text.size());
    m_bytes += text;
  }
  const std::string& bytes() const { return m_bytes; }
  std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> bytes) : m_rest(bytes) {}

  // EP_FAIL: the bytes end here, or the number is larger than `most`.
  Result<uint64_t> number(uint64_t most) {
    if (m_rest.size() < 8) return cutShort();
    uint64_t value = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      value |= static_cast<uint64_t>(m_rest[byte]) << (8 * byte);
    if (value > most)
      return fail(ErrorCode::kEpFail, "the compiled group is damaged: {} where at most {} is possible", value, most);
    m_rest = m_rest.subspan(8);
    return value;
  }
  // How many things follow, each of which takes so many bytes at least.
  Result<size_t> count(size_t leastBytes) {
    CUTAWAY_TRY(const uint64_t value, number(m_rest.size() / leastBytes));
    return static_cast<size_t>(value);
  }
  Result<std::string_view> text() {
    CUTAWAY_TRY(const uint64_t size, number(m_rest.size()));
    if (m_rest.size() < size) return cutShort();
    const std::string_view text(reinterpret_cast<const char*>(m_rest.data()), size);
    m_rest = m_rest.subspan(size);
    return text;
  }
  bool atEnd() const { return m_rest.empty(); }

 private:
  static tl::unexpected<Error> cutShort() {
    return fail(ErrorCode::kEpFail, "the compiled group is damaged: its record ends too early");
  }

  std::span<const std::byte> m_rest;
};

}  // namespace cutaway::onednn

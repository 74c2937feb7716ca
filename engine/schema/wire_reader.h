#pragma once
// Fields of one protobuf message, read where they lie: no copy, no recursion, no size limit.
//
// protobuf's own parser copies every weight, stops at 2 GB and recurses as deep as the file says. This reader gives
// views into the mapped file instead. Format: developers.google.com/protocol-buffers/docs/encoding. Thread rule: one
// reader, one thread. Example:
//   WireReader reader(bytes);
//   while (reader.next()) { if (reader.number() == 7 && reader.isBytes()) graph = reader.bytes(); }
//   CUTAWAY_CHECK(reader.status());

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway {

using ByteSpan = std::span<const std::byte>;

inline std::string_view textOf(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class WireReader {
 public:
  explicit WireReader(ByteSpan bytes) : m_position(bytes.data()), m_end(bytes.data() + bytes.size()) {}

  // Steps to the next field; false at the end and at the first malformed field (see status).
  bool next();
  uint32_t number() const { return m_number; }
  bool isVarint() const { return m_type == 0; }
  bool isFixed64() const { return m_type == 1; }
  bool isBytes() const { return m_type == 2; }
  bool isFixed32() const { return m_type == 5; }
  uint64_t integer() const { return m_integer; }  // varint, fixed32 or fixed64
  int64_t signedInteger() const { return static_cast<int64_t>(m_integer); }
  ByteSpan bytes() const { return m_bytes; }
  std::string string() const { return std::string(textOf(m_bytes)); }
  float asFloat() const;
  bool failed() const { return !m_problem.empty(); }
  // INVALID_PROTOBUF when a field was cut short or malformed.
  Result<void> status() const;

  // One varint at the front of `bytes`, which is shortened; false when it is cut short or too long.
  static bool takeVarint(ByteSpan& bytes, uint64_t& value);

 private:
  bool stop(std::string problem);

  const std::byte* m_position;
  const std::byte* m_end;
  uint32_t m_number = 0;
  uint8_t m_type = 0;
  uint64_t m_integer = 0;
  ByteSpan m_bytes;
  std::string m_problem;
};

}  // namespace cutaway

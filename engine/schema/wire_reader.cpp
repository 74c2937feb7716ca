#include "engine/schema/wire_reader.h"

#include <bit>
#include <cstring>

namespace cutaway {

namespace {

constexpr int kMaxVarintBytes = 10;

template <typename T>
T readLittleEndian(const std::byte* position) {
  static_assert(std::endian::native == std::endian::little, "weights are used where they lie in the file");
  T value;
  std::memcpy(&value, position, sizeof(T));
  return value;
}

}  // namespace

bool WireReader::takeVarint(ByteSpan& bytes, uint64_t& value) {
  value = 0;
  for (int i = 0; i < kMaxVarintBytes && static_cast<size_t>(i) < bytes.size(); ++i) {
    const auto each = static_cast<uint8_t>(bytes[i]);
    value |= static_cast<uint64_t>(each & 0x7f) << (7 * i);
    if ((each & 0x80) == 0) {
      bytes = bytes.subspan(i + 1);
      return true;
    }
  }
  return false;
}

bool WireReader::stop(std::string problem) {
  m_problem = std::move(problem);
  m_position = m_end;
  return false;
}

bool WireReader::next() {
  if (m_position == m_end) return false;
  ByteSpan rest(m_position, m_end);
  uint64_t tag = 0;
  if (!takeVarint(rest, tag)) return stop("a field number is cut short or malformed");
  const uint64_t number = tag >> 3;
  if (number == 0 || number > 0x1fffffff) return stop(fmt::format("{} is not a field number", number));
  m_number = static_cast<uint32_t>(number);
  m_type = static_cast<uint8_t>(tag & 7);
  m_bytes = {};
  switch (m_type) {
    case 0:
      if (!takeVarint(rest, m_integer))
        return stop(fmt::format("the number in field {} is cut short or malformed", number));
      break;
    case 1:
      if (rest.size() < 8) return stop(fmt::format("field {} is cut short", number));
      m_integer = readLittleEndian<uint64_t>(rest.data());
      rest = rest.subspan(8);
      break;
    case 5:
      if (rest.size() < 4) return stop(fmt::format("field {} is cut short", number));
      m_integer = readLittleEndian<uint32_t>(rest.data());
      rest = rest.subspan(4);
      break;
    case 2: {
      uint64_t length = 0;
      if (!takeVarint(rest, length))
        return stop(fmt::format("the length of field {} is cut short or malformed", number));
      if (length > rest.size())
        return stop(fmt::format("field {} says it has {} bytes, but only {} are left", number, length, rest.size()));
      m_bytes = rest.subspan(0, length);
      rest = rest.subspan(length);
      break;
    }
    default:
      return stop(fmt::format("field {} has the unknown wire type {}", number, m_type));
  }
  m_position = rest.data();
  return true;
}

float WireReader::asFloat() const {
  return std::bit_cast<float>(static_cast<uint32_t>(m_integer));
}

Result<void> WireReader::status() const {
  if (m_problem.empty()) return {};
  return fail(ErrorCode::kInvalidProtobuf, "{}: the file is cut short or damaged", m_problem);
}

}  // namespace cutaway

// PBM, PGM and PPM, as text (P1 to P3) and in binary (P4 to P6), samples up to 65535.

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

class Scanner {
 public:
  explicit Scanner(Bytes bytes) : m_bytes(bytes), m_at(2) {}

  // The next number after white space and comments; -1 when there is none.
  int64_t number() {
    skipSpace();
    int64_t value = -1;
    for (; m_at < m_bytes.size() && isDigit(m_bytes[m_at]) && value < kTooLarge; ++m_at)
      value = (value < 0 ? 0 : value * 10) + (m_bytes[m_at] - '0');
    return value;
  }
  // One digit of a P1 file: its pixels need no space between them.
  int64_t digit() {
    skipSpace();
    return m_at < m_bytes.size() && isDigit(m_bytes[m_at]) ? m_bytes[m_at++] - '0' : -1;
  }
  // Past the one white space that ends a header.
  Bytes rest() const { return m_bytes.subspan(std::min(m_at + 1, m_bytes.size())); }

 private:
  static constexpr int64_t kTooLarge = int64_t{1} << 40;
  static bool isDigit(uint8_t c) { return c >= '0' && c <= '9'; }
  static bool isSpace(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skipSpace() {
    while (m_at < m_bytes.size() && (isSpace(m_bytes[m_at]) || m_bytes[m_at] == '#')) {
      if (m_bytes[m_at] == '#') {
        while (m_at < m_bytes.size() && m_bytes[m_at] != '\n')
          ++m_at;
      } else {
        ++m_at;
      }
    }
  }

  Bytes m_bytes;
  size_t m_at;
};

uint8_t toByte(int64_t value, int64_t most) {
  return static_cast<uint8_t>((std::min(value, most) * 255 + most / 2) / most);
}

}  // namespace

Result<DecodedImage> decodePnm(Bytes bytes, KernelContext& context) {
  const int kind = bytes[1] - '0';
  const bool binary = kind > 3, bitmap = kind == 1 || kind == 4;
  const size_t samples = kind == 3 || kind == 6 ? 3 : 1;
  Scanner scanner(bytes);
  const int64_t width = scanner.number(), height = scanner.number(), most = bitmap ? 1 : scanner.number();
  if (most < 1 || most > 65535)
    return fail(ErrorCode::kInvalidArgument,
                "a PNM image of {} bytes has the largest value {}; 1 to 65535 are possible", bytes.size(), most);
  CUTAWAY_CHECK(checkSize("PNM", width, height));
  const size_t sampleBytes = most > 255 ? 2 : 1;
  const size_t rowBytes =
      bitmap ? (static_cast<size_t>(width) + 7) / 8 : static_cast<size_t>(width) * samples * sampleBytes;
  const Bytes rest = scanner.rest();
  // As text every sample has a digit at least.
  const bool endsEarly = binary ? rest.size() / rowBytes < static_cast<size_t>(height)
                                : rest.size() / samples / static_cast<size_t>(width) < static_cast<size_t>(height);
  if (endsEarly)
    return fail(ErrorCode::kInvalidArgument, "a PNM image of {} bytes ends before its {} x {} pixels", bytes.size(),
                width, height);
  CUTAWAY_TRY(const DecodedImage image, blackImage("PNM", width, height, context));
  uint8_t* to = image.rgb.data();
  for (size_t row = 0; row < static_cast<size_t>(height); ++row) {
    for (size_t column = 0; column < static_cast<size_t>(width); ++column, to += 3) {
      for (size_t c = 0; c < samples; ++c) {
        int64_t value = 0;
        const size_t at = row * rowBytes + (column * samples + c) * sampleBytes;
        if (!binary)
          value = bitmap ? scanner.digit() : scanner.number();
        else if (bitmap)
          value = rest[row * rowBytes + column / 8] >> (7 - column % 8) & 1;
        else
          value = sampleBytes == 1 ? rest[at] : rest[at] << 8 | rest[at + 1];
        if (value < 0)
          return fail(ErrorCode::kInvalidArgument, "a PNM image of {} bytes ends before its {} x {} pixels",
                      bytes.size(), width, height);
        to[c] = bitmap ? (value == 0 ? 255 : 0) : toByte(value, most);  // a bit means ink
      }
      if (samples == 1) to[1] = to[2] = to[0];
    }
  }
  return image;
}

}  // namespace cutaway::cpu::image

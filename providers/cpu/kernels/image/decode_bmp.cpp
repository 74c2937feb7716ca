// BMP: 1 to 32 bits a pixel, palettes, bit fields; rows from below or above. Run-length compression is refused.

#include <array>
#include <bit>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

class Fields {
 public:
  explicit Fields(Bytes bytes) : m_bytes(bytes) {}
  bool holds(uint64_t at, uint64_t count) const { return at <= m_bytes.size() && count <= m_bytes.size() - at; }
  // Little-endian; 0 beyond the end.
  uint32_t number(uint64_t at, unsigned count) const {
    uint32_t value = 0;
    if (!holds(at, count)) return 0;
    for (unsigned i = 0; i < count; ++i)
      value |= uint32_t{m_bytes[at + i]} << (8 * i);
    return value;
  }

 private:
  Bytes m_bytes;
};

struct Header {
  int64_t width = 0, height = 0;
  bool fromAbove = false;
  uint32_t bits = 0;
  uint64_t pixels = 0, palette = 0, paletteEntry = 4, colours = 0;
  std::array<uint32_t, 3> masks{};  // red, green, blue, for 16 and 32 bits
};

Result<Header> readHeader(const Fields& fields, size_t size) {
  const auto refuse = [&](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument, "a BMP image of {} bytes: {}", size, what);
  };
  if (!fields.holds(0, 26)) return refuse("the header is incomplete");
  Header header;
  header.pixels = fields.number(10, 4);
  const uint32_t headerSize = fields.number(14, 4);
  uint32_t compression = 0;
  if (headerSize == 12) {
    header.width = fields.number(18, 2);
    header.height = fields.number(20, 2);
    header.bits = fields.number(24, 2);
    header.paletteEntry = 3;
  } else {
    if (headerSize < 40 || !fields.holds(14, headerSize)) return refuse("the header is incomplete");
    header.width = static_cast<int32_t>(fields.number(18, 4));
    header.height = static_cast<int32_t>(fields.number(22, 4));
    header.fromAbove = header.height < 0;
    if (header.fromAbove) header.height = -header.height;
    header.bits = fields.number(28, 2);
    compression = fields.number(30, 4);
    header.colours = fields.number(46, 4);
  }
  header.palette = 14 + headerSize;
  constexpr uint32_t kPlain = 0, kBitFields = 3, kAlphaBitFields = 6;
  if (compression == kBitFields || compression == kAlphaBitFields) {
    if (header.bits != 16 && header.bits != 32) return refuse("bit fields need 16 or 32 bits a pixel");
    for (size_t i = 0; i < 3; ++i)
      header.masks[i] = fields.number(54 + 4 * i, 4);
  } else if (compression == kPlain) {
    header.masks = header.bits == 16 ? std::array<uint32_t, 3>{0x7c00, 0x03e0, 0x001f}
                                     : std::array<uint32_t, 3>{0xff0000, 0x00ff00, 0x0000ff};
  } else {
    return refuse("compressed pixels are not covered");
  }
  for (const uint32_t bits : {1u, 4u, 8u, 16u, 24u, 32u}) {
    if (header.bits == bits) return header;
  }
  return refuse("bits a pixel must be 1, 4, 8, 16, 24 or 32");
}

// A masked sample scaled to 0..255.
uint8_t masked(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const uint64_t most = mask >> shift, value = (pixel & mask) >> shift;
  return static_cast<uint8_t>((value * 255 + most / 2) / most);
}

}  // namespace

Result<DecodedImage> decodeBmp(Bytes bytes, KernelContext& context) {
  const Fields fields(bytes);
  CUTAWAY_TRY(const Header header, readHeader(fields, bytes.size()));
  CUTAWAY_CHECK(checkSize("BMP", header.width, header.height));
  const uint64_t rowBytes = (static_cast<uint64_t>(header.width) * header.bits + 31) / 32 * 4;
  if (!fields.holds(header.pixels, rowBytes * static_cast<uint64_t>(header.height))) {
    return fail(ErrorCode::kInvalidArgument, "a BMP image of {} bytes ends before its {} x {} pixels of {} bits",
                bytes.size(), header.width, header.height, header.bits);
  }
  CUTAWAY_TRY(const DecodedImage image, blackImage("BMP", header.width, header.height, context));
  const uint64_t colours = header.bits > 8                                               ? 0
                           : header.colours == 0 || header.colours > (1u << header.bits) ? 1u << header.bits
                                                                                         : header.colours;
  uint8_t* to = image.rgb.data();
  for (int64_t row = 0; row < header.height; ++row) {
    const uint64_t from =
        header.pixels + rowBytes * static_cast<uint64_t>(header.fromAbove ? row : header.height - 1 - row);
    for (uint64_t column = 0; column < static_cast<uint64_t>(header.width); ++column, to += 3) {
      if (header.bits == 24) {
        for (size_t c = 0; c < 3; ++c)
          to[c] = bytes[from + column * 3 + 2 - c];
      } else if (header.bits > 8) {
        const uint32_t pixel = fields.number(from + column * (header.bits / 8), header.bits / 8);
        for (size_t c = 0; c < 3; ++c)
          to[c] = masked(pixel, header.masks[c]);
      } else {
        const uint64_t bit = column * header.bits;
        const uint32_t index = bytes[from + bit / 8] >> (8 - header.bits - bit % 8) & ((1u << header.bits) - 1);
        if (index >= colours || !fields.holds(header.palette + index * header.paletteEntry, 3))
          return fail(ErrorCode::kInvalidArgument, "a BMP image names colour {} of {}", index, colours);
        for (size_t c = 0; c < 3; ++c)
          to[c] = bytes[header.palette + index * header.paletteEntry + 2 - c];
      }
    }
  }
  return image;
}

}  // namespace cutaway::cpu::image

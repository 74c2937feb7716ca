#pragma once
// Decoders of image files in memory, one a format: all give 8-bit RGB, rows from the top.
//
// The bytes may be hostile: a decoder answers INVALID_ARGUMENT to what it cannot make sense of and refuses more than
// kMostPixels before it asks for memory. Alpha is dropped, not blended; samples of more than 8 bits keep the upper 8.
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const DecodedImage image, decodeImage(bytes));

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::cpu::image {

using Bytes = std::span<const uint8_t>;

inline constexpr int64_t kMostPixels = int64_t{1} << 26;

struct DecodedImage {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> rgb;  // height * width * 3
};

// By the first bytes of the file: JPEG, PNG, WebP, TIFF, JPEG 2000, BMP, PNM.
Result<DecodedImage> decodeImage(Bytes bytes);

Result<DecodedImage> decodeJpeg(Bytes bytes);
Result<DecodedImage> decodePng(Bytes bytes);
Result<DecodedImage> decodeWebp(Bytes bytes);
Result<DecodedImage> decodeTiff(Bytes bytes);
Result<DecodedImage> decodeJpeg2000(Bytes bytes);
Result<DecodedImage> decodeBmp(Bytes bytes);
Result<DecodedImage> decodePnm(Bytes bytes);

// An image of that size with room for its pixels.
Result<DecodedImage> emptyImage(std::string_view format, int64_t width, int64_t height);

}  // namespace cutaway::cpu::image

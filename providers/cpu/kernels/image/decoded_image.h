#pragma once
// Decoders of image files in memory, one a format: all give 8-bit RGB, rows from the top.
//
// The bytes may be hostile: a decoder answers INVALID_ARGUMENT to what it cannot make sense of and refuses more than
// kMostPixels before it asks for memory. All memory is scratch of the kernel, so that it counts in the limit of the
// run: what the library of a format will take for itself is booked beside it, before it does. Alpha is dropped, not
// blended; samples of more than 8 bits keep the upper 8. Thread rule: as the context that it works for. Example:
// CUTAWAY_TRY(const DecodedImage image, decodeImage(bytes, context));

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::image {

using Bytes = std::span<const uint8_t>;

inline constexpr int64_t kMostPixels = int64_t{1} << 26;

struct DecodedImage {
  int64_t width = 0, height = 0;
  std::span<uint8_t> rgb;  // height * width * 3, scratch of the context
};

// By the first bytes of the file: JPEG, PNG, WebP, TIFF, JPEG 2000, BMP, PNM.
Result<DecodedImage> decodeImage(Bytes bytes, KernelContext& context);

Result<DecodedImage> decodeJpeg(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodePng(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodeWebp(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodeTiff(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodeJpeg2000(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodeBmp(Bytes bytes, KernelContext& context);
Result<DecodedImage> decodePnm(Bytes bytes, KernelContext& context);

// A size that an image may have.
Result<void> checkSize(std::string_view format, int64_t width, int64_t height);
// A black image of that size, and so many bytes booked for what its library takes while it decodes.
Result<DecodedImage> blackImage(std::string_view format, int64_t width, int64_t height, KernelContext& context,
                                uint64_t libraryBytes = 0);

}  // namespace cutaway::cpu::image

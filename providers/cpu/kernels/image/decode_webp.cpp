// WebP through libwebp: lossy and lossless still images.

#include <webp/decode.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {

Result<DecodedImage> decodeWebp(Bytes bytes, KernelContext& context) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    return fail(ErrorCode::kInvalidArgument, "a WebP image of {} bytes has no readable header", bytes.size());
  if (features.has_animation != 0)
    return fail(ErrorCode::kInvalidArgument, "a WebP file with an animation is no image");
  const auto pixels = static_cast<uint64_t>(features.width) * static_cast<uint64_t>(features.height);
  constexpr int kLossless = 2;  // its pixels are kept as four bytes each, of a lossy file the transparency alone
  const uint64_t kept = features.format == kLossless ? 4 * pixels : features.has_alpha != 0 ? pixels : 0;
  CUTAWAY_TRY(const DecodedImage image, blackImage("WebP", features.width, features.height, context, kept));
  if (WebPDecodeRGBInto(bytes.data(), bytes.size(), image.rgb.data(), image.rgb.size(), features.width * 3) ==
      nullptr) {
    return fail(ErrorCode::kInvalidArgument, "a WebP image of {} bytes is damaged or ends early", bytes.size());
  }
  return image;
}

}  // namespace cutaway::cpu::image

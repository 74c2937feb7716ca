// WebP through libwebp: lossy and lossless still images.

#include <webp/decode.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {

Result<DecodedImage> decodeWebp(Bytes bytes) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    return fail(ErrorCode::kInvalidArgument, "a WebP image of {} bytes has no readable header", bytes.size());
  if (features.has_animation != 0)
    return fail(ErrorCode::kInvalidArgument, "a WebP file with an animation is no image");
  CUTAWAY_TRY(DecodedImage image, emptyImage("WebP", features.width, features.height));
  if (WebPDecodeRGBInto(bytes.data(), bytes.size(), image.rgb.data(), image.rgb.size(), features.width * 3) ==
      nullptr) {
    return fail(ErrorCode::kInvalidArgument, "a WebP image of {} bytes is damaged or ends early", bytes.size());
  }
  return image;
}

}  // namespace cutaway::cpu::image

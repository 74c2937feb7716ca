// JPEG 2000 through OpenJPEG: JP2 files and bare codestreams, gray, RGB or YCC with any subsampling.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include <openjpeg.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

struct Source {
  Bytes bytes;
  size_t at = 0;
};

OPJ_SIZE_T onRead(void* to, OPJ_SIZE_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  const size_t size = std::min<size_t>(count, source.bytes.size() - source.at);
  if (size == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(to, source.bytes.data() + source.at, size);
  source.at += size;
  return size;
}

OPJ_OFF_T onSkip(OPJ_OFF_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (count < 0) return -1;
  const size_t size = std::min<size_t>(static_cast<size_t>(count), source.bytes.size() - source.at);
  source.at += size;
  return size == 0 && count > 0 ? -1 : static_cast<OPJ_OFF_T>(size);
}

OPJ_BOOL onSeek(OPJ_OFF_T place, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (place < 0 || static_cast<size_t>(place) > source.bytes.size()) return OPJ_FALSE;
  source.at = static_cast<size_t>(place);
  return OPJ_TRUE;
}

void onMessage(const char*, void*) {}

using Stream = std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)>;
using Codec = std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)>;
using Picture = std::unique_ptr<opj_image_t, decltype(&opj_image_destroy)>;

// One sample as 0..255; components may be coarser than the picture.
double sampleAt(const opj_image_t& picture, uint32_t component, uint32_t x, uint32_t y) {
  const opj_image_comp_t& comp = picture.comps[component];
  const uint32_t column = std::min(x / comp.dx, comp.w - 1), row = std::min(y / comp.dy, comp.h - 1);
  const double value = static_cast<double>(comp.data[static_cast<size_t>(row) * comp.w + column]) +
                       (comp.sgnd != 0 ? std::ldexp(1.0, static_cast<int>(comp.prec) - 1) : 0.0);
  if (comp.prec == 8) return value;
  return comp.prec > 8 ? std::floor(value / std::ldexp(1.0, static_cast<int>(comp.prec) - 8))
                       : value * 255.0 / (std::ldexp(1.0, static_cast<int>(comp.prec)) - 1);
}

uint8_t toByte(double value) {
  return static_cast<uint8_t>(std::clamp(std::nearbyint(value), 0.0, 255.0));
}

Result<void> fillPixels(const opj_image_t& picture, DecodedImage& image) {
  const bool colour = picture.numcomps >= 3;
  for (uint32_t c = 0; c < (colour ? 3u : 1u); ++c) {
    const opj_image_comp_t& comp = picture.comps[c];
    if (comp.data == nullptr || comp.w == 0 || comp.h == 0 || comp.dx == 0 || comp.dy == 0 || comp.prec == 0 ||
        comp.prec > 31) {
      return fail(ErrorCode::kInvalidArgument, "a JPEG 2000 image without samples in component {}", c);
    }
  }
  const bool ycc = colour && (picture.color_space == OPJ_CLRSPC_SYCC || picture.color_space == OPJ_CLRSPC_EYCC);
  uint8_t* to = image.rgb.data();
  for (uint32_t y = 0; y < static_cast<uint32_t>(image.height); ++y) {
    for (uint32_t x = 0; x < static_cast<uint32_t>(image.width); ++x, to += 3) {
      const double first = sampleAt(picture, 0, x, y);
      if (!colour) {
        to[0] = to[1] = to[2] = toByte(first);
        continue;
      }
      const double second = sampleAt(picture, 1, x, y), third = sampleAt(picture, 2, x, y);
      // BT.601, full range, centre 128.
      to[0] = toByte(ycc ? first + 1.402 * (third - 128) : first);
      to[1] = toByte(ycc ? first - 0.344136 * (second - 128) - 0.714136 * (third - 128) : second);
      to[2] = toByte(ycc ? first + 1.772 * (second - 128) : third);
    }
  }
  return {};
}

}  // namespace

Result<DecodedImage> decodeJpeg2000(Bytes bytes) {
  Source source{.bytes = bytes};
  const auto refuse = [&](const char* what) {
    return fail(ErrorCode::kInvalidArgument, "a JPEG 2000 image of {} bytes: {}", bytes.size(), what);
  };
  const Stream stream(opj_stream_create(size_t{1} << 16, OPJ_TRUE), opj_stream_destroy);
  const Codec codec(opj_create_decompress(bytes[0] == 0 ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K), opj_destroy_codec);
  if (stream == nullptr || codec == nullptr) return fail(ErrorCode::kFail, "OpenJPEG could not be started");
  opj_stream_set_read_function(stream.get(), onRead);
  opj_stream_set_skip_function(stream.get(), onSkip);
  opj_stream_set_seek_function(stream.get(), onSeek);
  opj_stream_set_user_data(stream.get(), &source, nullptr);
  opj_stream_set_user_data_length(stream.get(), bytes.size());
  for (auto* set : {opj_set_error_handler, opj_set_warning_handler, opj_set_info_handler})
    set(codec.get(), onMessage, nullptr);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE) return refuse("the decoder does not start");
  opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE);
  opj_image_t* made = nullptr;
  const bool header = opj_read_header(stream.get(), codec.get(), &made) != OPJ_FALSE;
  const Picture picture(made, opj_image_destroy);
  if (!header || picture == nullptr) return refuse("the header is damaged");
  if (picture->x1 <= picture->x0 || picture->y1 <= picture->y0 || picture->numcomps < 1 || picture->numcomps > 16)
    return refuse("size or number of components are impossible");
  CUTAWAY_TRY(DecodedImage image,
              emptyImage("JPEG 2000", int64_t{picture->x1} - picture->x0, int64_t{picture->y1} - picture->y0));
  if (opj_decode(codec.get(), stream.get(), picture.get()) == OPJ_FALSE)
    return refuse("the samples are damaged or end early");
  CUTAWAY_CHECK(fillPixels(*picture, image));
  return image;
}

}  // namespace cutaway::cpu::image

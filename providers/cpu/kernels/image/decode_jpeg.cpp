// JPEG through libjpeg-turbo, with its usual (smooth) chroma upsampling.

#include <csetjmp>
#include <cstdio>  // jpeglib.h needs FILE

#include <jerror.h>
#include <jpeglib.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

constexpr int kMostScans = 200;  // of a progressive file: each costs a pass over the whole image

struct Failure {
  jpeg_error_mgr manager;  // first: the library hands back a pointer to it
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

[[noreturn]] void onError(j_common_ptr info) {
  auto* failure = reinterpret_cast<Failure*>(info->err);
  (*info->err->format_message)(info, failure->text);
  std::longjmp(failure->back, 1);
}

// Warnings that mean missing pixels are errors here.
void onMessage(j_common_ptr info, int level) {
  if (level < 0 && (info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JWRN_HIT_MARKER)) onError(info);
}

void onProgress(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMostScans) ERREXIT(info, JERR_BAD_PROGRESSION);
}

// What a jump may cross holds no objects with destructors.
struct Reader {
  jpeg_decompress_struct info;
  jpeg_progress_mgr progress;
  Failure failure;
};

bool readHeader(Reader& reader, Bytes bytes) {
  if (setjmp(reader.failure.back) != 0) return false;
  jpeg_create_decompress(&reader.info);
  reader.info.progress = &reader.progress;
  jpeg_mem_src(&reader.info, bytes.data(), bytes.size());
  jpeg_read_header(&reader.info, TRUE);
  const bool fourColours = reader.info.jpeg_color_space == JCS_CMYK || reader.info.jpeg_color_space == JCS_YCCK;
  reader.info.out_color_space = fourColours ? JCS_CMYK : JCS_RGB;
  return true;
}

bool readPixels(Reader& reader, uint8_t* pixels, size_t rowBytes) {
  if (setjmp(reader.failure.back) != 0) return false;
  jpeg_start_decompress(&reader.info);
  while (reader.info.output_scanline < reader.info.output_height) {
    JSAMPROW row = pixels + reader.info.output_scanline * rowBytes;
    jpeg_read_scanlines(&reader.info, &row, 1);
  }
  jpeg_finish_decompress(&reader.info);
  return true;
}

// Four inks to three lights; Adobe's files hold the inks upside down.
void inksToRgb(std::span<const uint8_t> inks, bool inverted, std::span<uint8_t> rgb) {
  for (size_t i = 0; i * 4 < inks.size(); ++i) {
    const auto light = [&](size_t ink) {
      return static_cast<unsigned>(inverted ? inks[i * 4 + ink] : 255 - inks[i * 4 + ink]);
    };
    for (size_t c = 0; c < 3; ++c)
      rgb[i * 3 + c] = static_cast<uint8_t>((light(c) * light(3) + 127) / 255);
  }
}

// What the library keeps of a file of several scans: two bytes for every sample, in whole rows of blocks.
uint64_t coefficients(jpeg_decompress_struct& info) {
  if (jpeg_has_multiple_scans(&info) == 0) return 0;
  uint64_t blocks = 0;
  for (int i = 0; i < info.num_components; ++i) {
    const jpeg_component_info& component = info.comp_info[i];
    blocks += uint64_t{component.width_in_blocks + static_cast<JDIMENSION>(component.h_samp_factor)} *
              (component.height_in_blocks + static_cast<JDIMENSION>(component.v_samp_factor));
  }
  return blocks * DCTSIZE2 * sizeof(JCOEF);
}

Result<DecodedImage> readImage(Reader& reader, Bytes bytes, KernelContext& context) {
  const auto refuse = [&] {
    return fail(ErrorCode::kInvalidArgument, "a JPEG image of {} bytes: {}", bytes.size(),
                static_cast<const char*>(reader.failure.text));
  };
  if (!readHeader(reader, bytes)) return refuse();
  CUTAWAY_TRY(const DecodedImage image, blackImage("JPEG", reader.info.image_width, reader.info.image_height, context,
                                                   coefficients(reader.info)));
  const size_t width = static_cast<size_t>(image.width);
  if (reader.info.out_color_space == JCS_RGB) {
    if (!readPixels(reader, image.rgb.data(), width * 3)) return refuse();
    return image;
  }
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(image.rgb.size() / 3 * 4));
  const std::span<uint8_t> inks(reinterpret_cast<uint8_t*>(memory.data()), memory.size());
  if (!readPixels(reader, inks.data(), width * 4)) return refuse();
  inksToRgb(inks, reader.info.saw_Adobe_marker, image.rgb);
  return image;
}

}  // namespace

Result<DecodedImage> decodeJpeg(Bytes bytes, KernelContext& context) {
  Reader reader{};
  reader.info.err = jpeg_std_error(&reader.failure.manager);
  reader.failure.manager.error_exit = onError;
  reader.failure.manager.emit_message = onMessage;
  reader.progress.progress_monitor = onProgress;
  Result<DecodedImage> result = readImage(reader, bytes, context);
  jpeg_destroy_decompress(&reader.info);
  return result;
}

}  // namespace cutaway::cpu::image

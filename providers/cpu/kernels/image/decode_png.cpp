// PNG through libpng: palettes, grays, 16 bits and interlacing all become 8-bit RGB.

#include <csetjmp>
#include <cstring>

#include <png.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

constexpr png_uint_32 kLongestSide = 1u << 20;
constexpr png_alloc_size_t kLargestChunk = 1u << 23;

struct Source {
  Bytes bytes;
  size_t at = 0;
  char error[128] = {};
};

void onRead(png_structp png, png_bytep to, size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->bytes.size() - source->at) png_error(png, "the data ends early");
  std::memcpy(to, source->bytes.data() + source->at, count);
  source->at += count;
}

[[noreturn]] void onError(png_structp png, png_const_charp text) {
  std::strncpy(static_cast<Source*>(png_get_error_ptr(png))->error, text, sizeof(Source::error) - 1);
  png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {}

// What a jump may cross holds no objects with destructors.
bool readHeader(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, kLongestSide, kLongestSide);
  png_set_chunk_malloc_max(png, kLargestChunk);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_strip_alpha(png);
  png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

bool readPixels(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

Result<DecodedImage> readImage(png_structp png, png_infop info, const Source& source, KernelContext& context) {
  const auto refuse = [&] {
    return fail(ErrorCode::kInvalidArgument, "a PNG image of {} bytes: {}", source.bytes.size(),
                static_cast<const char*>(source.error));
  };
  if (!readHeader(png, info)) return refuse();
  CUTAWAY_TRY(const DecodedImage image,
              blackImage("PNG", png_get_image_width(png, info), png_get_image_height(png, info), context));
  const size_t rowBytes = static_cast<size_t>(image.width) * 3;
  if (png_get_rowbytes(png, info) != rowBytes)
    return fail(ErrorCode::kInvalidArgument, "a PNG image of {} bytes: its pixels are no colours", source.bytes.size());
  std::vector<png_bytep> rows(static_cast<size_t>(image.height));
  for (size_t row = 0; row < rows.size(); ++row)
    rows[row] = image.rgb.data() + row * rowBytes;
  if (!readPixels(png, rows.data())) return refuse();
  return image;
}

}  // namespace

Result<DecodedImage> decodePng(Bytes bytes, KernelContext& context) {
  Source source{.bytes = bytes};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, onError, onWarning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    return fail(ErrorCode::kFail, "libpng could not be started");
  }
  png_set_read_fn(png, &source, onRead);
  Result<DecodedImage> result = readImage(png, info, source, context);
  png_destroy_read_struct(&png, &info, nullptr);
  return result;
}

}  // namespace cutaway::cpu::image

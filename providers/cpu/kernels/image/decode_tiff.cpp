// TIFF through libtiff's own conversion to RGBA: strips or tiles, any of its compressions; the first image of the file.

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include <tiffio.h>

#include "providers/cpu/kernels/image/decoded_image.h"

namespace cutaway::cpu::image {
namespace {

constexpr tmsize_t kLargestAllocation = tmsize_t{1} << 29;

struct Source {
  Bytes bytes;
  toff_t at = 0;
  char error[160] = {};
};

Source& sourceOf(thandle_t handle) {
  return *static_cast<Source*>(handle);
}

tmsize_t onRead(thandle_t handle, void* to, tmsize_t count) {
  Source& source = sourceOf(handle);
  if (source.at >= source.bytes.size() || count <= 0) return 0;
  const size_t size = std::min(static_cast<size_t>(count), source.bytes.size() - static_cast<size_t>(source.at));
  std::memcpy(to, source.bytes.data() + source.at, size);
  source.at += size;
  return static_cast<tmsize_t>(size);
}

tmsize_t onWrite(thandle_t, void*, tmsize_t) {
  return 0;
}

toff_t onSeek(thandle_t handle, toff_t offset, int whence) {
  Source& source = sourceOf(handle);
  if (whence == SEEK_CUR) offset += source.at;
  if (whence == SEEK_END) offset += source.bytes.size();
  return source.at = offset;
}

int onClose(thandle_t) {
  return 0;
}
toff_t onSize(thandle_t handle) {
  return sourceOf(handle).bytes.size();
}

int onError(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  auto* source = static_cast<Source*>(user);
  if (source->error[0] == 0) std::vsnprintf(source->error, sizeof(source->error), format, arguments);
  return 1;
}

int onWarning(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

Result<DecodedImage> readImage(TIFF* file, const Source& source) {
  uint32_t width = 0, height = 0;
  TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
  CUTAWAY_TRY(DecodedImage image, emptyImage("TIFF", width, height));
  std::vector<uint32_t> pixels(image.rgb.size() / 3);
  if (TIFFReadRGBAImageOriented(file, width, height, pixels.data(), ORIENTATION_TOPLEFT, 1) == 0) {
    return fail(ErrorCode::kInvalidArgument, "a TIFF image of {} bytes: {}", source.bytes.size(),
                static_cast<const char*>(source.error));
  }
  for (size_t i = 0; i < pixels.size(); ++i) {
    image.rgb[i * 3] = static_cast<uint8_t>(TIFFGetR(pixels[i]));
    image.rgb[i * 3 + 1] = static_cast<uint8_t>(TIFFGetG(pixels[i]));
    image.rgb[i * 3 + 2] = static_cast<uint8_t>(TIFFGetB(pixels[i]));
  }
  return image;
}

}  // namespace

Result<DecodedImage> decodeTiff(Bytes bytes) {
  Source source{.bytes = bytes};
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kLargestAllocation);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, &source);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, &source);
  // "m": no memory mapping, "r": read only.
  const std::unique_ptr<TIFF, decltype(&TIFFClose)> file(
      TIFFClientOpenExt("image", "rm", &source, onRead, onWrite, onSeek, onClose, onSize, nullptr, nullptr,
                        options.get()),
      TIFFClose);
  if (file == nullptr)
    return fail(ErrorCode::kInvalidArgument, "a TIFF image of {} bytes: {}", bytes.size(),
                static_cast<const char*>(source.error));
  return readImage(file.get(), source);
}

}  // namespace cutaway::cpu::image

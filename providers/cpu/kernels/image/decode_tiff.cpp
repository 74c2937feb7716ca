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

// What the library keeps of the file unpacked: a strip or a tile, of each of up to four planes where they are apart.
uint64_t strips(TIFF* file) {
  uint16_t planes = PLANARCONFIG_CONTIG, samples = 1;
  TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
  const uint64_t one = TIFFIsTiled(file) != 0 ? TIFFTileSize64(file) : TIFFStripSize64(file);
  if (one > static_cast<uint64_t>(kLargestAllocation)) return 0;  // refused by the library itself
  return one * (planes == PLANARCONFIG_SEPARATE ? std::min<uint64_t>(samples, 4) : 1);
}

Result<DecodedImage> readImage(TIFF* file, const Source& source, KernelContext& context) {
  uint32_t width = 0, height = 0;
  TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
  CUTAWAY_TRY(const DecodedImage image, blackImage("TIFF", width, height, context, strips(file)));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(image.rgb.size() / 3 * sizeof(uint32_t)));
  const std::span<uint32_t> pixels(reinterpret_cast<uint32_t*>(memory.data()), image.rgb.size() / 3);
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

Result<DecodedImage> decodeTiff(Bytes bytes, KernelContext& context) {
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
  return readImage(file.get(), source, context);
}

}  // namespace cutaway::cpu::image

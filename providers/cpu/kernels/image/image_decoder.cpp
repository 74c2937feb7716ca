// ImageDecoder (all versions): the bytes of an image file to pixels [H, W, C], as RGB, BGR or grayscale.
//
// The standard lets a decoder answer a bad file with an empty matrix; here it is an error that says what is wrong, so
// that nothing downstream works on no image.

#include <algorithm>

#include "providers/cpu/kernels/image/decoded_image.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace image {

Result<void> checkSize(std::string_view format, int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kMostPixels || height > kMostPixels / width) {
    return fail(ErrorCode::kInvalidArgument, "the {} image is {} x {} pixels; 1 to {} pixels are possible", format,
                width, height, kMostPixels);
  }
  return {};
}

Result<DecodedImage> blackImage(std::string_view format, int64_t width, int64_t height, KernelContext& context,
                                uint64_t libraryBytes) {
  CUTAWAY_CHECK(checkSize(format, width, height));
  if (libraryBytes > 0) CUTAWAY_CHECK(context.scratch(libraryBytes));
  CUTAWAY_TRY(const std::span<std::byte> pixels, context.scratch(static_cast<size_t>(width * height * 3)));
  std::ranges::fill(pixels, std::byte{0});
  return DecodedImage{width, height, {reinterpret_cast<uint8_t*>(pixels.data()), pixels.size()}};
}

Result<DecodedImage> decodeImage(Bytes bytes, KernelContext& context) {
  const auto starts = [&](std::string_view magic, size_t at = 0) {
    return bytes.size() >= at + magic.size() &&
           std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
  };
  if (starts("\xff\xd8\xff")) return decodeJpeg(bytes, context);
  if (starts("\x89PNG\r\n\x1a\n")) return decodePng(bytes, context);
  if (starts("RIFF") && starts("WEBP", 8)) return decodeWebp(bytes, context);
  if (starts({"II*\0", 4}) || starts({"MM\0*", 4}) || starts({"II+\0", 4}) || starts({"MM\0+", 4}))
    return decodeTiff(bytes, context);
  if (starts({"\0\0\0\x0cjP  ", 8}) || starts("\xff\x4f\xff\x51")) return decodeJpeg2000(bytes, context);
  if (starts("BM")) return decodeBmp(bytes, context);
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') return decodePnm(bytes, context);
  return fail(ErrorCode::kInvalidArgument, "{} bytes are no BMP, JPEG, JPEG 2000, PNG, PNM, TIFF or WebP image",
              bytes.size());
}

}  // namespace image

namespace {

enum class PixelFormat : uint8_t { kRgb, kBgr, kGrayscale };

// Luma of ITU-R BT.601, in 16-bit fixed point.
uint8_t lumaOf(const uint8_t* rgb) {
  return static_cast<uint8_t>((rgb[0] * 19595u + rgb[1] * 38470u + rgb[2] * 7471u + 0x8000u) >> 16);
}

class ImageDecoder final : public Kernel {
 public:
  explicit ImageDecoder(PixelFormat format) : m_format(format) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* encoded, requireTensor(context, 0));
    if (encoded->rank() != 1)
      return fail(ErrorCode::kInvalidArgument, "ImageDecoder: the bytes must be a list, not {}",
                  dimsToText(encoded->dims()));
    CUTAWAY_TRY(const image::DecodedImage decoded, image::decodeImage(encoded->span<uint8_t>(), context));
    CUTAWAY_TRY(Tensor * y,
                context.output(0, {decoded.height, decoded.width, m_format == PixelFormat::kGrayscale ? 1 : 3}));
    uint8_t* to = y->span<uint8_t>().data();
    const uint8_t* from = decoded.rgb.data();
    const uint8_t* end = from + decoded.rgb.size();
    if (m_format == PixelFormat::kRgb)
      std::copy(from, end, to);
    else if (m_format == PixelFormat::kBgr)
      for (; from != end; from += 3, to += 3)
        to[0] = from[2], to[1] = from[1], to[2] = from[0];
    else
      for (; from != end; from += 3)
        *to++ = lumaOf(from);
    return {};
  }

 private:
  PixelFormat m_format;
};

Result<std::unique_ptr<Kernel>> createImageDecoder(const KernelInfo& info) {
  const std::string name = info.attribute<std::string>("pixel_format", "RGB");
  PixelFormat format = PixelFormat::kRgb;
  if (name == "BGR")
    format = PixelFormat::kBgr;
  else if (name == "Grayscale")
    format = PixelFormat::kGrayscale;
  else if (name != "RGB")
    return fail(ErrorCode::kInvalidArgument, "ImageDecoder: pixel_format is '{}' and must be RGB, BGR or Grayscale",
                name);
  return std::unique_ptr<Kernel>(std::make_unique<ImageDecoder>(format));
}

constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{0, kBytes}};
constexpr KernelRow kRows[] = {
    {.opType = "ImageDecoder", .versions = {20}, .types = kRules, .create = createImageDecoder}};

}  // namespace

KernelRows kernel_image_decoder() {
  return kRows;
}

}  // namespace cutaway::cpu

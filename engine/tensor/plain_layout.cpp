#include "engine/tensor/plain_layout.h"

#include <cstring>
#include <string>

namespace cutaway {

Result<Tensor> inPlainLayout(const Tensor& from, Layout layout) {
  if (layout == Layout::kPlain) return from.clone();
  const int bits = bitsOf(from.type());
  if (from.rank() < 2 || bits % 8 != 0 || from.type() == ElementType::kString) {
    return fail(ErrorCode::kNotImplemented, "{} of {} axes has the plain layout only", elementTypeName(from.type()),
                from.rank());
  }
  CUTAWAY_TRY(Tensor to, Tensor::create(from.type(), from.dims()));
  const int64_t images = from.dims()[0], channels = from.dims()[1];
  const int64_t cells = images * channels == 0 ? 0 : from.elementCount() / (images * channels);
  const int64_t block = layout == Layout::kBlocked8 ? 8 : layout == Layout::kBlocked16 ? 16 : channels;
  const int64_t blocks = block == 0 ? 0 : (channels + block - 1) / block;
  const auto width = static_cast<size_t>(bits) / 8;
  const auto* source = static_cast<const std::byte*>(from.data());
  auto* target = static_cast<std::byte*>(to.mutableData());
  for (int64_t image = 0; image < images; ++image) {
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t first = (image * blocks + channel / block) * cells * block + channel % block;
      for (int64_t cell = 0; cell < cells; ++cell, target += width)
        std::memcpy(target, source + static_cast<size_t>(first + cell * block) * width, width);
    }
  }
  return to;
}

}  // namespace cutaway

#include "engine/operators/dims.h"

#include <algorithm>

namespace cutaway::operators {

int64_t productOf(std::span<const int64_t> dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i)
    product *= dims[i];
  return product;
}

Dims rowMajorStrides(std::span<const int64_t> dims) {
  Dims strides(dims);
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

std::span<const int64_t> dimsBetween(std::span<const int64_t> dims, int64_t start, int64_t end) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  const auto place = [rank](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t first = place(start), count = std::max<int64_t>(0, place(end) - first);
  return dims.subspan(static_cast<size_t>(first), static_cast<size_t>(count));
}

}  // namespace cutaway::operators

#include "engine/operators/dims.h"

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

}  // namespace cutaway::operators

#include "providers/cpu/kernels/indexing/index_list.h"

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/operators/gather.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

tl::unexpected<Error> outside(int64_t index, int64_t bound, int64_t place) {
  return fail(ErrorCode::kInvalidArgument, "index {} (element {} of the indices) is outside [{}, {}]", index, place,
              -bound, bound - 1);
}

template <typename Index>
Result<void> resolveAs(std::span<const Index> indices, int64_t bound, std::span<int64_t> to) {
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t index = indices[i];
    if (index < -bound || index >= bound) return outside(index, bound, static_cast<int64_t>(i));
    to[i] = index < 0 ? index + bound : index;
  }
  return {};
}

template <typename Index>
Result<void> resolveTuplesAs(const Tensor& indices, const Index* next, std::span<const int64_t> dims,
                             std::span<int64_t> to) {
  const size_t width = static_cast<size_t>(indices.dims()[indices.rank() - 1]);
  const Dims strides = rowMajorStrides(dims);
  for (size_t i = 0; i < to.size(); ++i) {
    int64_t offset = 0;
    for (size_t k = 0; k < width; ++k, ++next) {
      const int64_t index = *next;
      if (index < -dims[k] || index >= dims[k]) return outside(index, dims[k], static_cast<int64_t>(i * width + k));
      offset += (index < 0 ? index + dims[k] : index) * strides[k];
    }
    to[i] = offset;
  }
  return {};
}

}  // namespace

Result<std::span<int64_t>> scratchNumbers(KernelContext& context, int64_t count) {
  CUTAWAY_TRY(const int64_t bytes, checkedMultiply(count, sizeof(int64_t)));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(bytes)));
  return std::span<int64_t>(reinterpret_cast<int64_t*>(memory.data()), static_cast<size_t>(count));
}

Result<void> resolveIndices(const Tensor& indices, int64_t bound, std::span<int64_t> to) {
  CUTAWAY_CHECK(operators::checkIndexType(indices));
  if (indices.type() == ElementType::kInt64) return resolveAs(indices.span<int64_t>(), bound, to);
  return resolveAs(indices.span<int32_t>(), bound, to);
}

Result<void> resolveTuples(const Tensor& indices, std::span<const int64_t> dims, std::span<int64_t> to) {
  CUTAWAY_CHECK(operators::checkIndexType(indices));
  if (indices.type() == ElementType::kInt64) return resolveTuplesAs(indices, indices.span<int64_t>().data(), dims, to);
  return resolveTuplesAs(indices, indices.span<int32_t>().data(), dims, to);
}

Result<void> resolveElementOffsets(const Tensor& indices, std::span<const int64_t> dims, size_t axis,
                                   std::span<int64_t> to) {
  CUTAWAY_CHECK(operators::checkElementIndices(indices, dims, axis));
  CUTAWAY_CHECK(resolveIndices(indices, dims[axis], to));
  if (to.empty()) return {};
  const Dims strides = rowMajorStrides(dims);
  const size_t last = dims.size() - 1;
  const int64_t columns = indices.dims()[last];
  const int64_t rows = productOf(indices.dims(), 0, last);
  constexpr int64_t kGrainElements = 1 << 14;
  parallelFor(rows, std::max<int64_t>(1, kGrainElements / columns), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t base = 0;
      int64_t rest = row;
      for (size_t i = last; i-- > 0;) {
        const int64_t n = indices.dims()[i];
        if (i != axis) base += rest % n * strides[i];
        rest /= n;
      }
      int64_t* offsets = to.data() + row * columns;
      const int64_t step = axis == last ? 0 : 1;
      for (int64_t c = 0; c < columns; ++c)
        offsets[c] = base + c * step + offsets[c] * strides[axis];
    }
  });
  return {};
}

}  // namespace cutaway::cpu

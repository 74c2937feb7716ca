// GatherElements: for every place of the indices, the element that has the index as its coordinate on the axis.

#include <algorithm>
#include <atomic>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

bool fits(const Tensor& indices, const Tensor& data, size_t axis) {
  if (indices.rank() != data.rank()) return false;
  for (size_t i = 0; i < data.rank(); ++i) {
    if (i != axis && indices.dims()[i] > data.dims()[i]) return false;
  }
  return true;
}

// Resolves and reads at once. False when an index does not exist.
template <typename Word, typename Index>
bool gatherAt(const Tensor& data, const Tensor& indices, size_t axis, Tensor& output) {
  if (output.elementCount() == 0) return true;
  const Dims strides = rowMajorStrides(data.dims());
  const size_t last = data.rank() - 1;
  const int64_t bound = data.dims()[axis], stride = strides[axis], columns = indices.dims()[last],
                step = axis == last ? 0 : 1;
  const Word* from = static_cast<const Word*>(data.data());
  const Index* list = static_cast<const Index*>(indices.data());
  Word* to = static_cast<Word*>(output.mutableData());
  std::atomic<bool> failed = false;
  constexpr int64_t kGrainElements = 1 << 14;
  parallelFor(productOf(indices.dims(), 0, last), std::max<int64_t>(1, kGrainElements / columns),
              [&](int64_t begin, int64_t end) {
                bool outside = false;
                for (int64_t row = begin; row < end; ++row) {
                  int64_t base = 0;
                  for (int64_t i = static_cast<int64_t>(last), rest = row; i-- > 0;) {
                    const int64_t n = indices.dims()[static_cast<size_t>(i)];
                    if (static_cast<size_t>(i) != axis) base += rest % n * strides[static_cast<size_t>(i)];
                    rest /= n;
                  }
                  for (int64_t c = 0; c < columns; ++c) {
                    int64_t index = list[row * columns + c];
                    index = index < 0 ? index + bound : index;
                    const bool inside = static_cast<uint64_t>(index) < static_cast<uint64_t>(bound);
                    outside |= !inside;
                    to[row * columns + c] = from[base + c * step + (inside ? index : 0) * stride];
                  }
                }
                if (outside) failed = true;
              });
  return !failed;
}

using QuickGather = bool (*)(const Tensor&, const Tensor&, size_t, Tensor&);

QuickGather quickGather(int64_t elementBytes, ElementType index) {
  if (index != ElementType::kInt64 && index != ElementType::kInt32) return nullptr;
  const bool wide = index == ElementType::kInt64;
  if (elementBytes == 1) return wide ? gatherAt<uint8_t, int64_t> : gatherAt<uint8_t, int32_t>;
  if (elementBytes == 2) return wide ? gatherAt<uint16_t, int64_t> : gatherAt<uint16_t, int32_t>;
  if (elementBytes == 4) return wide ? gatherAt<uint32_t, int64_t> : gatherAt<uint32_t, int32_t>;
  if (elementBytes == 8) return wide ? gatherAt<uint64_t, int64_t> : gatherAt<uint64_t, int32_t>;
  return nullptr;
}

class GatherElementsKernel final : public Kernel {
 public:
  explicit GatherElementsKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 0)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));
    if (const auto quick = quickGather(elementBytes(data->type()), indices->type());
        quick != nullptr && data->type() != ElementType::kString && fits(*indices, *data, static_cast<size_t>(axis))) {
      CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), indices->dims()));
      if (quick(*data, *indices, static_cast<size_t>(axis), *output)) return {};
    }
    // Whole lists of places, one step after the other: every type, and the words for an index that does not exist.
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, indices->elementCount()));
    CUTAWAY_CHECK(resolveElementOffsets(*indices, data->dims(), static_cast<size_t>(axis), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), indices->dims()));
    gatherBlocks(data->type(), data->data(), offsets, 1, output->mutableData());
    return {};
  }

 private:
  int64_t m_axis;
};

constexpr KernelRow kRows[] = {
    {.opType = "GatherElements", .versions = {11}, .fastPath = "copy", .create = makeKernel<GatherElementsKernel>},
};

}  // namespace

KernelRows kernel_gather_elements() {
  return kRows;
}

}  // namespace cutaway::cpu

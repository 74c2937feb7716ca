// Shape and Size: dims as data. The input's contents are never read, so it may lie on any device.

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class ShapeKernel final : public Kernel {
 public:
  explicit ShapeKernel(const KernelInfo& info)
      : m_start(info.attribute<int64_t>("start", 0)),
        m_end(info.attribute<int64_t>("end", std::numeric_limits<int64_t>::max())) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const std::span<const int64_t> dims = operators::dimsBetween(data->dims(), m_start, m_end);
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{static_cast<int64_t>(dims.size())}));
    std::copy(dims.begin(), dims.end(), output->span<int64_t>().begin());
    return {};
  }

 private:
  int64_t m_start;
  int64_t m_end;
};

class SizeKernel final : public Kernel {
 public:
  explicit SizeKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{}));
    output->span<int64_t>()[0] = data->elementCount();
    return {};
  }
};

constexpr int kOnlyDims[] = {0};
constexpr int kOnHost[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "Shape",
     .versions = {1},
     .hostOutputs = kOnHost,
     .shapeOnlyInputs = kOnlyDims,
     .create = makeKernel<ShapeKernel>},
    {.opType = "Size",
     .versions = {1},
     .hostOutputs = kOnHost,
     .shapeOnlyInputs = kOnlyDims,
     .create = makeKernel<SizeKernel>},
};

}  // namespace

KernelRows kernel_shape() {
  return kRows;
}

}  // namespace cutaway::cpu

// Shape and Size: dims as data, in host memory. The input's contents are never read, so nothing is asked of the device.

#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

class ShapeKernel final : public GpuKernel {
 public:
  ShapeKernel(int64_t start, int64_t end) : m_start(start), m_end(end) {}
  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    const std::span<const int64_t> dims = operators::dimsBetween(data->dims(), m_start, m_end);
    CUTAWAY_TRY(Tensor * output, call.output(0, {static_cast<int64_t>(dims.size())}));
    std::copy(dims.begin(), dims.end(), output->span<int64_t>().begin());
    return {};
  }
  std::string_view variant() const override { return "host"; }

 private:
  int64_t m_start, m_end;
};

class SizeKernel final : public GpuKernel {
 public:
  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(Tensor * output, call.output(0, {}));
    output->span<int64_t>()[0] = data->elementCount();
    return {};
  }
  std::string_view variant() const override { return "host"; }
};

Result<void> checkTensor(const KernelInfo& info) {
  if (info.inputType(0).isTensor() && info.inputElement(0) != ElementType::kString) return {};
  return fail(ErrorCode::kNotImplemented, "input 0 lies in host memory: a string tensor or none at all");
}

Result<std::unique_ptr<GpuKernel>> makeShape(const KernelInfo& info) {
  CUTAWAY_CHECK(checkTensor(info));
  return std::make_unique<ShapeKernel>(info.attribute<int64_t>("start", 0),
                                       info.attribute<int64_t>("end", std::numeric_limits<int64_t>::max()));
}
Result<std::unique_ptr<GpuKernel>> makeSize(const KernelInfo& info) {
  CUTAWAY_CHECK(checkTensor(info));
  return std::make_unique<SizeKernel>();
}

constexpr int kFirst[] = {0};

}  // namespace

KernelRows kernel_sizes() {
  static constexpr KernelRow rows[] = {
      {.opType = "Shape",
       .versions = {1},
       .hostOutputs = kFirst,
       .shapeOnlyInputs = kFirst,
       .create = gpuKernel<makeShape>},
      {.opType = "Size",
       .versions = {1},
       .hostOutputs = kFirst,
       .shapeOnlyInputs = kFirst,
       .create = gpuKernel<makeSize>},
  };
  return rows;
}

}  // namespace cutaway::cuda

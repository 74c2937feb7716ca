// DynamicQuantizeLinear: the scale and zero point that map the input's own range, with zero in it, to 0..255; and the
// input mapped. Range by blocks, then scale, then bytes: nothing goes to the host.

#include "providers/cuda/functors/bytes_functors.h"
#include "providers/cuda/functors/dynamic_range_functors.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

class DynamicQuantizeKernel final : public GpuKernel {
 public:
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_range, resources.find("bytes.range"));
    CUTAWAY_TRY(m_scale, resources.find("bytes.scale"));
    CUTAWAY_TRY(m_quantize, resources.find("bytes.quantize"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    constexpr int64_t kMostBlocks = 256, kElementsOfBlock = 4096;
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    const int64_t count = x->elementCount(), blocks = std::clamp<int64_t>(count / kElementsOfBlock, 1, kMostBlocks);
    CUTAWAY_TRY(void* numbers, call.scratch(sizeof(float) * (2 * kMostBlocks + 2)));
    float *least = static_cast<float*>(numbers), *scale = least + 2 * kMostBlocks;
    auto* zero = reinterpret_cast<uint8_t*>(scale + 1);
    CUTAWAY_TRY(Tensor * y, call.output(0, x->dims()));
    if (call.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * given, call.output(1, {}));
      scale = static_cast<float*>(given->mutableData());
    }
    if (call.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * given, call.output(2, {}));
      zero = static_cast<uint8_t*>(given->mutableData());
    }
    const auto* from = static_cast<const float*>(x->data());
    CUTAWAY_CHECK(call.launch(
        m_range,
        RangePart{.x = from, .least = least, .greatest = least + kMostBlocks, .count = count, .blocks = blocks}));
    CUTAWAY_CHECK(call.launch(
        m_scale,
        RangeScale{.least = least, .greatest = least + kMostBlocks, .scale = scale, .zero = zero, .blocks = blocks}));
    if (count == 0) return {};
    return call.launch(
        m_quantize,
        QuantizeByScale{
            .x = from, .scale = scale, .zero = zero, .y = static_cast<uint8_t*>(y->mutableData()), .count = count});
  }

 private:
  DeviceKernel m_range, m_scale, m_quantize;
};

Result<std::unique_ptr<GpuKernel>> makeDynamicQuantize(const KernelInfo&) {
  return std::make_unique<DynamicQuantizeKernel>();
}

constexpr ElementType kFloat[] = {ElementType::kFloat};
constexpr TypeRule kRules[] = {{0, kFloat}};

}  // namespace

KernelRows kernel_dynamic_quantize() {
  static constexpr KernelRow rows[] = {{.opType = "DynamicQuantizeLinear",
                                        .versions = {11},
                                        .types = kRules,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeDynamicQuantize>}};
  return rows;
}

}  // namespace cutaway::cuda

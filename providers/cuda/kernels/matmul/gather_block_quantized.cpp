// com.microsoft GatherBlockQuantized: Gather over numbers of 2, 4 or 8 bits in blocks along one axis that share a scale
// and a zero point; the result is made float.

#include "engine/operators/packed_weights.h"
#include "providers/cuda/functors/nbits_functors.h"
#include "providers/cuda/kernels/matmul/byte_product.h"

namespace cutaway::cuda {
namespace {

class GatherBlocksKernel final : public GpuKernel {
 public:
  explicit GatherBlocksKernel(const operators::GatherBlockSettings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "nbits.gather"; }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("nbits.gather"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &data = *call.input(0), &indices = *call.input(1), &scales = *call.input(2);
    const Tensor* zeros = call.inputCount() > 3 ? call.input(3) : nullptr;
    CUTAWAY_TRY(const operators::GatherBlockLayout at,
                operators::gatherBlockLayout(m_settings, data, indices.dims(), scales.dims(),
                                             zeros != nullptr ? &zeros->dims() : nullptr));
    GatherBlocks p = parametersOf(at);
    p.isSigned = data.type() == ElementType::kInt4;
    p.usual = data.type() == ElementType::kUint8 ? static_cast<float>(1 << (p.bits - 1)) : 0.0f;
    p.data = static_cast<const uint8_t*>(data.data());
    p.zeros = zeros != nullptr ? static_cast<const uint8_t*>(zeros->data()) : nullptr;
    int64_t scaleCount = 0;
    CUTAWAY_CHECK(
        placeScale("GatherBlockQuantized", &scales, {scales.elementCount()}, p.scales, p.scaleType, scaleCount));
    CUTAWAY_TRY(Tensor * y, call.context().output(0, scales.type(), at.outputDims));
    p.count = y->elementCount();
    if (p.count == 0) return {};
    p.indices = indices.data();
    p.wideIndices = indices.type() == ElementType::kInt64;
    p.picks = indices.elementCount();
    p.size = at.dims[at.gatherAxis];
    p.y = y->mutableData();
    return call.launch(m_kernel, p);
  }

 private:
  static GatherBlocks parametersOf(const operators::GatherBlockLayout& at) {
    GatherBlocks p;
    p.rank = static_cast<int64_t>(at.rank);
    p.quantizeAxis = static_cast<int64_t>(at.quantizeAxis);
    p.bits = at.bits;
    p.blockSize = at.blockSize;
    p.inner = at.inner;
    for (size_t axis = 0; axis < at.rank; ++axis)
      p.dims[axis] = at.dims[axis], p.scaleStride[axis] = at.scaleStride[axis],
      p.zeroStride[axis] = at.zeroStride[axis];
    return p;
  }

  operators::GatherBlockSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeGather(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::GatherBlockSettings settings,
              operators::readGatherBlockQuantized(info.graph(), info.node()));
  return std::make_unique<GatherBlocksKernel>(settings);
}

constexpr ElementType kData[] = {ElementType::kInt4, ElementType::kUint4, ElementType::kUint8};
constexpr ElementType kIndices[] = {ElementType::kInt32, ElementType::kInt64};
constexpr ElementType kScales[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kRules[] = {{0, kData}, {1, kIndices}, {2, kScales}};

constexpr KernelRow kRows[] = {{.opType = "GatherBlockQuantized",
                                .domain = "com.microsoft",
                                .versions = {1},
                                .types = kRules,
                                .fastPath = "nbits.gather",
                                .create = gpuKernel<makeGather>}};

}  // namespace

KernelRows kernel_gather_block_quantized() {
  return kRows;
}

}  // namespace cutaway::cuda

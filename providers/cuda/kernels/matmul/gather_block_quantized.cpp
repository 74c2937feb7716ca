// com.microsoft GatherBlockQuantized: Gather over numbers of 2, 4 or 8 bits in blocks along one axis that share a scale
// and a zero point; the result is made float.

#include <bit>

#include "providers/cuda/functors/nbits_functors.h"
#include "providers/cuda/kernels/matmul/byte_product.h"

namespace cutaway::cuda {
namespace {

class GatherBlocksKernel final : public GpuKernel {
 public:
  explicit GatherBlocksKernel(const KernelInfo& info)
      : m_bits(info.attribute<int64_t>("bits", 4)),
        m_blockSize(info.attribute<int64_t>("block_size", 128)),
        m_quantizeAxis(info.attribute<int64_t>("quantize_axis", 1)),
        m_gatherAxis(info.attribute<int64_t>("gather_axis", 0)) {}
  std::string_view variant() const override { return "nbits.gather"; }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find("nbits.gather"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &data = *call.input(0), &indices = *call.input(1), &scales = *call.input(2);
    const Tensor* zeros = call.inputCount() > 3 ? call.input(3) : nullptr;
    GatherBlocks p;
    const int64_t rank = static_cast<int64_t>(data.rank()),
                  gather = m_gatherAxis < 0 ? m_gatherAxis + rank : m_gatherAxis;
    p.quantizeAxis = m_quantizeAxis < 0 ? m_quantizeAxis + rank : m_quantizeAxis;
    if (rank < 1 || rank > kMaximumRank || p.quantizeAxis < 0 || p.quantizeAxis >= rank || gather < 0 || gather >= rank)
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: quantize_axis {} and gather_axis {} of {}",
                  m_quantizeAxis, m_gatherAxis, dimsToText(data.dims()));
    CUTAWAY_CHECK(placeData(data, scales, zeros, gather, p));
    int64_t result[2 * kMaximumRank];
    size_t places = 0;
    if (indices.rank() > kMaximumRank)
      return fail(ErrorCode::kNotImplemented, "GatherBlockQuantized: indices of rank {}", indices.rank());
    for (int64_t axis = 0; axis < gather; ++axis)
      result[places++] = p.dims[axis];
    for (const int64_t dim : indices.dims())
      result[places++] = dim;
    for (int64_t axis = gather + 1; axis < rank; ++axis) {
      result[places++] = p.dims[axis];
      p.inner *= p.dims[axis];
    }
    CUTAWAY_TRY(Tensor * y, call.context().output(0, scales.type(), std::span<const int64_t>(result, places)));
    p.count = y->elementCount();
    if (p.count == 0) return {};
    p.indices = indices.data();
    p.wideIndices = indices.type() == ElementType::kInt64;
    p.picks = indices.elementCount();
    p.size = p.dims[gather];
    p.y = y->mutableData();
    return call.launch(m_kernel, p);
  }

 private:
  Result<void> placeData(const Tensor& data, const Tensor& scales, const Tensor* zeros, int64_t gather,
                         GatherBlocks& p) const {
    const bool bytes = data.type() == ElementType::kUint8;
    p.rank = static_cast<int64_t>(data.rank());
    p.bits = bytes ? static_cast<int32_t>(m_bits) : 4;
    p.isSigned = data.type() == ElementType::kInt4;
    p.usual = bytes ? static_cast<float>(1 << (p.bits - 1)) : 0.0f;
    p.blockSize = m_blockSize;
    if (bytes && (gather != 0 || (p.bits < 8 && gather == p.quantizeAxis)))
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: gather_axis {}, quantize_axis {} of packed bytes",
                  gather, p.quantizeAxis);
    if (scales.rank() != data.rank() || (zeros != nullptr && zeros->rank() != data.rank()))
      return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, the data {}",
                  dimsToText(scales.dims()), dimsToText(data.dims()));
    const int64_t perByte = bytes ? 8 / p.bits : 1;
    int64_t scaleStride = 1, zeroStride = 1;
    for (int64_t axis = p.rank - 1; axis >= 0; --axis) {
      const auto at = static_cast<size_t>(axis);
      p.dims[axis] = data.dims()[at] * (axis + 1 == p.rank ? perByte : 1);
      const int64_t wanted = axis == p.quantizeAxis ? (p.dims[axis] + p.blockSize - 1) / p.blockSize : p.dims[axis];
      if (scales.dims()[at] != wanted)
        return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: scales are {}, axis {} should be {}",
                    dimsToText(scales.dims()), axis, wanted);
      const int64_t stored = axis + 1 == p.rank ? (wanted + perByte - 1) / perByte : wanted;
      if (zeros != nullptr && zeros->dims()[at] != stored)
        return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, axis {} should be {}",
                    dimsToText(zeros->dims()), axis, stored);
      p.scaleStride[axis] = scaleStride;
      p.zeroStride[axis] = zeroStride;
      scaleStride *= wanted;
      zeroStride *= axis + 1 == p.rank ? stored * perByte : wanted;
    }
    p.data = static_cast<const uint8_t*>(data.data());
    p.zeros = zeros != nullptr ? static_cast<const uint8_t*>(zeros->data()) : nullptr;
    int64_t count = 0;
    return placeScale("GatherBlockQuantized", &scales, {scales.elementCount()}, p.scales, p.scaleType, count);
  }

  int64_t m_bits, m_blockSize, m_quantizeAxis, m_gatherAxis;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeGather(const KernelInfo& info) {
  const int64_t bits = info.attribute<int64_t>("bits", 4), blockSize = info.attribute<int64_t>("block_size", 128);
  const ElementType data = info.inputElement(0);
  if (data == ElementType::kUint8 && bits != 2 && bits != 4 && bits != 8)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: bits is {}, not 2, 4 or 8", bits);
  if (blockSize < 16 || !std::has_single_bit(static_cast<uint64_t>(blockSize)))
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: block_size is {}, not a power of two from 16 on",
                blockSize);
  if (info.hasInput(3) && info.inputElement(3) != data)
    return fail(ErrorCode::kInvalidArgument, "GatherBlockQuantized: zero_points are {}, the data {}",
                elementTypeName(info.inputElement(3)), elementTypeName(data));
  return std::make_unique<GatherBlocksKernel>(info);
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

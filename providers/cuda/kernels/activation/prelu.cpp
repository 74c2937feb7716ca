// PRelu: negative values are multiplied by a slope. Before version 7 a slope of C elements belonged to axis 1 (or one
// slope to everything); since then it broadcasts to X.

#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

class PReluKernel final : public GpuKernel {
 public:
  PReluKernel(std::string functor, bool slopePerChannel)
      : m_functor(std::move(functor)), m_slopePerChannel(slopePerChannel) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &slope = *call.input(1);
    if (slope.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "PRelu: X is {} and slope {}", elementTypeName(x.type()),
                  elementTypeName(slope.type()));
    const Dims dims = x.dims();
    CUTAWAY_TRY(const Dims slopeDims, slopeShape(dims, slope.dims()));
    CUTAWAY_TRY(const Dims together, broadcastDims({&dims, &slopeDims}));
    if (together != dims)
      return fail(ErrorCode::kInvalidArgument, "PRelu: slope {} does not broadcast to X {}", dimsToText(slopeDims),
                  dimsToText(dims));
    ElementParameters<2> p;
    p.code = static_cast<int32_t>(element::IntegerPair::kPRelu);
    p.from[0] = x.data();
    p.from[1] = slope.data();
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.to = y->mutableData();
    const int64_t bytes = bitsOf(x.type()) / 8;
    CUTAWAY_CHECK(planElements<2>(p, dims, {dims, slopeDims}, {bytes, bytes}, bytes));
    return p.packs == 0 ? Result<void>{} : call.launch(m_kernel, p);
  }

  std::string_view variant() const override { return m_functor; }

 private:
  Result<Dims> slopeShape(const Dims& dims, const Dims& slope) const {
    if (!m_slopePerChannel || slope.size() != 1 || slope[0] == 1) return slope;
    if (dims.size() < 2) return fail(ErrorCode::kInvalidArgument, "PRelu: X {} has no channel axis", dimsToText(dims));
    Dims aligned = dims;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      aligned[axis] = axis == 1 ? slope[0] : 1;
    return aligned;
  }

  std::string m_functor;
  bool m_slopePerChannel;
  DeviceKernel m_kernel;
};

template <bool slopePerChannel>
Result<std::unique_ptr<GpuKernel>> makePRelu(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  CUTAWAY_TRY(std::string functor, functorName(info, isRealFloat(type) ? "binary.pRelu" : "integer2", type));
  return std::make_unique<PReluKernel>(std::move(functor), slopePerChannel);
}

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt32,   ElementType::kInt64,
                                  ElementType::kUint32, ElementType::kUint64};
constexpr TypeRule kRules[] = {{0, kTypes}};

}  // namespace

KernelRows kernel_prelu() {
  static constexpr KernelRow rows[] = {
      {.opType = "PRelu",
       .versions = {1, 6},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makePRelu<true>>},
      {.opType = "PRelu",
       .versions = {7},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makePRelu<false>>},
  };
  return rows;
}

}  // namespace cutaway::cuda

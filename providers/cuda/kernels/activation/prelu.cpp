// PRelu: negative values are multiplied by a slope. Before version 7 a slope of C elements belonged to axis 1 (or one
// slope to everything); since then it broadcasts to X.

#include "engine/operators/activation.h"
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
    const Dims dims = x.dims();
    CUTAWAY_TRY(const Dims slopeDims, operators::alignedSlope(x, slope, m_slopePerChannel));
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
  std::string m_functor;
  bool m_slopePerChannel;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makePRelu(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  CUTAWAY_TRY(std::string functor, functorName(info, isRealFloat(type) ? "binary.pRelu" : "integer2", type));
  return std::make_unique<PReluKernel>(std::move(functor), operators::slopeIsPerChannel(info.node()));
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
       .create = gpuKernel<makePRelu>},
      {.opType = "PRelu",
       .versions = {7},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makePRelu>},
  };
  return rows;
}

}  // namespace cutaway::cuda

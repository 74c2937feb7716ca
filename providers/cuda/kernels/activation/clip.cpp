// Clip. Bounds are attributes up to version 10, inputs in host memory since 11. A lower bound above the upper one gives
// the upper bound everywhere.

#include <limits>

#include "engine/operators/activation.h"
#include "engine/tensor/narrow_float.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using Made = Result<std::unique_ptr<GpuKernel>>;

Made fromAttributes(const KernelInfo& info) {
  const operators::ClipBounds bounds = operators::readClipBounds(info.node());
  return makeFloatFunction(info, "clip", static_cast<double>(bounds.low), static_cast<double>(bounds.high));
}

double floatBound(const Tensor& bound) {
  switch (bound.type()) {
    case ElementType::kFloat:
      return static_cast<double>(bound.span<float>()[0]);
    case ElementType::kFloat16:
      return static_cast<double>(bound.span<Float16>()[0].toFloat());
    case ElementType::kBfloat16:
      return static_cast<double>(bound.span<Bfloat16>()[0].toFloat());
    default:
      return bound.span<double>()[0];
  }
}

int64_t integerBound(const Tensor& bound) {
  switch (bound.type()) {
    case ElementType::kInt8:
      return bound.span<int8_t>()[0];
    case ElementType::kUint8:
      return bound.span<uint8_t>()[0];
    case ElementType::kInt16:
      return bound.span<int16_t>()[0];
    case ElementType::kUint16:
      return bound.span<uint16_t>()[0];
    case ElementType::kInt32:
      return bound.span<int32_t>()[0];
    case ElementType::kUint32:
      return bound.span<uint32_t>()[0];
    case ElementType::kUint64:
      return static_cast<int64_t>(bound.span<uint64_t>()[0]);
    default:
      return bound.span<int64_t>()[0];
  }
}

class ClipKernel final : public GpuKernel {
 public:
  ClipKernel(std::string functor, ElementType type) : m_functor(std::move(functor)), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.type() != m_type)
      return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and got {}", elementTypeName(m_type),
                  elementTypeName(x.type()));
    ElementParameters<1> p;
    p.code = static_cast<int32_t>(element::IntegerOne::kClip);
    p.first = -std::numeric_limits<double>::infinity();
    p.second = std::numeric_limits<double>::infinity();
    const IntegerRange range = integerRange(m_type);
    p.low = range.low;
    p.high = range.high;
    CUTAWAY_CHECK(bound(call, 1, p.first, p.low));
    CUTAWAY_CHECK(bound(call, 2, p.second, p.high));
    p.from[0] = x.data();
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    p.to = y->mutableData();
    const std::array<int64_t, 1> count{x.elementCount()};
    const int64_t bytes = bitsOf(m_type) / 8;
    CUTAWAY_CHECK(planElements<1>(p, count, {count}, {bytes}, bytes));
    return p.packs == 0 ? Result<void>{} : call.launch(m_kernel, p);
  }

  std::string_view variant() const override { return m_functor; }
  // Bounds are read on the host and go into the launch's parameters.
  std::string_view notReplayable() const override {
    return m_fixedBounds ? std::string_view{} : "its bounds are read on the host";
  }
  void setFixedBounds(bool fixed) { m_fixedBounds = fixed; }

 private:
  Result<void> bound(GpuCall& call, size_t slot, double& real, int64_t& whole) const {
    const Tensor* tensor = call.input(slot);
    if (tensor == nullptr) return {};
    CUTAWAY_CHECK(operators::checkClipBound(*tensor, slot, m_type));
    if (isRealFloat(m_type))
      real = floatBound(*tensor);
    else
      whole = integerBound(*tensor);
    return {};
  }

  std::string m_functor;
  ElementType m_type;
  bool m_fixedBounds = true;
  DeviceKernel m_kernel;
};

Made fromInputs(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  CUTAWAY_TRY(std::string functor, functorName(info, isRealFloat(type) ? "unary.clip" : "integer1", type));
  auto kernel = std::make_unique<ClipKernel>(std::move(functor), type);
  kernel->setFixedBounds((!info.hasInput(1) || info.constantInput(1) != nullptr) &&
                         (!info.hasInput(2) || info.constantInput(2) != nullptr));
  return kernel;
}

constexpr int kBounds[] = {1, 2};

}  // namespace

KernelRows kernel_clip() {
  static constexpr KernelRow rows[] = {
      {.opType = "Clip",
       .versions = {1, 10},
       .types = kFloatRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<fromAttributes>},
      {.opType = "Clip",
       .versions = {11},
       .types = kNumericRules,
       .inplace = kFirstInPlace,
       .hostInputs = kBounds,
       .fastPath = "cuda",
       .create = gpuKernel<fromInputs>},
  };
  return rows;
}

}  // namespace cutaway::cuda

// Activations that opsets before 10 had: Affine, Scale, ScaledTanh, ParametricSoftplus and ThresholdedRelu-1.
//
// The first four are gain * f(slope * x) + offset with f the identity, tanh or softplus. onnx gave them no default
// attributes; those of onnxruntime hold.

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;
using Op = PointwiseOp;

struct ScaledFunction {
  std::optional<Op> inner;  // nothing: the identity
  double slope = 1, gain = 1, offset = 0;
};

template <typename T>
void scaleRun(const T* from, T* to, int64_t count, double gain, double offset) {
  const T factor = static_cast<T>(gain), addend = static_cast<T>(offset);
  for (int64_t i = 0; i < count; ++i)
    to[i] = factor * from[i] + addend;
}

// Works a chunk at a time, so that what one loop writes is still in cache for the next; in place is fine.
template <typename T>
void applyRun(const ScaledFunction& function, const T* from, T* to, int64_t count) {
  constexpr int64_t kChunk = 2048;
  for (int64_t begin = 0; begin < count; begin += kChunk) {
    const int64_t size = std::min(kChunk, count - begin);
    T* target = to + begin;
    if (!function.inner) {
      scaleRun(from + begin, target, size, function.gain, function.offset);
      continue;
    }
    scaleRun(from + begin, target, size, function.slope, 0);
    if constexpr (std::is_same_v<T, float>)
      floatLoop (*function.inner)(target, target, size, {});
    else
      scalarDoubleLoop (*function.inner)(target, target, size, {});
    if (function.gain != 1 || function.offset != 0) scaleRun(target, target, size, function.gain, function.offset);
  }
}

class ScaledActivation final : public Kernel {
 public:
  explicit ScaledActivation(const ScaledFunction& function) : m_function(function) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    const int64_t count = x.elementCount();
    constexpr int64_t kGrain = 1 << 14;
    const bool known = dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      T* to = y->template span<T>().data();
      parallelFor(count, kGrain, [&](int64_t begin, int64_t end) { apply(from + begin, to + begin, end - begin); });
    });
    if (!known) return fail(ErrorCode::kNotImplemented, "{} is not covered", elementTypeName(x.type()));
    return {};
  }

 private:
  template <typename T>
  void apply(const T* from, T* to, int64_t count) const {
    if constexpr (isHalf<T>) {
      std::array<float, kConversionRun> wide;
      for (int64_t begin = 0; begin < count; begin += kConversionRun) {
        const int64_t size = std::min(kConversionRun, count - begin);
        widenRun(from + begin, wide.data(), size);
        applyRun(m_function, wide.data(), wide.data(), size);
        narrowRun(wide.data(), to + begin, size);
      }
    } else {
      applyRun(m_function, from, to, count);
    }
  }

  ScaledFunction m_function;
};

Result<std::unique_ptr<Kernel>> make(const ScaledFunction& function) {
  return std::unique_ptr<Kernel>(std::make_unique<ScaledActivation>(function));
}

double number(const KernelInfo& info, std::string_view name, float otherwise) {
  return static_cast<double>(info.attribute<float>(name, otherwise));
}

Result<std::unique_ptr<Kernel>> affine(const KernelInfo& info) {
  return make({{}, 1, number(info, "alpha", 1), number(info, "beta", 0)});
}
Result<std::unique_ptr<Kernel>> scale(const KernelInfo& info) {
  return make({{}, 1, number(info, "scale", 1), 0});
}
Result<std::unique_ptr<Kernel>> scaledTanh(const KernelInfo& info) {
  return make({Op::kTanh, number(info, "beta", 1), number(info, "alpha", 1), 0});
}
Result<std::unique_ptr<Kernel>> parametricSoftplus(const KernelInfo& info) {
  return make({Op::kSoftplus, number(info, "beta", 1), number(info, "alpha", 1), 0});
}
Result<std::unique_ptr<Kernel>> thresholdedRelu(const KernelInfo& info) {
  return makePointwiseKernel(info, Op::kThresholdedRelu, {number(info, "alpha", 1), 0});
}

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

constexpr KernelRow row(std::string_view opType, Result<std::unique_ptr<Kernel>> (*create)(const KernelInfo&)) {
  return {.opType = opType,
          .versions = {1, 9},
          .types = kRules,
          .inplace = kFirstInPlace,
          .fastPath = "highway",
          .create = create};
}

constexpr KernelRow kRows[] = {
    row("Affine", affine),
    row("Scale", scale),
    row("ScaledTanh", scaledTanh),
    row("ParametricSoftplus", parametricSoftplus),
    row("ThresholdedRelu", thresholdedRelu),
};

}  // namespace

KernelRows kernel_withdrawn() {
  return kRows;
}

}  // namespace cutaway::cpu

#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"

#include <algorithm>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

template <typename Half>
void halfLoop(FloatLoop loop, const PointwiseParameters& parameters, const Half* from, Half* to, int64_t count) {
  float run[kConversionRun];
  for (int64_t i = 0; i < count; i += kConversionRun) {
    const int64_t length = std::min(kConversionRun, count - i);
    widenRun(from + i, run, length);
    loop(run, run, length, parameters);
    narrowRun(run, to + i, length);
  }
}

class PointwiseKernel final : public Kernel {
 public:
  PointwiseKernel(PointwiseOp op, PointwiseParameters parameters, ElementType type)
      : m_op(op), m_parameters(parameters), m_type(type) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    if (!dispatchType(FloatTypes{}, x.type(), [](auto) {}))
      return fail(ErrorCode::kInvalidArgument, "the kernel takes floats, and got {}", elementTypeName(x.type()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    runPointwise(m_op, m_parameters, x.type(), x.data(), y->mutableData(), x.elementCount());
    return {};
  }
  std::string_view variant() const override {
    return m_type != ElementType::kDouble && vectorLoop(m_op) != nullptr ? "highway" : "threads";
  }

 private:
  PointwiseOp m_op;
  PointwiseParameters m_parameters;
  ElementType m_type;  // that the model declares; only variant() asks
};

class RunKernel final : public Kernel {
 public:
  RunKernel(RunLoop loop, ElementType inputType, ElementType outputType)
      : m_loop(loop),
        m_inputType(inputType),
        m_inputBytes(bitsOf(inputType) / 8),
        m_outputBytes(bitsOf(outputType) / 8),
        m_outputType(outputType) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    if (x.type() != m_inputType)
      return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and got {}", elementTypeName(m_inputType),
                  elementTypeName(x.type()));
    CUTAWAY_TRY(Tensor * y, context.output(0, m_outputType, x.dims()));
    const auto* from = static_cast<const std::byte*>(x.data());
    auto* to = static_cast<std::byte*>(y->mutableData());
    parallelFor(x.elementCount(), 32768, [&](int64_t begin, int64_t end) {
      m_loop(from + begin * m_inputBytes, to + begin * m_outputBytes, end - begin);
    });
    return {};
  }

 private:
  RunLoop m_loop;
  ElementType m_inputType;
  int64_t m_inputBytes;
  int64_t m_outputBytes;
  ElementType m_outputType;
};

}  // namespace

void runPointwise(PointwiseOp op, const PointwiseParameters& parameters, ElementType type, const void* from, void* to,
                  int64_t count) {
  const FloatLoop loop = floatLoop(op);
  dispatchType(FloatTypes{}, type, [&]<typename T>(TypeTag<T>) {
    const T* source = static_cast<const T*>(from);
    T* target = static_cast<T*>(to);
    parallelFor(count, pointwiseGrain(op), [&](int64_t begin, int64_t end) {
      if constexpr (isHalf<T>) {
        halfLoop(loop, parameters, source + begin, target + begin, end - begin);
      } else if constexpr (std::is_same_v<T, double>) {
        scalarDoubleLoop(op)(source + begin, target + begin, end - begin, parameters);
      } else {
        loop(source + begin, target + begin, end - begin, parameters);
      }
    });
  });
}

Result<std::unique_ptr<Kernel>> makePointwiseKernel(const KernelInfo& info, PointwiseOp op,
                                                    PointwiseParameters parameters) {
  const ElementType type = info.inputElement(0);
  if (!dispatchType(FloatTypes{}, type, [](auto) {}))
    return fail(ErrorCode::kNotImplemented, "{} of {} is not covered", info.node().opType, elementTypeName(type));
  return std::make_unique<PointwiseKernel>(op, parameters, type);
}

Result<std::unique_ptr<Kernel>> makeRunKernel(RunLoop loop, ElementType inputType, ElementType outputType) {
  return std::make_unique<RunKernel>(loop, inputType, outputType);
}

}  // namespace cutaway::cpu

// Max, Min, Sum, Mean over any number of inputs: the first two into the output, then every further one onto it.
// Versions before 8 took equal shapes only, which broadcasting covers.

#include "providers/cpu/kernels/channels_last.h"
#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kNumeric = elementTypes(NumericTypes{});
constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kNumericRules[] = {{TypeRule::kAllInputs, kNumeric}};
constexpr TypeRule kFloatRules[] = {{TypeRule::kAllInputs, kFloats}};

class VariadicKernel final : public Kernel {
 public:
  VariadicKernel(BinaryDefinition fold, BinaryDefinition divide, bool mean)
      : m_fold(fold), m_divide(divide), m_mean(mean) {}

  Result<void> run(KernelContext& context) const override {
    const size_t count = context.inputCount();
    const Tensor& first = *context.input(0);
    const Dims firstDims = first.dims();
    Dims dims = firstDims;
    for (size_t slot = 0; slot < count; ++slot) {
      if (context.input(slot)->type() != m_fold.outputType)
        return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and input {} is {}",
                    elementTypeName(m_fold.outputType), slot, elementTypeName(context.input(slot)->type()));
      CUTAWAY_TRY(dims, broadcastDims({&dims, &context.input(slot)->dims()}));
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, first.type(), dims));
    if (count == 1) {
      if (y->data() != first.data())
        std::copy_n(static_cast<const std::byte*>(first.data()), first.sizeBytes(),
                    static_cast<std::byte*>(y->mutableData()));
    }
    for (size_t slot = 1; slot < count; ++slot) {
      const Tensor& next = *context.input(slot);
      const Dims nextDims = next.dims();
      CUTAWAY_CHECK(slot == 1 ? runBinary(m_fold, first, firstDims, next, nextDims, *y)
                              : runBinary(m_fold, *y, dims, next, nextDims, *y));
    }
    return m_mean && count > 1 ? divide(*y, dims, count) : Result<void>{};
  }
  std::string_view variant() const override { return m_fold.variant; }

 private:
  Result<void> divide(Tensor& y, const Dims& dims, size_t count) const {
    double storage = 0;  // one element of any of the float types
    dispatchType(FloatTypes{}, y.type(), [&]<typename T>(TypeTag<T>) {
      *reinterpret_cast<T*>(&storage) = narrow<T>(static_cast<Computed<T>>(count));
    });
    const Tensor divisor = Tensor::wrapConst(y.type(), {}, &storage);
    return runBinary(m_divide, y, dims, divisor, Dims{}, y);
  }

  BinaryDefinition m_fold;
  BinaryDefinition m_divide;
  bool m_mean;
};

template <VectorBinary vector, typename Op, typename Types>
BinaryDefinition definitionFor(ElementType type) {
  BinaryDefinition definition{.outputType = type};
  dispatchType(Types{}, type, [&]<typename T>(TypeTag<T>) {
    if constexpr (isHalf<T>) {
      definition.loop = &halfRun<&vectorBinaryRun<vector>, T>;
    } else if constexpr (std::is_same_v<T, float>) {
      definition.loop = vectorBinaryLoop(vector);
      definition.variant = "highway";
    } else {
      definition.loop = &binaryRun<Op, T>;
    }
  });
  return definition;
}

template <VectorBinary vector, typename Op, typename Types, bool mean = false>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), info.inputCount()));
  const ElementType type = operators::commonInputType(info.graph(), info.node(), info.inputCount());
  const BinaryDefinition fold = definitionFor<vector, Op, Types>(type);
  if (fold.loop == nullptr)
    return fail(ErrorCode::kNotImplemented, "{} of {} is not covered", info.node().opType, elementTypeName(type));
  return inChannelsLastOrder(
      std::make_unique<VariadicKernel>(fold, definitionFor<VectorBinary::kDiv, DivElement, FloatTypes>(type), mean),
      info);
}

}  // namespace

KernelRows kernel_variadic() {
  static constexpr KernelRow rows[] = {
      {.opType = "Max",
       .versions = {1},
       .types = kNumericRules,
       .inplace = kEitherInPlace,
       .fastPath = "highway",
       .create = create<VectorBinary::kMax, MaxElement, NumericTypes>},
      {.opType = "Min",
       .versions = {1},
       .types = kNumericRules,
       .inplace = kEitherInPlace,
       .fastPath = "highway",
       .create = create<VectorBinary::kMin, MinElement, NumericTypes>},
      {.opType = "Sum",
       .versions = {1},
       .types = kFloatRules,
       .inplace = kEitherInPlace,
       .fastPath = "highway",
       .create = create<VectorBinary::kAdd, AddElement, FloatTypes>},
      {.opType = "Mean",
       .versions = {1},
       .types = kFloatRules,
       .inplace = kEitherInPlace,
       .fastPath = "highway",
       .create = create<VectorBinary::kAdd, AddElement, FloatTypes, true>},
  };
  return rows;
}

}  // namespace cutaway::cpu

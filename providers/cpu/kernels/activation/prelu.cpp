// PRelu: negative values are multiplied by a slope. Before version 7 a slope of C elements belonged to axis 1 (or one
// slope to everything); since then it broadcasts to X.

#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"

namespace cutaway {

namespace {

using namespace cpu;

using Types = Join<FloatTypes, TypeList<int32_t, int64_t, uint32_t, uint64_t>>;
constexpr auto kTypes = elementTypes(Types{});
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};

struct PReluElement {
  template <typename T>
  static T apply(T x, T slope) {
    return x < 0 ? MulElement::apply(x, slope) : x;
  }
};

class PReluKernel final : public Kernel {
 public:
  PReluKernel(BinaryDefinition definition, bool slopePerChannel)
      : m_definition(definition), m_slopePerChannel(slopePerChannel) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor& slope = *context.input(1);
    if (x.type() != m_definition.outputType || slope.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "PRelu: X is {} and slope {}", elementTypeName(x.type()),
                  elementTypeName(slope.type()));
    const Dims dims = x.dims();
    Dims slopeDims = slope.dims();
    if (m_slopePerChannel && slope.rank() == 1 && slopeDims[0] != 1) {
      if (dims.size() < 2)
        return fail(ErrorCode::kInvalidArgument, "PRelu: X {} has no channel axis", dimsToText(dims));
      Dims aligned = dims;
      for (size_t axis = 0; axis < dims.size(); ++axis)
        aligned[axis] = axis == 1 ? slopeDims[0] : 1;
      slopeDims = aligned;
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), dims));
    if (slopeDims.size() > dims.size())
      return fail(ErrorCode::kInvalidArgument, "PRelu: slope {} does not broadcast to X {}", dimsToText(slopeDims),
                  dimsToText(dims));
    return runBinary(m_definition, x, dims, slope, slopeDims, *y);
  }
  std::string_view variant() const override { return m_definition.variant; }

 private:
  BinaryDefinition m_definition;
  bool m_slopePerChannel;
};

template <bool slopePerChannel>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  BinaryDefinition definition{.outputType = info.inputElement(0)};
  dispatchType(Types{}, info.inputElement(0), [&]<typename T>(TypeTag<T>) {
    if constexpr (isHalf<T>) {
      definition.loop = &halfRun<&vectorBinaryRun<VectorBinary::kPRelu>, T>;
    } else if constexpr (std::is_same_v<T, float>) {
      definition.loop = vectorBinaryLoop(VectorBinary::kPRelu);
      definition.variant = "highway";
    } else {
      definition.loop = &binaryRun<PReluElement, T>;
    }
  });
  if (definition.loop == nullptr)
    return fail(ErrorCode::kNotImplemented, "PRelu of {} is not covered", elementTypeName(info.inputElement(0)));
  return std::make_unique<PReluKernel>(definition, slopePerChannel);
}

}  // namespace

KernelRows kernel_prelu() {
  static constexpr KernelRow rows[] = {
      {.opType = "PRelu",
       .versions = {1, 6},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create<true>},
      {.opType = "PRelu",
       .versions = {7},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create<false>},
  };
  return rows;
}

}  // namespace cutaway

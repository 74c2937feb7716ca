// PRelu: negative values are multiplied by a slope. Before version 7 a slope of C elements belonged to axis 1 (or one
// slope to everything); since then it broadcasts to X.

#include "engine/operators/activation.h"
#include "providers/cpu/kernels/channels_last.h"
#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"

namespace cutaway::cpu {

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
    if (x.type() != m_definition.outputType)
      return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and X is {}",
                  elementTypeName(m_definition.outputType), elementTypeName(x.type()));
    const Dims dims = x.dims();
    CUTAWAY_TRY(const Dims slopeDims, operators::alignedSlope(x, slope, m_slopePerChannel));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), dims));
    return runBinary(m_definition, x, dims, slope, slopeDims, *y);
  }
  std::string_view variant() const override { return m_definition.variant; }

 private:
  BinaryDefinition m_definition;
  bool m_slopePerChannel;
};

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
  return inChannelsLastOrder(std::make_unique<PReluKernel>(definition, operators::slopeIsPerChannel(info.node())),
                             info);
}

}  // namespace

KernelRows kernel_prelu() {
  static constexpr KernelRow rows[] = {
      {.opType = "PRelu",
       .versions = {1, 6},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create},
      {.opType = "PRelu",
       .versions = {7},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create},
  };
  return rows;
}

}  // namespace cutaway::cpu

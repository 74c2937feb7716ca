// Add, Sub, Mul, Div. Versions 1 and 6 broadcast only when asked to.

#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

// Wrapping arithmetic gives the same bits for signed and unsigned elements: one loop a width.
template <typename Op>
BinaryLoop wrappingLoop(ElementType type) {
  switch (bitsOf(type)) {
    case 8:
      return &binaryRun<Op, uint8_t>;
    case 16:
      return &binaryRun<Op, uint16_t>;
    case 32:
      return &binaryRun<Op, uint32_t>;
    default:
      return &binaryRun<Op, uint64_t>;
  }
}

template <VectorBinary vector, typename Op>
BinaryLoop floatLoopFor(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return vectorBinaryLoop(vector);
    case ElementType::kDouble:
      return &binaryRun<Op, double>;
    case ElementType::kFloat16:
      return &halfRun<&vectorBinaryRun<vector>, Float16>;
    case ElementType::kBfloat16:
      return &halfRun<&vectorBinaryRun<vector>, Bfloat16>;
    default:
      return nullptr;
  }
}

template <VectorBinary vector, typename Op, bool legacy>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const ElementType type = commonElementType(info);
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  BinaryDefinition definition{.outputType = type, .failure = "division by zero"};
  if (!isInteger(type)) {
    definition.loop = floatLoopFor<vector, Op>(type);
    definition.variant = type == ElementType::kDouble ? "threads" : "highway";
  } else if constexpr (vector == VectorBinary::kDiv) {
    dispatchType(IntegerTypes{}, type,
                 [&]<typename T>(TypeTag<T>) { definition.loop = &checkedRun<IntegerDivide, T>; });
  } else {
    definition.loop = wrappingLoop<Op>(type);
  }
  return makeBinaryKernel(info, definition, legacy);
}

template <VectorBinary vector, typename Op, bool legacy>
constexpr KernelRow row(std::string_view opType) {
  return {.opType = opType,
          .versions = legacy ? VersionSpan{1, 6} : VersionSpan{7},
          .types = kRules,
          .inplace = kEitherInPlace,
          .fastPath = "highway",
          .create = create<vector, Op, legacy>};
}

}  // namespace

KernelRows kernel_arithmetic() {
  static constexpr KernelRow rows[] = {
      row<VectorBinary::kAdd, AddElement, true>("Add"), row<VectorBinary::kAdd, AddElement, false>("Add"),
      row<VectorBinary::kSub, SubElement, true>("Sub"), row<VectorBinary::kSub, SubElement, false>("Sub"),
      row<VectorBinary::kMul, MulElement, true>("Mul"), row<VectorBinary::kMul, MulElement, false>("Mul"),
      row<VectorBinary::kDiv, DivElement, true>("Div"), row<VectorBinary::kDiv, DivElement, false>("Div"),
  };
  return rows;
}

}  // namespace cutaway::cpu

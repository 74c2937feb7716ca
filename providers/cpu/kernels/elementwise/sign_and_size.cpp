// Abs, Neg, Sign over every numeric type. The smallest signed integer is its own negative and size: arithmetic wraps.

#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Op = PointwiseOp;

constexpr auto kNumeric = elementTypes(NumericTypes{});
constexpr auto kSigned = elementTypes(Join<SignedIntegers, FloatTypes>{});
constexpr TypeRule kNumericRules[] = {{0, kNumeric}};
constexpr TypeRule kSignedRules[] = {{0, kSigned}};

template <Op op, typename T>
T element(T x) {
  if constexpr (op == Op::kSign) return static_cast<T>((x > 0) - (x < 0));
  if constexpr (op == Op::kNeg) return SubElement::apply(T{0}, x);
  if constexpr (std::is_signed_v<T>) return x < 0 ? SubElement::apply(T{0}, x) : x;
  return x;
}

template <Op op, typename T>
void loop(const void* from, void* to, int64_t count) {
  const T* source = static_cast<const T*>(from);
  T* target = static_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = element<op>(source[i]);
}

template <Op op>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  RunLoop chosen = nullptr;
  dispatchType(IntegerTypes{}, type, [&]<typename T>(TypeTag<T>) { chosen = loop<op, T>; });
  return chosen != nullptr ? makeRunKernel(chosen, type, type) : makePointwiseKernel(info, op);
}

}  // namespace

KernelRows kernel_sign_and_size() {
  static constexpr KernelRow rows[] = {
      {.opType = "Abs",
       .versions = {1},
       .types = kNumericRules,
       .inplace = kFirstInPlace,
       .fastPath = "highway",
       .create = create<Op::kAbs>},
      {.opType = "Neg",
       .versions = {1},
       .types = kSignedRules,
       .inplace = kFirstInPlace,
       .fastPath = "highway",
       .create = create<Op::kNeg>},
      {.opType = "Sign",
       .versions = {9},
       .types = kNumericRules,
       .inplace = kFirstInPlace,
       .fastPath = "threads",
       .create = create<Op::kSign>},
  };
  return rows;
}

}  // namespace cutaway::cpu

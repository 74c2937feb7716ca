// Functions of one float: exponentials, roots, rounding, trigonometry.

#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Op = PointwiseOp;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

template <Op op>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return makePointwiseKernel(info, op);
}

template <Op op>
constexpr KernelRow row(std::string_view opType, int32_t first) {
  return {.opType = opType,
          .versions = {first},
          .types = kRules,
          .inplace = kFirstInPlace,
          .fastPath = "highway",
          .create = create<op>};
}

}  // namespace

KernelRows kernel_unary_math() {
  static constexpr KernelRow rows[] = {
      row<Op::kExp>("Exp", 1),      row<Op::kLog>("Log", 1),
      row<Op::kSqrt>("Sqrt", 1),    row<Op::kReciprocal>("Reciprocal", 1),
      row<Op::kFloor>("Floor", 1),  row<Op::kCeil>("Ceil", 1),
      row<Op::kRound>("Round", 11), row<Op::kErf>("Erf", 9),
      row<Op::kSin>("Sin", 7),      row<Op::kCos>("Cos", 7),
      row<Op::kTan>("Tan", 7),      row<Op::kAsin>("Asin", 7),
      row<Op::kAcos>("Acos", 7),    row<Op::kAtan>("Atan", 7),
      row<Op::kSinh>("Sinh", 9),    row<Op::kCosh>("Cosh", 9),
      row<Op::kAsinh>("Asinh", 9),  row<Op::kAcosh>("Acosh", 9),
      row<Op::kAtanh>("Atanh", 9),
  };
  return rows;
}

}  // namespace cutaway::cpu

// And, Or, Xor, Not over bool. Bytes are read as numbers: a model's file may hold other values than 0 and 1.

#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using element::BoolPair;

template <BoolPair code, bool legacy>
Result<std::unique_ptr<GpuKernel>> makeBool(const KernelInfo& info) {
  return makeTwo(info, {.functor = "bool2",
                        .output = ElementType::kBool,
                        .code = static_cast<int32_t>(code),
                        .legacyBroadcast = legacy});
}
Result<std::unique_ptr<GpuKernel>> makeNot(const KernelInfo& info) {
  return makeOne(info, {.functor = "bool1.not", .output = ElementType::kBool});
}

constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, kBoolTypes}};

template <BoolPair code, bool legacy>
constexpr KernelRow row(std::string_view opType) {
  return {.opType = opType,
          .versions = legacy ? VersionSpan{1, 6} : VersionSpan{7},
          .types = kRules,
          .inplace = kEitherInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeBool<code, legacy>>};
}

}  // namespace

KernelRows kernel_boolean() {
  static constexpr KernelRow rows[] = {
      row<BoolPair::kAnd, true>("And"),
      row<BoolPair::kAnd, false>("And"),
      row<BoolPair::kOr, true>("Or"),
      row<BoolPair::kOr, false>("Or"),
      row<BoolPair::kXor, true>("Xor"),
      row<BoolPair::kXor, false>("Xor"),
      {.opType = "Not",
       .versions = {1},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeNot>},
  };
  return rows;
}

}  // namespace cutaway::cuda

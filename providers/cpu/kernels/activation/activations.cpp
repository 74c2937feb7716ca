// The smooth and piecewise activations that exist for floats only: one PointwiseOp each.

#include "engine/operators/activation.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Op = PointwiseOp;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

template <Op op>
Result<std::unique_ptr<Kernel>> plain(const KernelInfo& info) {
  return makePointwiseKernel(info, op);
}

template <Op op>
Result<std::unique_ptr<Kernel>> withParameters(const KernelInfo& info) {
  const auto [alpha, beta] = operators::functionParameters(info.node());
  return makePointwiseKernel(info, op, {alpha, beta});
}

Result<std::unique_ptr<Kernel>> gelu(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::ElementFunction function, operators::geluFunction(info.node()));
  return makePointwiseKernel(info, function == operators::ElementFunction::kGeluTanh ? Op::kGeluTanh : Op::kGelu);
}

KernelRow row(std::string_view opType, VersionSpan versions,
              Result<std::unique_ptr<Kernel>> (*create)(const KernelInfo&), std::string_view fastPath = "highway") {
  return {.opType = opType,
          .versions = versions,
          .types = kRules,
          .inplace = kFirstInPlace,
          .fastPath = fastPath,
          .create = create};
}

}  // namespace

KernelRows kernel_activations() {
  static const KernelRow rows[] = {
      row("LeakyRelu", {1}, withParameters<Op::kLeakyRelu>),
      row("Elu", {1}, withParameters<Op::kElu>),
      row("Selu", {1, 5}, withParameters<Op::kSelu>),
      row("Selu", {6}, withParameters<Op::kSelu>),
      row("Celu", {12}, withParameters<Op::kCelu>),
      row("ThresholdedRelu", {10}, withParameters<Op::kThresholdedRelu>),
      row("Sigmoid", {1}, plain<Op::kSigmoid>),
      row("HardSigmoid", {1}, withParameters<Op::kHardSigmoid>),
      row("HardSwish", {14}, plain<Op::kHardSwish>),
      row("Swish", {24}, withParameters<Op::kSwish>),
      row("Mish", {18}, plain<Op::kMish>),
      row("Softplus", {1}, plain<Op::kSoftplus>),
      row("Softsign", {1}, plain<Op::kSoftsign>),
      row("Tanh", {1}, plain<Op::kTanh>),
      row("Gelu", {20}, gelu),
  };
  return rows;
}

}  // namespace cutaway::cpu

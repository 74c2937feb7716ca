// The smooth and piecewise activations that exist for floats only: one PointwiseOp each, parameters from attributes.

#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway {

namespace {

using namespace cpu;
using Op = PointwiseOp;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

template <Op op>
Result<std::unique_ptr<Kernel>> plain(const KernelInfo& info) {
  return makePointwiseKernel(info, op);
}

Result<std::unique_ptr<Kernel>> withAlphaBeta(const KernelInfo& info, Op op, std::string_view first, float alpha,
                                              std::string_view second = "", float beta = 0) {
  return makePointwiseKernel(info, op,
                             {info.attribute(first, alpha), second.empty() ? 0 : info.attribute(second, beta)});
}

Result<std::unique_ptr<Kernel>> leakyRelu(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kLeakyRelu, "alpha", 0.01f);
}
Result<std::unique_ptr<Kernel>> elu(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kElu, "alpha", 1.0f);
}
Result<std::unique_ptr<Kernel>> celu(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kCelu, "alpha", 1.0f);
}
Result<std::unique_ptr<Kernel>> thresholdedRelu(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kThresholdedRelu, "alpha", 1.0f);
}
Result<std::unique_ptr<Kernel>> swish(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kSwish, "alpha", 1.0f);
}
Result<std::unique_ptr<Kernel>> hardSigmoid(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kHardSigmoid, "alpha", 0.2f, "beta", 0.5f);
}
// Version 1 wrote its defaults with four decimals.
Result<std::unique_ptr<Kernel>> selu1(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kSelu, "alpha", 1.6732f, "gamma", 1.0507f);
}
Result<std::unique_ptr<Kernel>> selu(const KernelInfo& info) {
  return withAlphaBeta(info, Op::kSelu, "alpha", 1.67326319217681884765625f, "gamma", 1.05070102214813232421875f);
}

Result<std::unique_ptr<Kernel>> gelu(const KernelInfo& info) {
  const std::string mode = info.attribute<std::string>("approximate", "none");
  if (mode != "none" && mode != "tanh")
    return fail(ErrorCode::kInvalidArgument, "Gelu: approximate is '{}', not none or tanh", mode);
  return makePointwiseKernel(info, mode == "tanh" ? Op::kGeluTanh : Op::kGelu);
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
      row("LeakyRelu", {1}, leakyRelu),
      row("Elu", {1}, elu),
      row("Selu", {1, 5}, selu1),
      row("Selu", {6}, selu),
      row("Celu", {12}, celu),
      row("ThresholdedRelu", {10}, thresholdedRelu),
      row("Sigmoid", {1}, plain<Op::kSigmoid>),
      row("HardSigmoid", {1}, hardSigmoid),
      row("HardSwish", {14}, plain<Op::kHardSwish>),
      row("Swish", {24}, swish),
      row("Mish", {18}, plain<Op::kMish>),
      row("Softplus", {1}, plain<Op::kSoftplus>),
      row("Softsign", {1}, plain<Op::kSoftsign>),
      row("Tanh", {1}, plain<Op::kTanh>),
      row("Gelu", {20}, gelu),
  };
  return rows;
}

}  // namespace cutaway

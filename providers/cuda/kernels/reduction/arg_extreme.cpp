// ArgMax and ArgMin: the position of the largest or smallest element along one axis.

#include "engine/operators/reduction.h"
#include "providers/cuda/functors/arg_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt8,    ElementType::kUint8,
                                  ElementType::kInt16,  ElementType::kUint16,  ElementType::kInt32,
                                  ElementType::kUint32, ElementType::kInt64,   ElementType::kUint64};
constexpr TypeRule kRules[] = {{0, kTypes}};

class ArgKernel final : public GpuKernel {
 public:
  explicit ArgKernel(const KernelInfo& info)
      : m_settings(operators::readArgExtreme(info.node())),
        m_largest(info.node().opType == "ArgMax"),
        m_functor(fmt::format("arg.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const operators::ArgExtremeSizes sizes, operators::argExtremeSizes(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, sizes.outputDims));
    if (sizes.outputs == 0) return {};
    ArgParameters p{.x = x.data(),
                    .y = y->mutableData(),
                    .outputs = sizes.outputs,
                    .length = sizes.length,
                    .inner = sizes.inner,
                    .largest = m_largest,
                    .last = m_settings.selectLast};
    if (p.length > 0x7fffffff)
      return fail(ErrorCode::kNotImplemented, "an axis of {} elements: places are 31 bits wide", p.length);
    p.path = p.inner > 1 ? ArgPath::kColumns : p.length <= 1024 && p.outputs >= 8 ? ArgPath::kWarps : ArgPath::kBlocks;
    p.threads = p.length <= 1024 ? 64 : p.length <= 16384 ? 256 : 1024;
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  operators::ArgExtremeSettings m_settings;
  bool m_largest;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeArg(const KernelInfo& info) {
  return std::make_unique<ArgKernel>(info);
}

}  // namespace

KernelRows kernel_arg_extreme() {
  static constexpr KernelRow rows[] = {
      {.opType = "ArgMax", .versions = {1}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeArg>},
      {.opType = "ArgMin", .versions = {1}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeArg>},
  };
  return rows;
}

}  // namespace cutaway::cuda

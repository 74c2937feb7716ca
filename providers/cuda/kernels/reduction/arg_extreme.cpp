// ArgMax and ArgMin: the position of the largest or smallest element along one axis.

#include "providers/cuda/functors/arg_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/reduction/reduction_layout.h"

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
      : m_axis(info.attribute<int64_t>("axis", 0)),
        m_keepDims(info.attribute<int64_t>("keepdims", 1) != 0),
        m_last(info.attribute<int64_t>("select_last_index", 0) != 0),
        m_largest(info.node().opType == "ArgMax"),
        m_functor(fmt::format("arg.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const bool scalar = x.rank() == 0;
    const int64_t rank = scalar ? 1 : static_cast<int64_t>(x.rank());
    if (m_axis < -rank || m_axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", m_axis, x.rank());
    const size_t axis = static_cast<size_t>(m_axis < 0 ? m_axis + rank : m_axis);
    const int64_t axes[] = {static_cast<int64_t>(axis)};
    CUTAWAY_TRY(const ReductionLayout layout, ReductionLayout::make(x.dims(), axes, scalar, m_keepDims));
    CUTAWAY_TRY(Tensor * y, call.output(0, layout.outputDims));
    if (layout.outputs == 0) return {};
    ArgParameters p{.x = x.data(),
                    .y = y->mutableData(),
                    .outputs = layout.outputs,
                    .length = scalar ? 1 : x.dims()[axis],
                    .largest = m_largest,
                    .last = m_last};
    if (p.length == 0)
      return fail(ErrorCode::kInvalidArgument, "axis {} of {} is empty: it has no extreme", m_axis,
                  dimsToText(x.dims()));
    if (p.length > 0x7fffffff)
      return fail(ErrorCode::kNotImplemented, "an axis of {} elements: places are 31 bits wide", p.length);
    for (size_t i = axis + 1; i < x.rank(); ++i)
      p.inner *= x.dims()[i];
    p.path = p.inner > 1 ? ArgPath::kColumns : p.length <= 1024 && p.outputs >= 8 ? ArgPath::kWarps : ArgPath::kBlocks;
    p.threads = p.length <= 1024 ? 64 : p.length <= 16384 ? 256 : 1024;
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  int64_t m_axis;
  bool m_keepDims;
  bool m_last;
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

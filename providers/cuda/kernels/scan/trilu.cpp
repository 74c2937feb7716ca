// Trilu: the upper or lower triangle of matrices, zeros elsewhere.

#include "providers/cuda/functors/scan_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};
constexpr int kDiagonalOnHost[] = {1};

class TriluKernel final : public GpuKernel {
 public:
  TriluKernel(const KernelInfo& info, std::string functor)
      : m_functor(std::move(functor)), m_upper(info.attribute<int64_t>("upper", 1) != 0) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    if (x.rank() < 2)
      return fail(ErrorCode::kInvalidArgument, "Trilu needs matrices, the input is {}", dimsToText(x.dims()));
    TriluParameters p{.x = x.data(),
                      .count = x.elementCount(),
                      .rows = x.dims()[x.rank() - 2],
                      .columns = x.dims()[x.rank() - 1],
                      .upper = m_upper};
    if (const Tensor* k = call.inputCount() > 1 ? call.input(1) : nullptr; k != nullptr) {
      if (k->type() != ElementType::kInt64 || k->elementCount() != 1)
        return fail(ErrorCode::kInvalidArgument, "k is one int64");
      p.diagonal = std::clamp(k->span<int64_t>()[0], -p.rows, p.columns);
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (p.count == 0) return {};
    p.y = y->mutableData();
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  bool m_upper;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeTrilu(const KernelInfo& info) {
  if (functorType(info.inputElement(0)) == nullptr)
    return fail(ErrorCode::kNotImplemented, "Trilu of {}", elementTypeName(info.inputElement(0)));
  return std::make_unique<TriluKernel>(info, fmt::format("trilu.uint{}", bitsOf(info.inputElement(0))));
}

}  // namespace

KernelRows kernel_trilu() {
  static constexpr KernelRow rows[] = {
      {.opType = "Trilu",
       .versions = {14},
       .inplace = kOverInput,
       .hostInputs = kDiagonalOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeTrilu>},
      {.opType = "Trilu",
       .domain = "com.microsoft",
       .versions = {1},
       .inplace = kOverInput,
       .hostInputs = kDiagonalOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeTrilu>},
  };
  return rows;
}

}  // namespace cutaway::cuda

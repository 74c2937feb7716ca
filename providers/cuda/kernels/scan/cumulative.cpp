// CumSum and CumProd along an axis that is an input; inclusive or exclusive, forwards or in reverse. Halves are summed
// in float, integers wrap.

#include "engine/operators/integer_list.h"
#include "providers/cuda/functors/scan_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt32,   ElementType::kInt64,
                                  ElementType::kUint32, ElementType::kUint64};
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};
constexpr int kAxisInput[] = {1};

class CumulativeKernel final : public GpuKernel {
 public:
  explicit CumulativeKernel(const KernelInfo& info)
      : m_functor(fmt::format("scan.{}", functorType(info.inputElement(0)))),
        m_exclusive(info.attribute<int64_t>("exclusive", 0) != 0),
        m_reverse(info.attribute<int64_t>("reverse", 0) != 0),
        m_product(info.node().opType == "CumProd") {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const size_t axis, operators::readAxis(*call.input(1), x.rank()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (x.elementCount() == 0) return {};
    ScanParameters p{.x = x.data(),
                     .y = y->mutableData(),
                     .length = x.dims()[axis],
                     .exclusive = m_exclusive,
                     .reverse = m_reverse,
                     .product = m_product};
    for (size_t i = axis + 1; i < x.rank(); ++i)
      p.inner *= x.dims()[i];
    p.lines = x.elementCount() / p.length;
    // Few long lines are worth a block each, wherever they lie.
    p.rows = p.length > 32 && (p.inner == 1 || p.lines < 4096);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  bool m_exclusive, m_reverse, m_product;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeCumulative(const KernelInfo& info) {
  return std::make_unique<CumulativeKernel>(info);
}

}  // namespace

KernelRows kernel_cumulative() {
  static constexpr KernelRow rows[] = {
      {.opType = "CumSum",
       .versions = {11},
       .types = kRules,
       .inplace = kOverInput,
       .hostInputs = kAxisInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeCumulative>},
      {.opType = "CumProd",
       .versions = {26},
       .types = kRules,
       .inplace = kOverInput,
       .hostInputs = kAxisInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeCumulative>},
  };
  return rows;
}

}  // namespace cutaway::cuda

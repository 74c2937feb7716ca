// Scatter, ScatterElements and ScatterND: a copy of the input with some elements replaced by, or combined with,
// updates. Later updates come after earlier ones.

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/indexing/scatter_reduction.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ScatterElementsKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const ScatterReduction reduction, operators::scatterReductionOf(info.node()));
    return std::unique_ptr<Kernel>(
        std::make_unique<ScatterElementsKernel>(info.attribute<int64_t>("axis", 0), reduction));
  }
  ScatterElementsKernel(int64_t axis, ScatterReduction reduction) : m_axis(axis), m_reduction(reduction) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* updates, requireTensor(context, 2));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));
    CUTAWAY_CHECK(operators::checkScatterElements(*data, *indices, *updates));
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, indices->elementCount()));
    CUTAWAY_CHECK(resolveElementOffsets(*indices, data->dims(), static_cast<size_t>(axis), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
    moveElements(data->type(), data->data(), output->mutableData(), data->elementCount());
    return scatterInto(data->type(), m_reduction, updates->data(), offsets, 1, output->mutableData());
  }

 private:
  int64_t m_axis;
  ScatterReduction m_reduction;
};

class ScatterNdKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const ScatterReduction reduction, operators::scatterReductionOf(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<ScatterNdKernel>(reduction));
  }
  explicit ScatterNdKernel(ScatterReduction reduction) : m_reduction(reduction) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* updates, requireTensor(context, 2));
    CUTAWAY_TRY(const operators::TupleScatter placed, operators::placeTupleScatter(*data, *indices, *updates));
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, placed.tuples));
    CUTAWAY_CHECK(resolveTuples(*indices, data->dims(), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
    moveElements(data->type(), data->data(), output->mutableData(), data->elementCount());
    return scatterInto(data->type(), m_reduction, updates->data(), offsets, placed.sliceCells, output->mutableData());
  }

 private:
  ScatterReduction m_reduction;
};

constexpr InplaceHint kInplace[] = {{0, 0, AliasKind::kMayInplace}};
constexpr KernelRow kRows[] = {
    {.opType = "Scatter",
     .versions = {9},
     .inplace = kInplace,
     .fastPath = "copy",
     .create = ScatterElementsKernel::create},
    {.opType = "ScatterElements",
     .versions = {11},
     .inplace = kInplace,
     .fastPath = "copy",
     .create = ScatterElementsKernel::create},
    {.opType = "ScatterND",
     .versions = {11},
     .inplace = kInplace,
     .fastPath = "copy",
     .create = ScatterNdKernel::create},
};

}  // namespace

KernelRows kernel_scatter() {
  return kRows;
}

}  // namespace cutaway::cpu

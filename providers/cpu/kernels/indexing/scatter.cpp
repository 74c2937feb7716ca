// Scatter, ScatterElements and ScatterND: a copy of the input with some elements replaced by, or combined with,
// updates. Later updates come after earlier ones.

#include <cstring>

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

// Slices that lie side by side in the updates and in the data.
struct SliceRun {
  int64_t offset = 0;  // of the first in the data, elements
  int64_t slices = 0;
};

// An assignment to a part of a tensor (x[:, a:b] = y) is written as ScatterND whose constant indices name every
// element: few long runs. Empty: there are no few. runDims: of the data they are for.
std::vector<SliceRun> constantRuns(const KernelInfo& info, Dims& runDims) {
  const Tensor* indices = info.constantInput(1);
  const ValueType& data = info.inputType(0);
  if (indices == nullptr || indices->rank() == 0 || data.element == ElementType::kString || !data.shape) return {};
  const auto dims = data.shape->staticDims();
  const int64_t width = indices->dims()[indices->rank() - 1];
  if (!dims || width < 1 || width > static_cast<int64_t>(dims->size())) return {};
  std::vector<int64_t> offsets(static_cast<size_t>(indices->elementCount() / width));
  if (!resolveTuples(*indices, *dims, offsets)) return {};  // said at run time
  const int64_t sliceCells = productOf(*dims, static_cast<size_t>(width), dims->size());
  std::vector<SliceRun> runs;
  for (const int64_t offset : offsets) {
    if (!runs.empty() && runs.back().offset + runs.back().slices * sliceCells == offset) {
      ++runs.back().slices;
    } else {
      runs.push_back({offset, 1});
    }
  }
  constexpr size_t kShortRun = 4;
  if (runs.size() * kShortRun > offsets.size()) return {};
  runDims = Dims(std::span<const int64_t>(*dims));
  return runs;
}

class ScatterNdKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const ScatterReduction reduction, operators::scatterReductionOf(info.node()));
    auto kernel = std::make_unique<ScatterNdKernel>(reduction);
    if (reduction == ScatterReduction::kNone) kernel->m_runs = constantRuns(info, kernel->m_dims);
    return std::unique_ptr<Kernel>(std::move(kernel));
  }
  explicit ScatterNdKernel(ScatterReduction reduction) : m_reduction(reduction) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* updates, requireTensor(context, 2));
    CUTAWAY_TRY(const operators::TupleScatter placed, operators::placeTupleScatter(*data, *indices, *updates));
    if (!m_runs.empty() && data->dims() == m_dims) {
      CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
      moveElements(data->type(), data->data(), output->mutableData(), data->elementCount());
      copyRuns(*updates, placed.sliceCells, *output);
      return {};
    }
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, placed.tuples));
    CUTAWAY_CHECK(resolveTuples(*indices, data->dims(), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), data->dims()));
    moveElements(data->type(), data->data(), output->mutableData(), data->elementCount());
    return scatterInto(data->type(), m_reduction, updates->data(), offsets, placed.sliceCells, output->mutableData());
  }

 private:
  void copyRuns(const Tensor& updates, int64_t sliceCells, Tensor& output) const {
    if (output.elementCount() == 0 || updates.elementCount() == 0) return;
    const int64_t unit = bitsOf(output.type()) / 8;
    const auto* from = static_cast<const std::byte*>(updates.data());
    auto* to = static_cast<std::byte*>(output.mutableData());
    for (const SliceRun& run : m_runs) {
      const int64_t bytes = run.slices * sliceCells * unit;
      std::memcpy(to + run.offset * unit, from, static_cast<size_t>(bytes));
      from += bytes;
    }
  }

  ScatterReduction m_reduction;
  std::vector<SliceRun> m_runs;
  Dims m_dims;  // of the data that m_runs are for
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

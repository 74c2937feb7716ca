// Scatter, ScatterElements and ScatterND: a copy of the input with some elements replaced by, or combined with,
// updates. The result does not depend on the order in which threads come: of several updates to one place the last
// wins, and reductions take them in their order.

#include "engine/operators/scatter.h"

#include "providers/cuda/functors/scatter_functors.h"
#include "providers/cuda/kernels/indexing/index_places.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

Combining combiningOf(operators::ScatterReduction reduction) {
  switch (reduction) {
    case operators::ScatterReduction::kAdd:
      return Combining::kAdd;
    case operators::ScatterReduction::kMultiply:
      return Combining::kMultiply;
    case operators::ScatterReduction::kMinimum:
      return Combining::kMinimum;
    case operators::ScatterReduction::kMaximum:
      return Combining::kMaximum;
    default:
      return Combining::kReplace;
  }
}

class ScatterKernel : public GpuKernel {
 public:
  ScatterKernel(const KernelInfo& info, Combining how) : m_how(how), m_words(info, "an index") {}

  Result<void> prepare(const KernelInfo& info, GpuResources& resources) override {
    CUTAWAY_TRY(m_note, resources.find("indexing.note"));
    if (m_how == Combining::kReplace) return m_replace.prepare(resources, "indexing.replace");
    CUTAWAY_TRY(m_order, resources.find("indexing.order"));
    CUTAWAY_TRY(m_combine, resources.find(fmt::format("indexing.combine.{}", functorType(info.inputElement(0)))));
    return {};
  }

 protected:
  // Updates in slices of `inner` elements.
  Result<void> scatter(GpuCall& call, const Tensor& data, const Tensor& updates, int64_t updateCount, int64_t inner,
                       NoteParameters note) const {
    CUTAWAY_TRY(Tensor * output, call.output(0, data.dims()));
    const int64_t bytes = data.sizeBytes(), targets = inner == 0 ? 0 : data.elementCount() / inner;
    if (bytes == 0) return {};
    const bool copies = output->data() != data.data() && (m_how == Combining::kReplace || updateCount == 0);
    if (copies) CUTAWAY_CHECK(call.copy(output->mutableData(), data.data(), static_cast<size_t>(bytes)));
    if (updateCount == 0) return {};
    if (updateCount >= kNarrowCount)
      return fail(ErrorCode::kNotImplemented, "{} updates are more than a scatter takes", updateCount);
    CUTAWAY_TRY(void* heads, call.scratch(static_cast<size_t>(targets) * sizeof(int32_t)));
    CUTAWAY_TRY(void* places, call.scratch(static_cast<size_t>(updateCount) * sizeof(int64_t)));
    CUTAWAY_CHECK(call.fill(heads, 0xff, static_cast<size_t>(targets) * sizeof(int32_t)));
    note.heads = static_cast<int32_t*>(heads);
    note.targets = static_cast<int64_t*>(places);
    note.count = updateCount;
    if (m_how == Combining::kReplace) return replace(call, note, updates, inner, *output);
    CUTAWAY_TRY(void* nexts, call.scratch(static_cast<size_t>(updateCount) * sizeof(int32_t)));
    note.nexts = static_cast<int32_t*>(nexts);
    CUTAWAY_CHECK(call.launch(m_note, note));
    CUTAWAY_CHECK(call.launch(m_order, OrderParameters{.heads = note.heads, .nexts = note.nexts, .count = targets}));
    return call.launch(m_combine, CombineParameters{.data = data.data(),
                                                    .updates = updates.data(),
                                                    .to = output->mutableData(),
                                                    .heads = note.heads,
                                                    .nexts = note.nexts,
                                                    .count = data.elementCount(),
                                                    .inner = inner,
                                                    .how = m_how});
  }

  Result<FaultPlace> faultPlace(GpuCall& call) const { return m_words.faultPlace(call); }

 private:
  Result<void> replace(GpuCall& call, const NoteParameters& note, const Tensor& updates, int64_t inner,
                       Tensor& output) const {
    CUTAWAY_CHECK(call.launch(m_note, note));
    const int64_t innerBytes = inner * elementBytes(updates.type());
    const int64_t word = WordWidth().fits(updates.data()).fits(output.data()).fits(innerBytes).bytes();
    return call.launch(m_replace[word], ReplaceParameters{.updates = updates.data(),
                                                          .to = output.mutableData(),
                                                          .heads = note.heads,
                                                          .targets = note.targets,
                                                          .count = note.count * innerBytes / word,
                                                          .inner = innerBytes / word});
  }

  Combining m_how;
  NodeWords m_words;
  DeviceKernel m_note, m_order, m_combine;
  WordKernels m_replace;
};

class ScatterElementsKernel final : public ScatterKernel {
 public:
  ScatterElementsKernel(const KernelInfo& info, Combining how)
      : ScatterKernel(info, how), m_axis(info.attribute<int64_t>("axis", 0)) {}

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 1));
    CUTAWAY_TRY(const Tensor* updates, requireTensor(call, 2));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));
    CUTAWAY_CHECK(operators::checkScatterElements(*data, *indices, *updates));
    CUTAWAY_TRY(const FaultPlace fault, faultPlace(call));
    NoteParameters note;
    CUTAWAY_TRY(note.elements, elementPlaces(*indices, data->dims(), static_cast<size_t>(axis), fault));
    return scatter(call, *data, *updates, indices->elementCount(), 1, note);
  }

 private:
  int64_t m_axis;
};

class ScatterNdKernel final : public ScatterKernel {
 public:
  using ScatterKernel::ScatterKernel;

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 1));
    CUTAWAY_TRY(const Tensor* updates, requireTensor(call, 2));
    CUTAWAY_TRY(const operators::TupleScatter placed, operators::placeTupleScatter(*data, *indices, *updates));
    CUTAWAY_TRY(const FaultPlace fault, faultPlace(call));
    NoteParameters note{.tuples = 1};
    CUTAWAY_TRY(note.slices, tuplePlaces(*indices, data->dims(), 0, fault));
    return scatter(call, *data, *updates, placed.tuples, placed.sliceCells, note);
  }
};

template <typename KernelType>
Result<std::unique_ptr<GpuKernel>> makeScatter(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  CUTAWAY_TRY(const operators::ScatterReduction reduction, operators::scatterReductionOf(info.node()));
  const Combining how = combiningOf(reduction);
  const char* type = functorType(info.inputElement(0));
  if (how != Combining::kReplace && (type == nullptr || info.inputElement(0) == ElementType::kBool))
    return fail(ErrorCode::kNotImplemented, "elements of type {} are not combined by a scatter here",
                elementTypeName(info.inputElement(0)));
  return std::make_unique<KernelType>(info, how);
}

constexpr InplaceHint kInplace[] = {{0, 0, AliasKind::kMayInplace}};

}  // namespace

KernelRows kernel_scatter() {
  static constexpr KernelRow rows[] = {
      {.opType = "Scatter",
       .versions = {9},
       .types = kMovableByIndex,
       .inplace = kInplace,
       .fastPath = "cuda",
       .create = gpuKernel<makeScatter<ScatterElementsKernel>>},
      {.opType = "ScatterElements",
       .versions = {11},
       .types = kMovableByIndex,
       .inplace = kInplace,
       .fastPath = "cuda",
       .create = gpuKernel<makeScatter<ScatterElementsKernel>>},
      {.opType = "ScatterND",
       .versions = {11},
       .types = kMovableByIndex,
       .inplace = kInplace,
       .fastPath = "cuda",
       .create = gpuKernel<makeScatter<ScatterNdKernel>>},
  };
  return rows;
}

}  // namespace cutaway::cuda

// Gather, GatherElements and GatherND: slices or elements picked by index.

#include "engine/operators/gather.h"

#include "providers/cuda/kernels/indexing/index_places.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class GatherKernel final : public GpuKernel {
 public:
  explicit GatherKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 0)), m_words(info, "an index") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_CHECK(m_gather.prepare(resources, "indexing.gather"));
    return m_gatherLong.prepare(resources, "indexing.gather", ".long");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 1));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
    CUTAWAY_TRY(const IndexList list, indexList(*indices));
    const size_t axis = static_cast<size_t>(resolved);
    const Dims dims = operators::gatheredDims(data->dims(), indices->dims(), axis);
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    if (output->elementCount() == 0) return {};
    const int64_t unit = elementBytes(data->type()),
                  innerBytes = productOf(data->dims(), axis + 1, data->rank()) * unit;
    const int64_t word = WordWidth().fits(data->data()).fits(output->data()).fits(innerBytes).bytes();
    CUTAWAY_TRY(const FaultPlace fault, m_words.faultPlace(call));
    const GatherParameters parameters{.from = data->data(),
                                      .to = output->mutableData(),
                                      .indices = list,
                                      .count = output->sizeBytes() / word,
                                      .picks = indices->elementCount(),
                                      .inner = innerBytes / word,
                                      .length = data->dims()[axis],
                                      .fault = fault};
    return call.launch((parameters.count < kNarrowCount ? m_gather : m_gatherLong)[word], parameters);
  }

 private:
  int64_t m_axis;
  NodeWords m_words;
  WordKernels m_gather, m_gatherLong;
};

class GatherElementsKernel final : public GpuKernel {
 public:
  explicit GatherElementsKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 0)), m_words(info, "an index") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_CHECK(m_gather.prepare(resources, "indexing.elements"));
    return m_gatherLong.prepare(resources, "indexing.elements", ".long");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 1));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));
    CUTAWAY_TRY(const FaultPlace fault, m_words.faultPlace(call));
    CUTAWAY_TRY(const ElementPlaces places, elementPlaces(*indices, data->dims(), static_cast<size_t>(axis), fault));
    CUTAWAY_TRY(Tensor * output, call.output(0, indices->dims()));
    const GatherElementsParameters parameters{
        .from = data->data(), .to = output->mutableData(), .count = output->elementCount(), .places = places};
    if (parameters.count == 0) return {};
    return call.launch((parameters.count < kNarrowCount ? m_gather : m_gatherLong)[elementBytes(data->type())],
                       parameters);
  }

 private:
  int64_t m_axis;
  NodeWords m_words;
  WordKernels m_gather, m_gatherLong;
};

class GatherNdKernel final : public GpuKernel {
 public:
  explicit GatherNdKernel(const KernelInfo& info)
      : m_batchDims(info.attribute<int64_t>("batch_dims", 0)), m_words(info, "an index") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_gather.prepare(resources, "indexing.tuples");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 1));
    CUTAWAY_TRY(const operators::TupleGather placed, operators::placeTupleGather(*data, *indices, m_batchDims));
    CUTAWAY_TRY(const FaultPlace fault, m_words.faultPlace(call));
    CUTAWAY_TRY(const TuplePlaces places, tuplePlaces(*indices, data->dims(), placed.batchDims, fault));
    CUTAWAY_TRY(Tensor * output, call.output(0, placed.dims));
    if (output->elementCount() == 0) return {};
    const int64_t innerBytes = productOf(data->dims(), placed.sliceAxis, data->rank()) * elementBytes(data->type());
    const int64_t word = WordWidth().fits(data->data()).fits(output->data()).fits(innerBytes).bytes();
    return call.launch(m_gather[word], GatherTuplesParameters{.from = data->data(),
                                                              .to = output->mutableData(),
                                                              .count = output->sizeBytes() / word,
                                                              .inner = innerBytes / word,
                                                              .places = places});
  }

 private:
  int64_t m_batchDims;
  NodeWords m_words;
  WordKernels m_gather;
};

template <typename KernelType>
Result<std::unique_ptr<GpuKernel>> makeGather(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<KernelType>(info);
}

}  // namespace

KernelRows kernel_gather() {
  static constexpr KernelRow rows[] = {
      {.opType = "Gather",
       .versions = {1},
       .types = kMovableByIndex,
       .fastPath = "cuda",
       .create = gpuKernel<makeGather<GatherKernel>>},
      {.opType = "GatherElements",
       .versions = {11},
       .types = kMovableByIndex,
       .fastPath = "cuda",
       .create = gpuKernel<makeGather<GatherElementsKernel>>},
      {.opType = "GatherND",
       .versions = {11},
       .types = kMovableByIndex,
       .fastPath = "cuda",
       .create = gpuKernel<makeGather<GatherNdKernel>>},
      {.opType = "GatherND",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kMovableByIndex,
       .fastPath = "cuda",
       .create = gpuKernel<makeGather<GatherNdKernel>>},
  };
  return rows;
}

}  // namespace cutaway::cuda

// TensorScatter: a key or value cache with new steps written at each batch entry's place, straight on or around in a
// circle. The places stay on the device.

#include "engine/operators/scatter.h"
#include "providers/cuda/kernels/indexing/index_places.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class TensorScatterKernel final : public GpuKernel {
 public:
  TensorScatterKernel(const KernelInfo& info, const operators::CacheUpdate& settings)
      : m_settings(settings), m_words(info, "a write index") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_write.prepare(resources, "indexing.cache");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* past, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* update, requireTensor(call, 1));
    const Tensor* starts = optionalTensor(call, 2);
    CUTAWAY_TRY(const size_t axis, m_settings.place(*past, *update, starts));
    ScatterCacheParameters parameters{.updates = update->data(), .circular = m_settings.circular()};
    if (starts != nullptr) {
      CUTAWAY_TRY(parameters.starts, indexList(*starts));
    }
    CUTAWAY_TRY(Tensor * output, call.output(0, past->dims()));
    if (past->elementCount() == 0) return {};
    if (output->data() != past->data())
      CUTAWAY_CHECK(call.copy(output->mutableData(), past->data(), static_cast<size_t>(past->sizeBytes())));
    if (update->elementCount() == 0) return {};
    const int64_t innerBytes = productOf(past->dims(), axis + 1, past->rank()) * elementBytes(past->type());
    const int64_t word = WordWidth().fits(update->data()).fits(output->data()).fits(innerBytes).bytes();
    parameters.to = output->mutableData();
    parameters.count = update->sizeBytes() / word;
    parameters.prefixes = productOf(past->dims(), 1, axis);
    parameters.steps = update->dims()[axis];
    parameters.capacity = past->dims()[axis];
    parameters.inner = innerBytes / word;
    CUTAWAY_TRY(parameters.fault, m_words.faultPlace(call));
    return call.launch(m_write[word], parameters);
  }

 private:
  operators::CacheUpdate m_settings;
  NodeWords m_words;
  WordKernels m_write;
};

Result<std::unique_ptr<GpuKernel>> makeTensorScatter(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  CUTAWAY_TRY(const operators::CacheUpdate settings, operators::CacheUpdate::read(info.node()));
  return std::make_unique<TensorScatterKernel>(info, settings);
}

constexpr InplaceHint kInplace[] = {{0, 0, AliasKind::kMayInplace}};

}  // namespace

KernelRows kernel_tensor_scatter() {
  static constexpr KernelRow rows[] = {{.opType = "TensorScatter",
                                        .versions = {24},
                                        .types = kMovableFirst,
                                        .inplace = kInplace,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeTensorScatter>}};
  return rows;
}

}  // namespace cutaway::cuda

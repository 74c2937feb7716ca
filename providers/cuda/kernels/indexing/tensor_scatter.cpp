// TensorScatter: a key or value cache with new steps written at each batch entry's place, straight on or around in a
// circle. The places stay on the device.

#include "providers/cuda/kernels/indexing/index_places.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class TensorScatterKernel final : public GpuKernel {
 public:
  TensorScatterKernel(const KernelInfo& info, bool circular)
      : m_axis(info.attribute<int64_t>("axis", -2)), m_circular(circular), m_words(info, "a write index") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_write.prepare(resources, "indexing.cache");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* past, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* update, requireTensor(call, 1));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, past->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    CUTAWAY_CHECK(checkShapes(*past, *update, axis));
    ScatterCacheParameters parameters{.updates = update->data(), .circular = m_circular};
    if (const Tensor* starts = optionalTensor(call, 2)) {
      CUTAWAY_TRY(parameters.starts, indexList(*starts));
      if (starts->elementCount() != past->dims()[0])
        return fail(ErrorCode::kInvalidArgument, "{} write indices are given for {} batch entries",
                    starts->elementCount(), past->dims()[0]);
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
  static Result<void> checkShapes(const Tensor& past, const Tensor& update, size_t axis) {
    bool fits = axis > 0 && update.rank() == past.rank() && update.type() == past.type();
    for (size_t i = 0; fits && i < past.rank(); ++i)
      fits = i == axis ? update.dims()[i] <= past.dims()[i] : update.dims()[i] == past.dims()[i];
    if (fits) return {};
    return fail(ErrorCode::kInvalidArgument, "an update {} does not fit a cache {} along axis {}",
                dimsToText(update.dims()), dimsToText(past.dims()), axis);
  }

  int64_t m_axis;
  bool m_circular;
  NodeWords m_words;
  WordKernels m_write;
};

Result<std::unique_ptr<GpuKernel>> makeTensorScatter(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  const std::string mode = info.attribute<std::string>("mode", "linear");
  if (mode != "linear" && mode != "circular") return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
  return std::make_unique<TensorScatterKernel>(info, mode == "circular");
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

// Compress: the slices whose condition is true; without an axis, the elements of the flattened input. How many they are
// is known on the device only, so the run waits for it.

#include "providers/cuda/functors/indexing_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class CompressKernel final : public GpuKernel {
 public:
  explicit CompressKernel(const KernelInfo& info)
      : m_flat(info.node().findAttribute("axis") == nullptr), m_axis(info.attribute<int64_t>("axis", 0)) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_places, resources.find("indexing.compress"));
    CUTAWAY_CHECK(m_gather.prepare(resources, "indexing.gather"));
    return m_gatherLong.prepare(resources, "indexing.gather", ".long");
  }
  std::string_view notReplayable() const override { return "the size of its result depends on data"; }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* condition, requireTensor(call, 1));
    Dims dims = data->dims();
    size_t axis = 0;
    if (m_flat) {
      dims = Dims{data->elementCount()};
    } else {
      CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
      axis = static_cast<size_t>(resolved);
    }
    const int64_t length = dims[axis];
    CUTAWAY_TRY(void* memory,
                call.scratch(static_cast<size_t>(std::min(length, condition->elementCount()) + 1) * sizeof(int64_t)));
    int64_t* numbers = static_cast<int64_t*>(memory);  // how many, then which
    CUTAWAY_CHECK(call.launch(m_places, CompressParameters{.condition = static_cast<const bool*>(condition->data()),
                                                           .conditions = condition->elementCount(),
                                                           .length = length,
                                                           .places = numbers + 1,
                                                           .kept = numbers}));
    int64_t kept = 0;
    CUTAWAY_CHECK(call.readNow(&kept, numbers, sizeof kept));
    if (kept < 0)
      return fail(ErrorCode::kInvalidArgument, "condition {} is true beyond the {} places of axis {}", -kept - 1,
                  length, axis);
    dims[axis] = kept;
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    if (output->elementCount() == 0) return {};
    const int64_t innerBytes = productOf(dims, axis + 1, dims.size()) * elementBytes(data->type());
    const int64_t word = WordWidth().fits(data->data()).fits(output->data()).fits(innerBytes).bytes();
    const GatherParameters parameters{.from = data->data(),
                                      .to = output->mutableData(),
                                      .indices = {numbers + 1, 1},
                                      .count = output->sizeBytes() / word,
                                      .picks = kept,
                                      .inner = innerBytes / word,
                                      .length = length,
                                      .fault = {}};
    return call.launch((parameters.count < kNarrowCount ? m_gather : m_gatherLong)[word], parameters);
  }

 private:
  bool m_flat;
  int64_t m_axis;
  DeviceKernel m_places;
  WordKernels m_gather, m_gatherLong;
};

Result<std::unique_ptr<GpuKernel>> makeCompress(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<CompressKernel>(info);
}

constexpr ElementType kBool[] = {ElementType::kBool};
constexpr TypeRule kRules[] = {{0, kMovable}, {1, kBool}};

}  // namespace

KernelRows kernel_compress() {
  static constexpr KernelRow rows[] = {
      {.opType = "Compress", .versions = {9}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeCompress>}};
  return rows;
}

}  // namespace cutaway::cuda

// NonMaxSuppression: in each batch entry and class, boxes in order of score, leaving out those that overlap a chosen
// one too much. How many are left is known on the device only, so the run waits for it.

#include "engine/operators/non_max_suppression.h"

#include <limits>
#include <vector>

#include "engine/base/checked_math.h"
#include "providers/cuda/functors/suppression_functors.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {
namespace {

class NonMaxSuppressionKernel final : public GpuKernel {
 public:
  explicit NonMaxSuppressionKernel(const KernelInfo& info)
      : m_centre(info.attribute<int64_t>("center_point_box", 0) != 0) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_suppress, resources.find("indexing.suppress"));
    CUTAWAY_TRY(m_rows, resources.find("indexing.suppressed"));
    return {};
  }
  std::string_view notReplayable() const override { return "the size of its result depends on data"; }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* boxes, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* scores, requireTensor(call, 1));
    CUTAWAY_CHECK(operators::checkSuppressedBoxes(*boxes, *scores));
    CUTAWAY_TRY(const operators::SuppressionSettings settings, operators::suppressionSettings(call));
    SuppressParameters parameters{.centre = m_centre};
    parameters.overlapThreshold = settings.overlapThreshold;
    parameters.scoreThreshold = settings.scoreThreshold;
    parameters.hasScoreThreshold = settings.hasScoreThreshold ? 1 : 0;
    parameters.boxes = static_cast<const float*>(boxes->data());
    parameters.scores = static_cast<const float*>(scores->data());
    parameters.classes = scores->dims()[1];
    parameters.count = scores->dims()[2];
    parameters.most = std::clamp<int64_t>(settings.mostPerClass, 0, parameters.count);
    parameters.lists = parameters.most == 0 ? 0 : scores->dims()[0] * parameters.classes;
    int64_t total = 0;
    if (parameters.lists > 0) {
      CUTAWAY_TRY(total, suppress(call, parameters));
    }
    CUTAWAY_TRY(Tensor * output, call.output(0, {total, 3}));
    if (total == 0) return {};
    parameters.rows = static_cast<int64_t*>(output->mutableData());
    return call.launch(m_rows, parameters);
  }

 private:
  // Gives how many are left in all lists.
  Result<int64_t> suppress(GpuCall& call, SuppressParameters& parameters) const {
    CUTAWAY_TRY(const int64_t results, checkedMultiply(parameters.most, parameters.lists));
    CUTAWAY_TRY(const int64_t resultBytes, checkedMultiply(results, sizeof(uint32_t)));
    CUTAWAY_TRY(void* keys, call.scratch(static_cast<size_t>(parameters.lists * parameters.count) * sizeof(uint64_t)));
    CUTAWAY_TRY(void* counts, call.scratch(static_cast<size_t>(parameters.lists) * sizeof(int64_t)));
    CUTAWAY_TRY(void* chosen, call.scratch(static_cast<size_t>(resultBytes)));
    parameters.keys = static_cast<uint64_t*>(keys);
    parameters.counts = static_cast<int64_t*>(counts);
    parameters.chosen = static_cast<uint32_t*>(chosen);
    CUTAWAY_CHECK(call.launch(m_suppress, parameters));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                call.context().scratch(static_cast<size_t>(parameters.lists) * sizeof(int64_t)));
    CUTAWAY_CHECK(call.readNow(memory.data(), counts, memory.size()));
    int64_t total = 0;
    for (int64_t i = 0; i < parameters.lists; ++i)
      total += reinterpret_cast<const int64_t*>(memory.data())[i];
    return total;
  }

  bool m_centre;
  DeviceKernel m_suppress, m_rows;
};

Result<std::unique_ptr<GpuKernel>> makeNonMaxSuppression(const KernelInfo& info) {
  return std::make_unique<NonMaxSuppressionKernel>(info);
}

constexpr ElementType kFloat[] = {ElementType::kFloat};
constexpr TypeRule kRules[] = {{0, kFloat}, {1, kFloat}};
constexpr int kSettingsOnHost[] = {2, 3, 4};

}  // namespace

KernelRows kernel_non_max_suppression() {
  static constexpr KernelRow rows[] = {{.opType = "NonMaxSuppression",
                                        .versions = {10},
                                        .types = kRules,
                                        .hostInputs = kSettingsOnHost,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeNonMaxSuppression>}};
  return rows;
}

}  // namespace cutaway::cuda

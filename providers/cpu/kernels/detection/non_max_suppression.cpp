// NonMaxSuppression: in each batch entry and class, boxes in order of score, leaving out those that overlap a chosen one too much.

#include <algorithm>
#include <array>
#include <vector>

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway {
namespace {

struct Box {
  float top, left, bottom, right;
  float area() const { return (bottom - top) * (right - left); }
};

// Boxes come as two opposite corners in any order (y1, x1, y2, x2), or as centre and size (x, y, width, height).
Box readBox(const float* numbers, bool centre) {
  if (centre) {
    const float halfWidth = numbers[2] / 2;
    const float halfHeight = numbers[3] / 2;
    return {numbers[1] - halfHeight, numbers[0] - halfWidth, numbers[1] + halfHeight, numbers[0] + halfWidth};
  }
  return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]), std::max(numbers[0], numbers[2]), std::max(numbers[1], numbers[3])};
}

bool overlapsTooMuch(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) return false;
  const float shared = height * width;
  const float all = a.area() + b.area() - shared;
  return all > 0 && shared / all > threshold;
}

struct NmsSettings {
  int64_t mostPerClass = 0;
  float overlapThreshold = 0;
  float scoreThreshold = 0;
  bool hasScoreThreshold = false;
};

class NonMaxSuppressionKernel final : public Kernel {
 public:
  explicit NonMaxSuppressionKernel(const KernelInfo& info) : m_centre(info.attribute<int64_t>("center_point_box", 0) != 0) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* boxes, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* scores, requireTensor(context, 1));
    const bool fits = boxes->rank() == 3 && scores->rank() == 3 && boxes->dims()[2] == 4 && boxes->dims()[0] == scores->dims()[0] && boxes->dims()[1] == scores->dims()[2];
    if (!fits || boxes->type() != ElementType::kFloat || scores->type() != ElementType::kFloat) {
      return fail(ErrorCode::kInvalidArgument, "boxes {} and scores {} do not fit each other", dimsToText(boxes->dims()), dimsToText(scores->dims()));
    }
    CUTAWAY_TRY(const NmsSettings settings, readSettings(context));
    std::vector<std::array<int64_t, 3>> chosen;
    std::vector<int64_t> order;
    std::vector<Box> kept;
    const int64_t classes = scores->dims()[1];
    const int64_t count = scores->dims()[2];
    for (int64_t entry = 0; count > 0 && entry < scores->dims()[0]; ++entry) {
      for (int64_t label = 0; label < classes; ++label) {
        if (context.cancelled()) return fail(cancelledError());
        const float* classScores = scores->span<float>().data() + (entry * classes + label) * count;
        const float* entryBoxes = boxes->span<float>().data() + entry * count * 4;
        sortCandidates(settings, classScores, count, order);
        kept.clear();
        for (const int64_t candidate : order) {
          if (static_cast<int64_t>(kept.size()) >= settings.mostPerClass) break;
          const Box box = readBox(entryBoxes + candidate * 4, m_centre);
          const auto crowded = [&](const Box& other) { return overlapsTooMuch(box, other, settings.overlapThreshold); };
          if (std::any_of(kept.begin(), kept.end(), crowded)) continue;
          kept.push_back(box);
          chosen.push_back({entry, label, candidate});
        }
      }
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{static_cast<int64_t>(chosen.size()), 3}));
    int64_t* to = output->span<int64_t>().data();
    for (const std::array<int64_t, 3>& row : chosen) to = std::copy(row.begin(), row.end(), to);
    return {};
  }

 private:
  static Result<float> readThreshold(const Tensor& tensor) {
    if (tensor.type() != ElementType::kFloat || tensor.elementCount() != 1) return fail(ErrorCode::kInvalidArgument, "a threshold must be one float");
    return tensor.span<float>()[0];
  }

  static Result<NmsSettings> readSettings(const KernelContext& context) {
    NmsSettings settings;
    if (const Tensor* most = optionalTensor(context, 2)) {
      CUTAWAY_TRY(settings.mostPerClass, readInteger(*most));
    }
    if (const Tensor* overlap = optionalTensor(context, 3)) {
      CUTAWAY_TRY(settings.overlapThreshold, readThreshold(*overlap));
    }
    if (const Tensor* score = optionalTensor(context, 4)) {
      CUTAWAY_TRY(settings.scoreThreshold, readThreshold(*score));
      settings.hasScoreThreshold = true;
    }
    return settings;
  }

  // Candidates by falling score, ties by index. NaN scores never qualify, so that the order is a strict one.
  static void sortCandidates(const NmsSettings& settings, const float* scores, int64_t count, std::vector<int64_t>& order) {
    order.clear();
    for (int64_t i = 0; i < count; ++i) {
      const bool qualifies = settings.hasScoreThreshold ? scores[i] > settings.scoreThreshold : scores[i] == scores[i];
      if (qualifies) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [scores](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  }

  bool m_centre;
};

constexpr int kSettingsOnHost[] = {2, 3, 4};
constexpr KernelRow kRows[] = {
    {.opType = "NonMaxSuppression", .versions = {10}, .hostInputs = kSettingsOnHost, .create = makeKernel<NonMaxSuppressionKernel>},
};

}  // namespace

KernelRows kernel_non_max_suppression() { return kRows; }

}  // namespace cutaway

// NonMaxSuppression: in each batch entry and class, boxes in order of score, leaving out those that overlap a chosen
// one too much.

#include "engine/operators/non_max_suppression.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
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
  return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]), std::max(numbers[0], numbers[2]),
          std::max(numbers[1], numbers[3])};
}

bool overlapsTooMuch(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) return false;
  const float shared = height * width;
  const float all = a.area() + b.area() - shared;
  return all > 0 && shared / all > threshold;
}

using operators::SuppressionSettings;

class NonMaxSuppressionKernel final : public Kernel {
 public:
  explicit NonMaxSuppressionKernel(const KernelInfo& info)
      : m_centre(info.attribute<int64_t>("center_point_box", 0) != 0) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* boxes, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* scores, requireTensor(context, 1));
    CUTAWAY_CHECK(operators::checkSuppressedBoxes(*boxes, *scores));
    CUTAWAY_TRY(const SuppressionSettings settings, operators::suppressionSettings(context));
    const int64_t entries = scores->dims()[0];
    const int64_t classes = scores->dims()[1];
    const int64_t count = scores->dims()[2];
    const int64_t lists = count == 0 ? 0 : entries * classes;
    const int64_t most = std::clamp<int64_t>(settings.mostPerClass, 0, count);
    CUTAWAY_TRY(const Workspace work, Workspace::book(context, count, most, lists));
    int64_t total = 0;
    for (int64_t list = 0; list < lists; ++list) {
      if (context.cancelled()) return fail(cancelledError());
      const float* entryBoxes = boxes->span<float>().data() + list / classes * count * 4;
      work.counts[list] = choose(settings, most, scores->span<float>().data() + list * count, entryBoxes, count, work,
                                 work.chosen + total);
      total += work.counts[list];
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{total, 3}));
    int64_t* to = output->span<int64_t>().data();
    const uint32_t* next = work.chosen;
    for (int64_t list = 0; list < lists; ++list) {
      for (int64_t i = 0; i < work.counts[list]; ++i) {
        *to++ = list / classes;
        *to++ = list % classes;
        *to++ = *next++;
      }
    }
    return {};
  }

 private:
  // Scratch memory of one run.
  struct Workspace {
    uint64_t* heap;    // one list's candidates
    Box* kept;         // of one list
    int64_t* counts;   // chosen of each list
    uint32_t* chosen;  // of all lists

    static Result<Workspace> book(KernelContext& context, int64_t count, int64_t most, int64_t lists) {
      CUTAWAY_TRY(const int64_t results, checkedMultiply(most, lists));
      CUTAWAY_TRY(const int64_t resultBytes, checkedMultiply(results, sizeof(uint32_t)));
      const size_t heapBytes = static_cast<size_t>(count) * sizeof(uint64_t),
                   boxBytes = static_cast<size_t>(most) * sizeof(Box),
                   countBytes = static_cast<size_t>(lists) * sizeof(int64_t);
      CUTAWAY_TRY(const std::span<std::byte> memory,
                  context.scratch(heapBytes + boxBytes + countBytes + static_cast<size_t>(resultBytes)));
      std::byte* next = memory.data();
      return Workspace{reinterpret_cast<uint64_t*>(next), reinterpret_cast<Box*>(next + heapBytes + countBytes),
                       reinterpret_cast<int64_t*>(next + heapBytes),
                       reinterpret_cast<uint32_t*>(next + heapBytes + countBytes + boxBytes)};
    }
  };

  // Candidates in a heap, best first: only as many are put in order as are looked at. Gives how many were chosen.
  int64_t choose(const SuppressionSettings& settings, int64_t most, const float* scores, const float* boxes,
                 int64_t count, const Workspace& work, uint32_t* chosen) const {
    uint64_t* end = work.heap;
    for (int64_t i = 0; i < count; ++i) {
      // NaN scores never qualify, so that the order is a strict one.
      const bool qualifies = settings.hasScoreThreshold ? scores[i] > settings.scoreThreshold : scores[i] == scores[i];
      if (qualifies) *end++ = rankOf(scores[i], static_cast<uint32_t>(i));
    }
    std::make_heap(work.heap, end);
    int64_t keptCount = 0;
    while (end != work.heap && keptCount < most) {
      const uint32_t candidate = ~static_cast<uint32_t>(work.heap[0]);
      std::pop_heap(work.heap, end--);
      const Box box = readBox(boxes + int64_t{candidate} * 4, m_centre);
      const auto crowded = [&](const Box& other) { return overlapsTooMuch(box, other, settings.overlapThreshold); };
      if (std::any_of(work.kept, work.kept + keptCount, crowded)) continue;
      work.kept[keptCount] = box;
      chosen[keptCount++] = candidate;
    }
    return keptCount;
  }

  // Higher scores are larger; of equal scores the one with the lower index.
  static uint64_t rankOf(float score, uint32_t index) {
    const auto bits = std::bit_cast<uint32_t>(score + 0.0f);  // -0 is 0
    const uint32_t ordered = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
    return (uint64_t{ordered} << 32) | static_cast<uint32_t>(~index);
  }

  bool m_centre;
};

constexpr int kSettingsOnHost[] = {2, 3, 4};
constexpr KernelRow kRows[] = {
    {.opType = "NonMaxSuppression",
     .versions = {10},
     .hostInputs = kSettingsOnHost,
     .create = makeKernel<NonMaxSuppressionKernel>},
};

}  // namespace

KernelRows kernel_non_max_suppression() {
  return kRows;
}

}  // namespace cutaway::cpu

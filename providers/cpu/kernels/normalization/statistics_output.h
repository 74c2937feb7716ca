#pragma once
// The optional outputs of normalisations that tell what was found: means, inverse standard deviations, in whatever
// float type the node declares.
//
// Thread rule: rows may be set from several threads, each row from one.
// Example: StatisticsOutput means; CUTAWAY_CHECK(means.open(context, 1, type, dims, axis)); means.set(row, mean);

#include <array>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

inline constexpr size_t kMaxNormalizedRank = 16;

// What the node declares for an output, float when nothing is known.
inline ElementType statisticType(const KernelInfo& info, size_t slot) {
  const ElementType declared = info.hasOutput(slot) ? info.outputType(slot).element : ElementType::kUndefined;
  return declared == ElementType::kUndefined ? ElementType::kFloat : declared;
}

class StatisticsOutput {
 public:
  // dims with 1 from `axis` on; stays closed when the node does not want the output.
  Result<void> open(KernelContext& context, size_t slot, ElementType type, std::span<const int64_t> dims, size_t axis) {
    if (slot >= context.outputCount() || !context.hasOutput(slot)) return {};
    if (dims.size() > kMaxNormalizedRank) return fail(ErrorCode::kNotImplemented, "statistics of rank {}", dims.size());
    std::array<int64_t, kMaxNormalizedRank> reduced{};
    for (size_t i = 0; i < dims.size(); ++i)
      reduced[i] = i < axis ? dims[i] : 1;
    CUTAWAY_TRY(m_tensor, context.output(slot, type, std::span<const int64_t>(reduced.data(), dims.size())));
    return {};
  }

  void set(int64_t row, double value) const {
    if (m_tensor == nullptr) return;
    const size_t at = static_cast<size_t>(row);
    switch (m_tensor->type()) {
      case ElementType::kFloat:
        m_tensor->span<float>()[at] = static_cast<float>(value);
        break;
      case ElementType::kDouble:
        m_tensor->span<double>()[at] = value;
        break;
      case ElementType::kFloat16:
        m_tensor->span<Float16>()[at] = Float16::fromFloat(static_cast<float>(value));
        break;
      case ElementType::kBfloat16:
        m_tensor->span<Bfloat16>()[at] = Bfloat16::fromFloat(static_cast<float>(value));
        break;
      default:
        break;
    }
  }

 private:
  Tensor* m_tensor = nullptr;
};

}  // namespace cutaway::cpu

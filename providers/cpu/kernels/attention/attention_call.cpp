// From tensors to views of attention's core.

#include "providers/cpu/kernels/attention/attention_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"

namespace cutaway::cpu::attention {
namespace {

int64_t elementBytes(ElementType type) {
  switch (type) {
    case ElementType::kDouble:
      return 8;
    case ElementType::kFloat:
      return 4;
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

Rows rowsOf(const Tensor& tensor, const operators::HeadSteps& steps) {
  return {static_cast<const std::byte*>(tensor.data()) + steps.start * elementBytes(tensor.type()), tensor.type(),
          steps.batchStep, steps.headStep, steps.rowStep};
}

TargetRows targetOf(Tensor& tensor, const operators::HeadSteps& steps) {
  return {static_cast<std::byte*>(tensor.mutableData()) + steps.start * elementBytes(tensor.type()), tensor.type(),
          steps.batchStep, steps.headStep, steps.rowStep};
}

Rows headsInside(const Tensor& tensor, int64_t size) {
  return rowsOf(tensor, operators::headsInside(tensor.dims(), size));
}
TargetRows headsInside(Tensor& tensor, int64_t size) {
  return targetOf(tensor, operators::headsInside(tensor.dims(), size));
}

operators::ScoreDims scoresOf(const Problem& problem) {
  return {problem.batch, problem.heads, problem.queries, problem.keys};
}

Plane planeOf(const operators::ScorePlane& plane, const Tensor& tensor) {
  return {.data = tensor.data(), .type = tensor.type(), .step = plane.step, .columns = plane.columns};
}

void fillCache(const CacheRows& rows, const Rows* past, const Rows& fresh, TargetRows target) {
  const int64_t bytes = elementBytes(target.type), rowBytes = rows.size * bytes;
  const bool inPlace = past != nullptr && past->data == target.data;
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 16) / std::max<int64_t>(1, rows.capacity * rowBytes));
  parallelFor(rows.batch * rows.heads, grain, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t batch = unit / rows.heads, head = unit % rows.heads;
      const int64_t kept = rows.past != nullptr ? rows.past[batch] : rows.pastRows;
      std::byte* to =
          static_cast<std::byte*>(target.data) + (batch * target.batchStep + head * target.headStep) * bytes;
      if (past != nullptr && kept > 0 && !inPlace) {
        std::memcpy(
            to, static_cast<const std::byte*>(past->data) + (batch * past->batchStep + head * past->headStep) * bytes,
            static_cast<size_t>(kept * rowBytes));
      }
      const std::byte* from =
          static_cast<const std::byte*>(fresh.data) + (batch * fresh.batchStep + head * fresh.headStep) * bytes;
      for (int64_t row = 0; rowBytes > 0 && row < rows.freshRows; ++row) {
        std::memcpy(to + (kept + row) * rowBytes, from + row * fresh.rowStep * bytes, static_cast<size_t>(rowBytes));
      }
      int64_t used = kept + rows.freshRows;
      if (past != nullptr && used < rows.heldRows) {
        if (!inPlace)
          std::memcpy(to + used * rowBytes,
                      static_cast<const std::byte*>(past->data) +
                          (batch * past->batchStep + head * past->headStep) * bytes + used * rowBytes,
                      static_cast<size_t>((rows.heldRows - used) * rowBytes));
        used = rows.heldRows;
      }
      if (rows.clear && used < rows.capacity)
        std::memset(to + used * rowBytes, 0, static_cast<size_t>((rows.capacity - used) * rowBytes));
    }
  });
}

Result<Rows> joinCache(KernelContext& context, const CacheSlots& slots, const CacheRows& rows, const Rows& fresh) {
  if (slots.past == nullptr && !slots.present) return fresh;
  if (slots.past != nullptr && slots.past->type() != fresh.type) {
    return fail(ErrorCode::kInvalidArgument, "a past of {} cannot be continued with {}",
                elementTypeName(slots.past->type()), elementTypeName(fresh.type));
  }
  TargetRows target{nullptr, fresh.type, rows.heads * rows.capacity * rows.size, rows.capacity * rows.size, rows.size};
  if (slots.present) {
    CUTAWAY_TRY(Tensor * present, context.output(slots.presentSlot, fresh.type,
                                                 std::array{rows.batch, rows.heads, rows.capacity, rows.size}));
    target.data = present->mutableData();
  } else {
    CUTAWAY_TRY(const int64_t count, checkedMultiply(rows.batch, target.batchStep));
    CUTAWAY_TRY(const int64_t bytes, checkedMultiply(count, elementBytes(fresh.type)));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(bytes)));
    target.data = memory.data();
  }
  if (slots.past != nullptr) {
    const Rows past = rowsOf(*slots.past, operators::headsOutside(slots.past->dims()));
    fillCache(rows, &past, fresh, target);
  } else {
    fillCache(rows, nullptr, fresh, target);
  }
  return Rows{target.data, target.type, target.batchStep, target.headStep, target.rowStep};
}

Result<void> attend(KernelContext& context, const Problem& problem) {
  if (problem.batch == 0 || problem.heads == 0 || problem.queries == 0) return {};
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(scratchBytes(problem)));
  context.subStep("scores, softmax and values");
  run(problem, scratch);
  return {};
}

}  // namespace cutaway::cpu::attention

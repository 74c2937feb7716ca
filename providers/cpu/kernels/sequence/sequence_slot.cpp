#include "providers/cpu/kernels/sequence/sequence_slot.h"

namespace cutaway::cpu {

Result<const SequenceValue*> requireSequence(const KernelContext& context, size_t slot) {
  const RuntimeValue* value = slot < context.inputCount() ? context.inputValue(slot) : nullptr;
  if (value == nullptr || !value->isSequence())
    return fail(ErrorCode::kInvalidArgument, "input {} must be a sequence and is absent or something else", slot);
  return &value->sequence();
}

Result<size_t> resolvePosition(int64_t position, size_t count, bool atEnd) {
  const int64_t items = static_cast<int64_t>(count);
  const int64_t last = atEnd ? items : items - 1;
  if (position < -items || position > last)
    return fail(ErrorCode::kInvalidArgument, "position {} is outside [{}, {}] of a sequence of {} items", position,
                -items, last, items);
  return static_cast<size_t>(position < 0 ? position + items : position);
}

}  // namespace cutaway::cpu

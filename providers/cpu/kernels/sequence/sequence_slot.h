#pragma once
// What sequence operators share: their inputs read and checked, and tensors that a sequence may keep.
//
// A tensor of a running frame is borrowed: its memory holds other values later. A sequence outlives that, so it keeps a
// copy; items already in a sequence never change and are shared. Thread rule: pure functions. Example:
// CUTAWAY_TRY(const SequenceValue* sequence, requireSequence(context, 0));

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// The sequence of an input slot, or INVALID_ARGUMENT when the slot is empty or holds something else.
Result<const SequenceValue*> requireSequence(const KernelContext& context, size_t slot);

// A position among `count` items, negative from the end: [-count, count-1]; with `atEnd`, count itself too.
Result<size_t> resolvePosition(int64_t position, size_t count, bool atEnd);

}  // namespace cutaway::cpu

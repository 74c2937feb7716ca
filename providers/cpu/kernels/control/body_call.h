#pragma once
// What Loop and Scan share: values handed from one body run to the next, slices collected into one tensor, and the
// shape of what was never produced.
//
// A body's outputs may lie in memory that its next run overwrites (tensors without keepAlive). What must outlive the
// next run is copied into memory of our own, which is kept for the next time. Thread rule: as KernelState; one object a
// frame. Example:
//   CarriedValue carried;  CUTAWAY_CHECK(carried.take(outputs[1]));  inputs[2] = carried.value();
//   SliceCollector slices;  CUTAWAY_CHECK(slices.append(outputs[2].tensor()));  CUTAWAY_CHECK(slices.give(context, 0));

#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// One loop-carried value. Two buffers take turns, so that the value in use is never the one being written.
class CarriedValue {
 public:
  // Values that own their bytes are taken over, borrowed tensors are copied.
  Result<void> take(const RuntimeValue& value);
  // A view of a tensor that somebody else keeps alive for the whole run (the node's own inputs).
  void borrow(const RuntimeValue& value) { m_value = value; }
  const RuntimeValue& value() const { return m_value; }
  void drop() { m_value.reset(); }

 private:
  RuntimeValue m_value;
  Tensor m_buffers[2];
  int m_next = 0;
};

// Equal slices, one after the other along a new first axis.
class SliceCollector {
 public:
  void begin();
  // FAIL when the slice differs from the first in type or dims.
  Result<void> append(const Tensor& slice);
  int64_t count() const { return m_count; }
  // Writes [count, slice dims...] to an output. count() must be above 0.
  Result<void> give(KernelContext& context, size_t slot) const;

 private:
  Result<void> reserve(int64_t elements);

  ElementType m_type = ElementType::kUndefined;
  Dims m_sliceDims;
  int64_t m_count = 0;
  Tensor m_buffer;  // one axis; sub-byte elements unpacked to bytes, because slices need not end with a byte
};

// Copies a body's output to an output of the node: tensors into the planned buffer, other values shared.
Result<void> giveValue(KernelContext& context, size_t slot, const RuntimeValue& value);

// The dims of a body output that was never produced: declared sizes, 0 where they are not known.
Dims declaredDims(const ValueType& type);

// One bool of a condition; FAIL when there is not exactly one.
Result<bool> readCondition(const RuntimeValue& value);

}  // namespace cutaway::cpu

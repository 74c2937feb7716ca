#pragma once
// The sequential executor: runs the steps of one frame in order.
//
// Thread rule: one frame, one thread at a time. Inputs are bound before, outputs are read from the frame after.
// Example: CUTAWAY_CHECK(runFrame(frame, control));

#include "engine/execute/frame/frame.h"

namespace cutaway::execute {

// FAIL when the thread's StopSignal asks to stop (cancelled, or longer than the deadline); otherwise a kernel's error
// with operator and node named.
Result<void> runFrame(Frame& frame, const RunControl& control);

// Values of the main graph that RunControl::keep names, copied as soon as they are made.
struct KeptValue {
  uint32_t value = 0;
  RuntimeValue copy;
};
// Opens the run's CancelScope.
Result<void> runMainFrame(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept);

}  // namespace cutaway::execute

#pragma once
// A ProviderRun whose copies between host and device have lanes of their own: the work that is enqueued next does not
// wait for them, unless the plan says so.
//
// The executor says who waits: each copy of a program gives its own notification when it is done, and only a host step
// that reads what it brings (waitOnHost), or work of the device that reads that or takes over the copy's memory
// (waitOnDevice), waits for it. ProviderRun::end(true) waits for all of them. One run serves all graphs of a session's
// run: bodies enqueue on the same streams, so that their work is in order with that of the graphs around them.
// Notifications, captured segments and steps are numbered over all graphs. Several recordings of one segment are kept,
// by address; endRecording of segment -1 drops what was enqueued. Thread rule: as ProviderRun. Example:
// engine/execute/executor_step.cpp; providers/cuda/gpu_run.h.

#include "engine/provider/provider_run.h"

namespace cutaway {

// Belongs to whoever copies beside the plan.
inline constexpr int32_t kSpareNotification = 0;

class DeviceRun : public ProviderRun {
 public:
  // As ProviderRun::copy; `number` is the notification given when it is done. It starts after what was enqueued
  // before. To the device: the host's bytes may be written again at once. To the host: they are in place after
  // waitOnHost(number) or end(true), and until then `to`'s memory must stay.
  virtual Result<void> copyAside(const Tensor& from, Tensor& to, int32_t number) = 0;
  // Work enqueued from here on starts after notification `number`; one that this run has not given belongs to a step
  // that it leaves out.
  virtual Result<void> waitOnDevice(int32_t number) = 0;

  Result<void> copy(const Tensor& from, Tensor& to) override { return copyAside(from, to, kSpareNotification); }
};

}  // namespace cutaway

#pragma once
// What one frame keeps of a provider whose device works on its own: its streams, scratch, events, captured segments
// and times.
//
// A kernel of such a provider enqueues work on the device and returns before it is done. The executor says where
// somebody waits: begin(), then for each step beginStep(), the kernel, endStep(), signal() when the plan has a
// notification there; a step of another device that reads the result is preceded by waitOnHost(); end() waits for
// everything, and brings errors of work that was enqueued before. Copies between the host and the device go through
// copy() while a run is open. A segment is a run of consecutive steps that use the same addresses and shapes every
// time: it is recorded in the first run and replayed as one thing in later ones. Thread rule: one frame, one thread at
// a time. Steady calls allocate nothing and take no lock. Example: engine/execute/executor.cpp;
// providers/cuda/gpu_run.h.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway {

// Something that the device did, by its own clock.
struct DeviceSpan {
  enum class Kind : uint8_t { kKernel, kCopyToDevice, kCopyToHost, kCopyOnDevice, kReplay };
  int32_t step = -1;  // of the frame's program; -1: of none
  int32_t lane = 0;   // the device's streams, counted from 0: index into ProviderRun::lanes()
  Kind kind = Kind::kKernel;
  int64_t startNs = 0;  // on nowNs()'s clock
  int64_t endNs = 0;
  int64_t bytes = 0;           // of copies
  const char* name = nullptr;  // of the device's kernel; lives as long as the provider. nullptr: the step's operator
};

// Memory of the device, as the provider's allocator counts it.
struct DeviceMemory {
  int64_t inUseBytes = 0;
  int64_t peakBytes = 0;     // since the run began
  int64_t heldBytes = 0;     // taken from the device, in use or not
  int64_t scratchBytes = 0;  // most workspace in this run
};

class ProviderRun {
 public:
  virtual ~ProviderRun() = default;

  virtual Result<void> begin(bool profiled) = 0;
  // Waits for the device. completed false: the run ends early (error, cancelled); whatever the device still does is
  // waited for, and open recordings are dropped.
  virtual Result<void> end(bool completed) = 0;

  virtual void beginStep(int32_t /*step*/) {}
  virtual void endStep() {}

  // Sizes are equal; one side is the host. The host's side may be read by the host (or written again) after
  // waitOnHost() of a signal given later, or after end().
  virtual Result<void> copy(const Tensor& from, Tensor& to) = 0;

  // What was enqueued so far is called notification `number` (0 to count - 1 of this frame's program).
  virtual Result<void> signal(int32_t number) = 0;
  // Returns when the device has done all that.
  virtual Result<void> waitOnHost(int32_t number) = 0;

  // --- Captured segments, by number in this frame's program. `addresses`: of everything the segment reads and writes,
  // in a fixed order. True: a recording for these addresses exists and was started; the steps are not run.
  virtual Result<bool> replay(int32_t /*segment*/, std::span<const void* const> /*addresses*/) { return false; }
  // The steps enqueued between these two are recorded (and not yet run); endRecording starts them. False: the device
  // refused (see recordingProblem), and the steps must be run again as usual.
  virtual Result<void> beginRecording(int32_t /*segment*/) { return {}; }
  virtual Result<bool> endRecording(int32_t /*segment*/, std::span<const void* const> /*addresses*/) { return false; }
  virtual std::string recordingProblem(int32_t /*segment*/) const { return {}; }

  // --- After end() of a profiled run.
  virtual std::vector<std::string> lanes() const { return {}; }  // "cuda:0 compute", "cuda:0 to device", ...
  virtual const std::vector<DeviceSpan>& spans() const = 0;
  virtual DeviceMemory memory() const { return {}; }
};

// What a provider's kernels are made with (its device, its caches): see KernelInfo::resources(). A provider casts it to
// its own type.
class ProviderResources {
 public:
  virtual ~ProviderResources() = default;
};

}  // namespace cutaway

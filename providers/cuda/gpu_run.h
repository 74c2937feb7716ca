#pragma once
// One frame's work on the GPU: its compute stream, a stream for copies in each direction, scratch, notifications,
// recordings and times.
//
// Copies go through pinned memory. One to the device reads the caller's bytes at once; one from the device leaves its
// bytes in pinned memory, and whoever waits for it brings them to their place. Profiled runs put two timed events
// around every step and copy; their times are read after the run. Thread rule: as ProviderRun. Example: see
// gpu_kernel.cpp.

#include <memory>
#include <optional>

#include "engine/provider/device_run.h"
#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/gpu_resources.h"
#include "providers/cuda/pinned_pool.h"
#include "providers/cuda/run_times.h"

namespace cutaway::cuda {

class GpuRun final : public DeviceRun {
 public:
  static constexpr size_t kMostRecordings = 4;  // of one segment

  // What goes wrong here is said by begin().
  explicit GpuRun(std::shared_ptr<GpuResources> resources);
  ~GpuRun() override;

  DeviceBackend& backend() const { return *m_resources->backend(); }
  Stream stream() const { return m_compute; }
  const GpuResources& resources() const { return *m_resources; }

  // Device scratch that work enqueued on stream() may use until the step ends; blocks of one step do not overlap. Grows
  // to its high-water mark, so a steady run allocates nothing.
  Result<void*> scratch(size_t sizeBytes);
  // What was taken after the mark is free for work enqueued later: for steps made of several kernels.
  struct ScratchMark {
    size_t block = 0, used = 0;
  };
  ScratchMark scratchMark() const { return {m_scratchBlock, m_scratchUsed}; }
  void rewindScratch(const ScratchMark& mark);
  // Where functors leave word of an index out of range; end() makes an error of it. Device memory, the same for the
  // whole life of the run.
  Result<IndexFault*> faultRecord();
  // A lost device stays lost: every later run says so.
  Error failed(const Status& status, std::string_view doing);

  Result<void> begin(bool profiled) override;
  Result<void> end(bool completed) override;
  void beginStep(int32_t step) override;
  void endStep() override;
  Result<void> copyAside(const Tensor& from, Tensor& to, int32_t number) override;
  Result<void> signal(int32_t number) override;
  Result<void> waitOnHost(int32_t number) override;
  Result<void> waitOnDevice(int32_t number) override;
  Result<bool> replay(int32_t segment, std::span<const void* const> addresses) override;
  Result<void> beginRecording(int32_t segment) override;
  Result<bool> endRecording(int32_t segment, std::span<const void* const> addresses) override;
  std::string recordingProblem(int32_t segment) const override;
  std::vector<std::string> lanes() const override;
  const std::vector<DeviceSpan>& spans() const override { return m_times.spans(); }
  DeviceMemory memory() const override;

 private:
  struct ScratchBlock {
    void* data = nullptr;
    size_t sizeBytes = 0;
  };
  struct Notification {
    Event event = nullptr;
    bool given = false;  // in this run
    bool hostWaited = false;
    bool deviceWaited = false;
    void* staged = nullptr;  // bytes on their way to the host, in pinned memory
    void* target = nullptr;
    size_t sizeBytes = 0;
  };
  struct SegmentRecording {
    Recording recording = nullptr;
    std::vector<const void*> addresses;
    uint64_t scratchVersion = 0;
  };
  struct SegmentRecordings {
    std::vector<SegmentRecording> kept;
    std::string status;
  };

  Status makeStreams();
  Status askFault();
  Result<void> checkFault();
  Result<Notification*> notification(int32_t number);
  Status copyToDevice(void* to, const void* from, size_t sizeBytes, Notification& done);
  Status copyToHost(void* to, const void* from, size_t sizeBytes, Notification& done);
  Status copyOnDevice(void* to, const void* from, size_t sizeBytes, Notification& done);
  Status timedCopy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream, int32_t lane);
  Status finishCopy(Notification& done);
  void mergeScratch();
  void resetScratch();
  SegmentRecordings& recordingsOf(int32_t segment);
  void keepRecording(SegmentRecordings& known, Recording recording, std::span<const void* const> addresses);

  std::shared_ptr<GpuResources> m_resources;
  Status m_broken;  // why there are no streams
  Stream m_compute = nullptr, m_toDevice = nullptr, m_toHost = nullptr;
  Event m_order = nullptr;  // what has been enqueued on compute so far
  bool m_enqueued = false;  // something was enqueued on compute since begin()
  bool m_running = false;
  bool m_recording = false;
  std::vector<ScratchBlock> m_scratch;           // of the open step
  size_t m_scratchBlock = 0;                     // the one in hand
  size_t m_scratchUsed = 0;                      // of it
  size_t m_scratchTaken = 0, m_scratchMost = 0;  // in the open step; in this run
  uint64_t m_scratchVersion = 0;
  std::vector<Notification> m_notifications;
  std::optional<PinnedPool> m_pinned;
  std::vector<SegmentRecordings> m_recordings;  // by segment
  IndexFault* m_fault = nullptr;                // on the device
  IndexFault* m_faultSeen = nullptr;            // pinned: what it said when the run ended
  RunTimes m_times;
  int32_t m_step = -1;
  bool m_enqueuedBefore = false;  // m_enqueued when the step began: a step that only copies enqueues nothing on compute
  bool m_inKernel = false;
};

}  // namespace cutaway::cuda

// Recordings of a run's captured segments: kept by the addresses that they read and write, and by the scratch that they
// use.

#include <algorithm>

#include "providers/cuda/gpu_run.h"

namespace cutaway::cuda {

GpuRun::SegmentRecordings& GpuRun::recordingsOf(int32_t segment) {
  const auto place = static_cast<size_t>(segment);
  if (place >= m_recordings.size()) m_recordings.resize(place + 1);
  return m_recordings[place];
}

Result<bool> GpuRun::replay(int32_t segment, std::span<const void* const> addresses) {
  if (static_cast<size_t>(segment) >= m_recordings.size()) return false;
  for (const SegmentRecording& each : m_recordings[static_cast<size_t>(segment)].kept) {
    if (each.scratchVersion != m_scratchVersion || !std::ranges::equal(each.addresses, addresses)) continue;
    m_enqueued = true;
    if (Status status = backend().replay(each.recording, m_compute); !status.ok())
      return fail(failed(status, "replay of a captured segment"));
    return true;
  }
  return false;
}

Result<void> GpuRun::beginRecording(int32_t /*segment*/) {
  if (!m_resources->options().recordSegments) return fail(ErrorCode::kNotImplemented, "graphs=0 was set");
  if (m_resources->options().blocking) return fail(ErrorCode::kNotImplemented, "blocking=1 waits after every kernel");
  if (Status status = backend().beginRecording(m_compute); !status.ok())
    return fail(failed(status, "the begin of a recording"));
  m_recording = true;
  return {};
}

// What cannot be used any more makes room first: recordings with other scratch, then the oldest.
void GpuRun::keepRecording(SegmentRecordings& known, Recording recording, std::span<const void* const> addresses) {
  const auto drop = [this](const SegmentRecording& each) { backend().dropRecording(each.recording); };
  for (const SegmentRecording& each : known.kept) {
    if (each.scratchVersion != m_scratchVersion) drop(each);
  }
  std::erase_if(known.kept, [this](const SegmentRecording& each) { return each.scratchVersion != m_scratchVersion; });
  if (known.kept.size() >= kMostRecordings) {
    drop(known.kept.front());
    known.kept.erase(known.kept.begin());
  }
  known.kept.push_back({recording, {addresses.begin(), addresses.end()}, m_scratchVersion});
}

Result<bool> GpuRun::endRecording(int32_t segment, std::span<const void* const> addresses) {
  m_recording = false;
  resetScratch();
  Recording recording = nullptr;
  Status status = backend().endRecording(m_compute, recording);
  if (segment < 0) {
    if (status.ok() && recording != nullptr) backend().dropRecording(recording);
    return false;
  }
  SegmentRecordings& known = recordingsOf(segment);
  if (status.ok()) {
    m_enqueued = true;
    status = backend().replay(recording, m_compute);
    if (!status.ok()) backend().dropRecording(recording);
  }
  known.status = status.text;
  if (status.code == StatusCode::kDeviceLost) return fail(failed(status, "a captured segment"));
  if (!status.ok()) return false;
  keepRecording(known, recording, addresses);
  return true;
}

std::string GpuRun::recordingProblem(int32_t segment) const {
  return static_cast<size_t>(segment) < m_recordings.size() ? m_recordings[static_cast<size_t>(segment)].status
                                                            : std::string();
}

}  // namespace cutaway::cuda

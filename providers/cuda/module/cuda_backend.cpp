#include "providers/cuda/module/cuda_backend.h"

#include <atomic>

#include <cuda_runtime_api.h>

#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/module/cudnn_operations.h"
#include "providers/cuda/module/device_facts.h"
#include "providers/cuda/module/device_pool.h"
#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/lt_matmul.h"
#include "providers/cuda/module/program.h"
#include "providers/cuda/module/trace.h"

#ifndef CUTAWAY_CUDA_LOWEST
#define CUTAWAY_CUDA_LOWEST 90
#endif

namespace cutaway::cuda {
namespace {

cudaStream_t native(Stream stream) {
  return reinterpret_cast<cudaStream_t>(stream);
}
cudaEvent_t native(Event event) {
  return reinterpret_cast<cudaEvent_t>(event);
}
cudaGraphExec_t native(Recording recording) {
  return reinterpret_cast<cudaGraphExec_t>(recording);
}

cudaMemcpyKind native(CopyKind kind) {
  switch (kind) {
    case CopyKind::kToDevice:
      return cudaMemcpyHostToDevice;
    case CopyKind::kToHost:
      return cudaMemcpyDeviceToHost;
    case CopyKind::kOnDevice:
      return cudaMemcpyDeviceToDevice;
  }
  return cudaMemcpyDefault;
}

bool isPinned(const void* host) {
  cudaPointerAttributes attributes{};
  const bool known = cudaPointerGetAttributes(&attributes, host) == cudaSuccess;
  if (!known) cudaGetLastError();
  return known && attributes.type == cudaMemoryTypeHost;
}

class CudaBackend final : public DeviceBackend {
 public:
  Status open(int device) {
    m_facts.index = device;
    if (Status status = enter(); !status.ok()) return status;
    if (Status status = readFacts(device, m_facts); !status.ok()) return status;
    if (m_facts.computeMajor * 10 + m_facts.computeMinor < CUTAWAY_CUDA_LOWEST)
      return Status::unsupported(m_facts.name + " is an " + m_facts.architecture +
                                 ", and this program's kernels are built for sm_" +
                                 std::to_string(CUTAWAY_CUDA_LOWEST) + " and newer (CUTAWAY_CUDA_ARCHITECTURES)");
    if (Status status = m_pool.open(device); !status.ok()) return status;
    m_facts.freeBytes = m_pool.figures().freeBytes;
    readLibraries(m_facts);
    return {};
  }
  ~CudaBackend() override { enter(); }

  const DeviceFacts& facts() const override { return m_facts; }

  Status allocate(size_t sizeBytes, Stream stream, void*& block) override {
    if (Status status = enter(); !status.ok()) return status;
    return m_pool.allocate(sizeBytes, native(stream), block);
  }
  Status release(void* block, Stream stream) override {
    if (Status status = enter(); !status.ok()) return status;
    return m_pool.release(block, native(stream));
  }
  Status allocatePinned(size_t sizeBytes, void*& block) override {
    block = nullptr;
    return called("cudaHostAlloc",
                  [&] { return cudaHostAlloc(&block, sizeBytes == 0 ? 1 : sizeBytes, cudaHostAllocPortable); });
  }
  Status releasePinned(void* block) override {
    return block == nullptr ? Status{} : called("cudaFreeHost", [&] { return cudaFreeHost(block); });
  }
  MemoryFigures memory() const override {
    if (!enter().ok()) return {};
    return m_pool.figures();
  }
  Status trim(size_t keepBytes) override {
    if (Status status = enter(); !status.ok()) return status;
    return m_pool.trim(keepBytes);
  }

  // Streams do not wait for the legacy default stream, which others in this process may use.
  Status makeStream(Stream& stream) override {
    cudaStream_t made = nullptr;
    Status status =
        called("cudaStreamCreateWithFlags", [&] { return cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking); });
    stream = reinterpret_cast<Stream>(made);
    return status;
  }
  void endStream(Stream stream) override {
    called("cudaStreamDestroy", [&] { return cudaStreamDestroy(native(stream)); });
  }
  Status makeEvent(bool timed, Event& event) override {
    cudaEvent_t made = nullptr;
    Status status = called("cudaEventCreateWithFlags", [&] {
      return cudaEventCreateWithFlags(&made, timed ? cudaEventDefault : cudaEventDisableTiming);
    });
    event = reinterpret_cast<Event>(made);
    return status;
  }
  void endEvent(Event event) override {
    called("cudaEventDestroy", [&] { return cudaEventDestroy(native(event)); });
  }
  Status record(Event event, Stream stream) override {
    return called("cudaEventRecord", [&] { return cudaEventRecord(native(event), native(stream)); });
  }
  Status wait(Stream stream, Event event) override {
    return called("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(native(stream), native(event), 0); });
  }
  Status synchronize(Stream stream) override {
    return called("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(native(stream)); });
  }
  Status synchronize(Event event) override {
    return called("cudaEventSynchronize", [&] { return cudaEventSynchronize(native(event)); });
  }
  Status elapsed(Event from, Event to, int64_t& ns) override {
    float milliseconds = 0;
    Status status =
        called("cudaEventElapsedTime", [&] { return cudaEventElapsedTime(&milliseconds, native(from), native(to)); });
    ns = static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
    return status;
  }

  Status copy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream) override {
    if (sizeBytes == 0) return {};
    // The recording would keep the host's address, and read whatever lies there when it is replayed.
    if (kind != CopyKind::kOnDevice && m_pool.isRecorded(native(stream)) &&
        !isPinned(kind == CopyKind::kToDevice ? from : to))
      return {StatusCode::kCaptureRefused, "a copy of memory that is not pinned cannot be recorded"};
    return called("cudaMemcpyAsync",
                  [&] { return cudaMemcpyAsync(to, from, sizeBytes, native(kind), native(stream)); });
  }
  Status fill(void* to, uint8_t byte, size_t sizeBytes, Stream stream) override {
    if (sizeBytes == 0) return {};
    return called("cudaMemsetAsync", [&] { return cudaMemsetAsync(to, byte, sizeBytes, native(stream)); });
  }
  DeviceKernel find(std::string_view name) const override {
    const LaunchTable::Entry entry = launchTable().find(name);
    return {entry.launch, entry.name};
  }
  Status launch(const DeviceKernel& kernel, const void* parameters, Stream stream) override {
    return called(kernel.name,
                  [&] { return static_cast<cudaError_t>(kernel.launch(parameters, stream, m_facts.multiprocessors)); });
  }

  Status makeMatmul(const MatmulDescription& description, ArtifactStore& store,
                    std::unique_ptr<Operation>& operation) override {
    if (Status status = enter(); !status.ok()) return status;
    return makeLtMatmul({.backend = this, .search = m_search}, description, store, operation);
  }
  Status makeConvolution(const ConvolutionDescription& description, ArtifactStore& store,
                         std::unique_ptr<Operation>& operation) override {
    if (Status status = enter(); !status.ok()) return status;
    return makeCudnnConvolution({.facts = &m_facts, .search = m_search}, description, store, operation);
  }
  Status makeAttention(const AttentionDescription& description, ArtifactStore& store,
                       std::unique_ptr<Operation>& operation) override {
    if (Status status = enter(); !status.ok()) return status;
    return makeCudnnAttention({.facts = &m_facts, .search = m_search}, description, store, operation);
  }
  void searchAlgorithms(bool search) override { m_search = search; }
  Status compile(const std::string& source, const std::string& name, ArtifactStore& store,
                 std::unique_ptr<CompiledProgram>& program) override {
    if (Status status = enter(); !status.ok()) return status;
    return makeProgram(m_facts, source, name, store, program);
  }

  // Thread-local: other threads may do what they like meanwhile; this one is refused what cannot be recorded.
  Status beginRecording(Stream stream) override {
    Status status = called("cudaStreamBeginCapture",
                           [&] { return cudaStreamBeginCapture(native(stream), cudaStreamCaptureModeThreadLocal); });
    if (status.ok()) m_pool.recordingBegun();
    return status;
  }
  Status endRecording(Stream stream, Recording& recording) override {
    recording = nullptr;
    cudaGraph_t graph = nullptr;
    Status status = called("cudaStreamEndCapture", [&] { return cudaStreamEndCapture(native(stream), &graph); });
    Status released = m_pool.recordingEnded();
    cudaGraphExec_t made = nullptr;
    if (status.ok() && graph != nullptr)
      status = called("cudaGraphInstantiate", [&] { return cudaGraphInstantiate(&made, graph, 0); });
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (status.ok()) status = std::move(released);
    if (status.ok() && made != nullptr)
      status = called("cudaGraphUpload", [&] { return cudaGraphUpload(made, native(stream)); });
    if (status.ok() && made == nullptr) status = {StatusCode::kCaptureRefused, "nothing was recorded"};
    if (!status.ok() && made != nullptr) cudaGraphExecDestroy(made);
    if (status.ok()) recording = reinterpret_cast<Recording>(made);
    return status;
  }
  Status replay(Recording recording, Stream stream) override {
    return called("cudaGraphLaunch", [&] { return cudaGraphLaunch(native(recording), native(stream)); });
  }
  void dropRecording(Recording recording) override {
    if (recording != nullptr) called("cudaGraphExecDestroy", [&] { return cudaGraphExecDestroy(native(recording)); });
  }

  Status startTrace() override {
    if (Status status = enter(); !status.ok()) return status;
    return startDeviceTrace();
  }
  Status stopTrace(std::vector<DeviceActivity>& activities) override {
    if (Status status = enter(); !status.ok()) return status;
    if (Status status = statusOf(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); !status.ok()) return status;
    return stopDeviceTrace(m_facts.index, activities);
  }

 private:
  // The current device belongs to the thread, and others may have set it to theirs.
  Status enter() const { return statusOf(cudaSetDevice(m_facts.index), "cudaSetDevice"); }
  template <typename Call>
  Status called(const char* what, Call call) const {
    if (Status status = enter(); !status.ok()) return status;
    return statusOf(call(), what);
  }

  DeviceFacts m_facts;
  DevicePool m_pool;
  std::atomic<bool> m_search = false;
};

}  // namespace

Status openCudaBackend(int device, std::unique_ptr<DeviceBackend>& backend) {
  int count = 0;
  if (Status status = countDevices(count); !status.ok()) return status;
  if (device < 0 || device >= count)
    return Status::unsupported("there is no device " + std::to_string(device) + ": the driver sees " +
                               std::to_string(count) +
                               (count == 1 ? ", device 0" : ", devices 0 to " + std::to_string(count - 1)));
  auto made = std::make_unique<CudaBackend>();
  if (Status status = made->open(device); !status.ok()) return status;
  backend = std::move(made);
  return {};
}

}  // namespace cutaway::cuda

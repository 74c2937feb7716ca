#include "providers/cuda/module/cuda_machine.h"

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

class CudaMachine final : public Machine {
 public:
  Problem open(int device) {
    m_facts.index = device;
    if (Problem problem = enter()) return problem;
    if (Problem problem = readFacts(device, m_facts)) return problem;
    if (m_facts.computeMajor * 10 + m_facts.computeMinor < CUTAWAY_CUDA_LOWEST)
      return Problem::unsupported(m_facts.name + " is an " + m_facts.architecture +
                                  ", and this program's kernels are built for sm_" +
                                  std::to_string(CUTAWAY_CUDA_LOWEST) + " and newer (CUTAWAY_CUDA_ARCHITECTURES)");
    if (Problem problem = m_pool.open(device)) return problem;
    m_facts.freeBytes = m_pool.figures().freeBytes;
    readLibraries(m_facts);
    return {};
  }
  ~CudaMachine() override { enter(); }

  const DeviceFacts& facts() const override { return m_facts; }

  Problem allocate(size_t sizeBytes, Stream stream, void*& block) override {
    if (Problem problem = enter()) return problem;
    return m_pool.allocate(sizeBytes, native(stream), block);
  }
  Problem release(void* block, Stream stream) override {
    if (Problem problem = enter()) return problem;
    return m_pool.release(block, native(stream));
  }
  Problem allocatePinned(size_t sizeBytes, void*& block) override {
    block = nullptr;
    return told("cudaHostAlloc",
                [&] { return cudaHostAlloc(&block, sizeBytes == 0 ? 1 : sizeBytes, cudaHostAllocPortable); });
  }
  Problem releasePinned(void* block) override {
    return block == nullptr ? Problem{} : told("cudaFreeHost", [&] { return cudaFreeHost(block); });
  }
  MemoryFigures memory() const override {
    if (enter()) return {};
    return m_pool.figures();
  }
  Problem trim(size_t keepBytes) override {
    if (Problem problem = enter()) return problem;
    return m_pool.trim(keepBytes);
  }

  // Streams do not wait for the legacy default stream, which others in this process may use.
  Problem makeStream(Stream& stream) override {
    cudaStream_t made = nullptr;
    Problem problem =
        told("cudaStreamCreateWithFlags", [&] { return cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking); });
    stream = reinterpret_cast<Stream>(made);
    return problem;
  }
  void endStream(Stream stream) override {
    told("cudaStreamDestroy", [&] { return cudaStreamDestroy(native(stream)); });
  }
  Problem makeEvent(bool timed, Event& event) override {
    cudaEvent_t made = nullptr;
    Problem problem = told("cudaEventCreateWithFlags", [&] {
      return cudaEventCreateWithFlags(&made, timed ? cudaEventDefault : cudaEventDisableTiming);
    });
    event = reinterpret_cast<Event>(made);
    return problem;
  }
  void endEvent(Event event) override {
    told("cudaEventDestroy", [&] { return cudaEventDestroy(native(event)); });
  }
  Problem record(Event event, Stream stream) override {
    return told("cudaEventRecord", [&] { return cudaEventRecord(native(event), native(stream)); });
  }
  Problem wait(Stream stream, Event event) override {
    return told("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(native(stream), native(event), 0); });
  }
  Problem synchronize(Stream stream) override {
    return told("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(native(stream)); });
  }
  Problem synchronize(Event event) override {
    return told("cudaEventSynchronize", [&] { return cudaEventSynchronize(native(event)); });
  }
  Problem elapsed(Event from, Event to, int64_t& ns) override {
    float milliseconds = 0;
    Problem problem =
        told("cudaEventElapsedTime", [&] { return cudaEventElapsedTime(&milliseconds, native(from), native(to)); });
    ns = static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
    return problem;
  }

  Problem copy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream) override {
    if (sizeBytes == 0) return {};
    // The recording would keep the host's address, and read whatever lies there when it is replayed.
    if (kind != CopyKind::kOnDevice && m_pool.isRecorded(native(stream)) &&
        !isPinned(kind == CopyKind::kToDevice ? from : to))
      return {ProblemKind::kCaptureRefused, "a copy of memory that is not pinned cannot be recorded"};
    return told("cudaMemcpyAsync", [&] { return cudaMemcpyAsync(to, from, sizeBytes, native(kind), native(stream)); });
  }
  Problem fill(void* to, uint8_t byte, size_t sizeBytes, Stream stream) override {
    if (sizeBytes == 0) return {};
    return told("cudaMemsetAsync", [&] { return cudaMemsetAsync(to, byte, sizeBytes, native(stream)); });
  }
  DeviceKernel find(std::string_view name) const override {
    const LaunchTable::Entry entry = launchTable().find(name);
    return {entry.launch, entry.name};
  }
  Problem launch(const DeviceKernel& kernel, const void* parameters, Stream stream) override {
    return told(kernel.name,
                [&] { return static_cast<cudaError_t>(kernel.launch(parameters, stream, m_facts.multiprocessors)); });
  }

  Problem makeMatmul(const MatmulDescription& description, ArtifactStore& store,
                     std::unique_ptr<Operation>& operation) override {
    if (Problem problem = enter()) return problem;
    return makeLtMatmul({.machine = this, .search = m_search}, description, store, operation);
  }
  Problem makeConvolution(const ConvolutionDescription& description, ArtifactStore& store,
                          std::unique_ptr<Operation>& operation) override {
    if (Problem problem = enter()) return problem;
    return makeCudnnConvolution({.facts = &m_facts, .search = m_search}, description, store, operation);
  }
  Problem makeAttention(const AttentionDescription& description, ArtifactStore& store,
                        std::unique_ptr<Operation>& operation) override {
    if (Problem problem = enter()) return problem;
    return makeCudnnAttention({.facts = &m_facts, .search = m_search}, description, store, operation);
  }
  void searchAlgorithms(bool search) override { m_search = search; }
  Problem compile(const std::string& source, const std::string& name, ArtifactStore& store,
                  std::unique_ptr<CompiledProgram>& program) override {
    if (Problem problem = enter()) return problem;
    return makeProgram(m_facts, source, name, store, program);
  }

  // Thread-local: other threads may do what they like meanwhile; this one is refused what cannot be recorded.
  Problem beginRecording(Stream stream) override {
    Problem problem = told("cudaStreamBeginCapture",
                           [&] { return cudaStreamBeginCapture(native(stream), cudaStreamCaptureModeThreadLocal); });
    if (!problem) m_pool.recordingBegun();
    return problem;
  }
  Problem endRecording(Stream stream, Recording& recording) override {
    recording = nullptr;
    cudaGraph_t graph = nullptr;
    Problem problem = told("cudaStreamEndCapture", [&] { return cudaStreamEndCapture(native(stream), &graph); });
    Problem released = m_pool.recordingEnded();
    cudaGraphExec_t made = nullptr;
    if (!problem && graph != nullptr)
      problem = told("cudaGraphInstantiate", [&] { return cudaGraphInstantiate(&made, graph, 0); });
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (!problem) problem = std::move(released);
    if (!problem && made != nullptr)
      problem = told("cudaGraphUpload", [&] { return cudaGraphUpload(made, native(stream)); });
    if (!problem && made == nullptr) problem = {ProblemKind::kCaptureRefused, "nothing was recorded"};
    if (problem && made != nullptr) cudaGraphExecDestroy(made);
    if (!problem) recording = reinterpret_cast<Recording>(made);
    return problem;
  }
  Problem replay(Recording recording, Stream stream) override {
    return told("cudaGraphLaunch", [&] { return cudaGraphLaunch(native(recording), native(stream)); });
  }
  void dropRecording(Recording recording) override {
    if (recording != nullptr) told("cudaGraphExecDestroy", [&] { return cudaGraphExecDestroy(native(recording)); });
  }

  Problem startTrace() override {
    if (Problem problem = enter()) return problem;
    return startDeviceTrace();
  }
  Problem stopTrace(std::vector<DeviceActivity>& activities) override {
    if (Problem problem = enter()) return problem;
    if (Problem problem = problemOf(cudaDeviceSynchronize(), "cudaDeviceSynchronize")) return problem;
    return stopDeviceTrace(m_facts.index, activities);
  }

 private:
  // The current device belongs to the thread, and others may have set it to theirs.
  Problem enter() const { return problemOf(cudaSetDevice(m_facts.index), "cudaSetDevice"); }
  template <typename Call>
  Problem told(const char* what, Call call) const {
    if (Problem problem = enter()) return problem;
    return problemOf(call(), what);
  }

  DeviceFacts m_facts;
  DevicePool m_pool;
  std::atomic<bool> m_search = false;
};

}  // namespace

Problem openCudaMachine(int device, std::unique_ptr<Machine>& machine) {
  int count = 0;
  if (Problem problem = countDevices(count)) return problem;
  if (device < 0 || device >= count)
    return Problem::unsupported("there is no device " + std::to_string(device) + ": the driver sees " +
                                std::to_string(count) +
                                (count == 1 ? ", device 0" : ", devices 0 to " + std::to_string(count - 1)));
  auto made = std::make_unique<CudaMachine>();
  if (Problem problem = made->open(device)) return problem;
  machine = std::move(made);
  return {};
}

}  // namespace cutaway::cuda

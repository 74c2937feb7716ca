#pragma once
// The device interface: everything the provider asks of one GPU. Behind it stands the CUDA module
// (providers/cuda/module, opened at run time), or the emulator (providers/cuda/emulator), which runs the same functors
// on the CPU so that everything above the interface is tested without a GPU.
//
// Only plain data passes: pointers, numbers, std::string and std::vector. Nothing throws through it; every call says
// its Status. Thread rule: any thread, unless said otherwise; recording belongs to the thread that began it. Example:
//   std::unique_ptr<DeviceBackend> backend;  if (Status status = opener.open(0, backend); !status.ok())
//   show(status.text); void* block = nullptr;  backend->allocate(1 << 20, stream, block);

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/cuda/backend/operations.h"

namespace cutaway::cuda {

inline constexpr int kBackendInterface = 2;
inline constexpr const char* kBackendSymbol = "cutawayCudaBackends";

struct EventTag;
using Event = EventTag*;
struct RecordingTag;
using Recording = RecordingTag*;

struct DeviceFacts {
  int index = 0;
  std::string name;  // "NVIDIA H100 80GB HBM3"
  int computeMajor = 0, computeMinor = 0;
  int multiprocessors = 0;
  int64_t totalBytes = 0, freeBytes = 0;
  int64_t cacheBytes = 0;           // L2
  int64_t sharedBytesPerBlock = 0;  // at most, opted in
  double memoryBytesPerSecond = 0;
  double linkBytesPerSecond = 0;  // the bus to the host, one direction
  double flopsPerSecond = 0;      // fp32 without tensor cores
  std::string architecture;       // "sm_90"
  std::string driverVersion, runtimeVersion, cublasVersion, cudnnVersion,
      compilerVersion;  // empty: missing; the reason is in `missing`
  std::vector<std::string>
      missing;  // "cuDNN: libcudnn.so.9 cannot be opened (...)": what is missing, and how to get it
  bool emulated = false;
};

enum class CopyKind : uint8_t { kToDevice, kToHost, kOnDevice };

// A compiled functor: launches itself on a parameter block (functors/launch_table.h).
using LaunchFunction = int (*)(const void* parameters, Stream stream, int multiprocessors);
struct DeviceKernel {
  LaunchFunction launch = nullptr;
  const char* name = nullptr;
  explicit operator bool() const { return launch != nullptr; }
};

struct MemoryFigures {
  int64_t freeBytes = 0, totalBytes = 0;
  int64_t pooledBytes = 0;  // held by the stream-ordered pool
  int64_t usedBytes = 0;    // of these, in use
};

// What happened on the device between two calls of trace(), by the profiler library (CUPTI) where it is there.
struct DeviceActivity {
  std::string name;
  int64_t startNs = 0, endNs = 0;  // on the host's steady clock
  int64_t bytes = 0;
  uint32_t stream = 0;
};

class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  virtual const DeviceFacts& facts() const = 0;

  // --- Memory. Blocks are aligned to 256 bytes. Stream-ordered: usable by work enqueued on `stream` (or ordered after
  // it), released when what was enqueued before is done.
  virtual Status allocate(size_t sizeBytes, Stream stream, void*& block) = 0;
  virtual Status release(void* block, Stream stream) = 0;
  virtual Status allocatePinned(size_t sizeBytes, void*& block) = 0;
  virtual Status releasePinned(void* block) = 0;
  virtual MemoryFigures memory() const = 0;
  // Gives what the pool holds beyond keepBytes back to the device.
  virtual Status trim(size_t keepBytes) = 0;

  // --- Order. nullptr is no stream: every call names one.
  virtual Status makeStream(Stream& stream) = 0;
  virtual void endStream(Stream stream) = 0;
  virtual Status makeEvent(bool timed, Event& event) = 0;
  virtual void endEvent(Event event) = 0;
  virtual Status record(Event event, Stream stream) = 0;
  virtual Status wait(Stream stream, Event event) = 0;  // later work of the stream starts after the event
  virtual Status synchronize(Stream stream) = 0;
  virtual Status synchronize(Event event) = 0;
  virtual Status elapsed(Event from, Event to, int64_t& ns) = 0;  // both timed and done

  // --- Work
  virtual Status copy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream) = 0;
  virtual Status fill(void* to, uint8_t byte, size_t sizeBytes, Stream stream) = 0;
  // By name, such as "unary.relu.float"; launch is nullptr when there is none.
  virtual DeviceKernel find(std::string_view name) const = 0;
  virtual Status launch(const DeviceKernel& kernel, const void* parameters, Stream stream) = 0;

  // kUnsupported: the library is missing or has no way for this; the caller has another (a functor).
  virtual Status makeMatmul(const MatmulDescription& description, ArtifactStore& store,
                            std::unique_ptr<Operation>& operation) = 0;
  virtual Status makeConvolution(const ConvolutionDescription& description, ArtifactStore& store,
                                 std::unique_ptr<Operation>& operation) = 0;
  virtual Status makeAttention(const AttentionDescription& description, ArtifactStore& store,
                               std::unique_ptr<Operation>& operation) = 0;
  // Operations made from now on: true times the libraries' algorithms on the device and takes the fastest; false (the
  // default) takes what the library thinks best.
  virtual void searchAlgorithms(bool /*search*/) {}
  // source: CUDA C++ with one extern "C" __global__ function `name`. A backend whose facts say `emulated` compiles
  // nothing: it runs the function of the host that was put under this source before (emulator/emulated_programs.h), and
  // is kUnsupported without one.
  virtual Status compile(const std::string& source, const std::string& name, ArtifactStore& store,
                         std::unique_ptr<CompiledProgram>& program) = 0;

  // --- Recording (CUDA graphs). Everything enqueued on `stream`, and to streams that wait for it, between the two
  // calls.
  virtual Status beginRecording(Stream stream) = 0;
  virtual Status endRecording(Stream stream,
                              Recording& recording) = 0;  // the stream takes work again, whatever the answer
  virtual Status replay(Recording recording, Stream stream) = 0;
  virtual void dropRecording(Recording recording) = 0;

  // --- Tracing by the profiler library, where present. kUnsupported otherwise.
  virtual Status startTrace() { return Status::unsupported("there is no profiler library"); }
  virtual Status stopTrace(std::vector<DeviceActivity>& /*activities*/) {
    return Status::unsupported("there is no profiler library");
  }
};

// What a module exports, through a function of name kBackendSymbol: DeviceBackends* (*)(int interface), nullptr when
// the interface is another.
class DeviceBackends {
 public:
  virtual ~DeviceBackends() = default;
  // Facts of every device; empty with a status that says what is missing (driver, device).
  virtual Status devices(std::vector<DeviceFacts>& facts) = 0;
  virtual Status open(int device, std::unique_ptr<DeviceBackend>& backend) = 0;
  // Machine code for an architecture ("sm_90"), by the run-time compiler alone: needs no device.
  // DeviceBackend::compile() does the same for its device, and loads it.
  virtual Status compileToCubin(const std::string& source, const std::string& architecture,
                                std::vector<std::byte>& cubin) = 0;
};

}  // namespace cutaway::cuda

#include "providers/cuda/host/host_machine.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

constexpr size_t kAlignment = 256;

struct HostEvent { int64_t atNs = 0; };

int64_t clockNs() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

class HostMachine final : public Machine {
 public:
  explicit HostMachine(const HostMachineOptions& options) : m_options(options) {
    m_facts = {.index = options.device, .name = "host machine (the device code on the CPU)", .computeMajor = 9, .computeMinor = 0, .multiprocessors = 1, .totalBytes = int64_t{64} << 30, .freeBytes = int64_t{64} << 30};
    m_facts.architecture = "sm_90";
    m_facts.emulated = true;
  }

  const DeviceFacts& facts() const override { return m_facts; }

  Problem allocate(size_t sizeBytes, Stream, void*& block) override {
    block = std::aligned_alloc(kAlignment, (std::max<size_t>(sizeBytes, 1) + kAlignment - 1) / kAlignment * kAlignment);
    return block == nullptr ? Problem{ProblemKind::kOutOfMemory, "the host has no more memory"} : Problem{};
  }
  Problem release(void* block, Stream) override { std::free(block); return {}; }
  Problem allocatePinned(size_t sizeBytes, void*& block) override { return allocate(sizeBytes, nullptr, block); }
  Problem releasePinned(void* block) override { return release(block, nullptr); }
  MemoryFigures memory() const override { return {.freeBytes = m_facts.freeBytes, .totalBytes = m_facts.totalBytes}; }
  Problem trim(size_t) override { return {}; }

  Problem makeStream(Stream& stream) override { stream = reinterpret_cast<Stream>(new char); return {}; }
  void endStream(Stream stream) override { delete reinterpret_cast<char*>(stream); }
  Problem makeEvent(bool, Event& event) override { event = reinterpret_cast<Event>(new HostEvent); return {}; }
  void endEvent(Event event) override { delete reinterpret_cast<HostEvent*>(event); }
  Problem record(Event event, Stream) override { reinterpret_cast<HostEvent*>(event)->atNs = clockNs(); return {}; }
  Problem wait(Stream, Event) override { return {}; }
  Problem synchronize(Stream) override { return {}; }
  Problem synchronize(Event) override { return {}; }
  Problem elapsed(Event from, Event to, int64_t& ns) override { ns = reinterpret_cast<HostEvent*>(to)->atNs - reinterpret_cast<HostEvent*>(from)->atNs; return {}; }

  Problem copy(void* to, const void* from, size_t sizeBytes, CopyKind, Stream) override { std::memcpy(to, from, sizeBytes); return {}; }
  Problem fill(void* to, uint8_t byte, size_t sizeBytes, Stream) override { std::memset(to, byte, sizeBytes); return {}; }
  DeviceKernel find(std::string_view name) const override {
    const LaunchTable::Entry entry = launchTable().find(name);
    return {entry.launch, entry.name};
  }
  Problem launch(const DeviceKernel& kernel, const void* parameters, Stream stream) override {
    hostBlocks() = m_options.blocks;
    const int code = kernel.launch(parameters, stream, m_facts.multiprocessors);
    hostBlocks() = HostBlocks::kSingle;
    if (code == kUnevenThreads) return {ProblemKind::kOther, "threads of a block ended while others waited for them"};
    return code == 0 ? Problem{} : Problem{ProblemKind::kOther, "the functor refused"};
  }

  Problem makeMatmul(const MatmulDescription&, ArtifactStore&, std::unique_ptr<Operation>&) override { return Problem::unsupported("the host machine has no products yet"); }
  Problem makeConvolution(const ConvolutionDescription&, ArtifactStore&, std::unique_ptr<Operation>&) override { return Problem::unsupported("the host machine has no convolutions yet"); }
  Problem makeAttention(const AttentionDescription&, ArtifactStore&, std::unique_ptr<Operation>&) override { return Problem::unsupported("the host machine has no attention yet"); }
  Problem compile(const std::string&, const std::string&, ArtifactStore&, std::unique_ptr<CompiledProgram>&) override { return Problem::unsupported("the host machine compiles nothing"); }

  Problem beginRecording(Stream) override { return Problem::unsupported("the host machine records nothing yet"); }
  Problem endRecording(Stream, Recording&) override { return Problem::unsupported("the host machine records nothing yet"); }
  Problem replay(Recording, Stream) override { return Problem::unsupported("the host machine records nothing yet"); }
  void dropRecording(Recording) override {}

 private:
  HostMachineOptions m_options;
  DeviceFacts m_facts;
};

}  // namespace

std::shared_ptr<Machine> makeHostMachine(const HostMachineOptions& options) { return std::make_shared<HostMachine>(options); }

}  // namespace cutaway::cuda

#include "providers/cuda/emulator/emulator.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>

#include "providers/cuda/emulator/emulated_memory.h"
#include "providers/cuda/emulator/emulated_programs.h"
#include "providers/cuda/emulator/emulated_stream.h"
#include "providers/cuda/emulator/emulated_work.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

using StreamBox = std::shared_ptr<EmulatedStream>;
using RecordingBox = std::shared_ptr<EmulatedRecording>;

int64_t clockNs() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
const StreamBox& of(Stream stream) {
  return *reinterpret_cast<StreamBox*>(stream);
}
EmulatedEvent& of(Event event) {
  return *reinterpret_cast<EmulatedEvent*>(event);
}
const RecordingBox& of(Recording recording) {
  return *reinterpret_cast<RecordingBox*>(recording);
}

// Catches what a functor launches, to be run later.
class Catcher final : public HostSink {
 public:
  struct Launch {
    Run run = nullptr;
    std::vector<std::byte> functor;
    int64_t count = 0;
    int threads = 0;
    int64_t sharedBytes = 0;
    int go() const { return run(functor.data(), count, threads, sharedBytes); }
  };
  void take(Run run, const void* functor, size_t sizeBytes, int64_t count, int threads, int64_t sharedBytes) override {
    const auto* bytes = static_cast<const std::byte*>(functor);
    m_caught.push_back({run, std::vector<std::byte>(bytes, bytes + sizeBytes), count, threads, sharedBytes});
  }
  std::vector<Launch> m_caught;
};

class EmulatedProgramCall final : public CompiledProgram {
 public:
  EmulatedProgramCall(WorkQueue& queue, EmulatedProgram bind) : m_queue(queue), m_bind(std::move(bind)) {}
  Status launch(std::span<void* const> arguments, int64_t elements, uint32_t, uint32_t, uint32_t,
                Stream stream) const override {
    return m_queue.enqueue(stream, m_bind(arguments, elements));
  }

 private:
  WorkQueue& m_queue;
  EmulatedProgram m_bind;
};

class Emulator final : public DeviceBackend, public WorkQueue {
 public:
  explicit Emulator(const EmulatorOptions& options)
      : m_options(options), m_memory(options.strict, options.memoryLimitBytes) {
    m_facts = {.index = options.device,
               .name = "emulator (the device code on the CPU)",
               .computeMajor = 9,
               .computeMinor = 0,
               .multiprocessors = 1,
               .totalBytes = m_memory.limitBytes(),
               .freeBytes = m_memory.limitBytes()};
    m_facts.architecture = "sm_90";
    m_facts.emulated = true;
  }

  const DeviceFacts& facts() const override { return m_facts; }

  Status allocate(size_t sizeBytes, Stream stream, void*& block) override {
    block = nullptr;
    const auto lock = locked();
    if (Status status = called("allocate", m_allocations, m_options.failures.allocation, StatusCode::kOutOfMemory);
        !status.ok())
      return status;
    if (of(stream)->recording != nullptr)
      return refuse(of(stream), "memory cannot be taken while a stream is recorded");
    block = takenAgain(*of(stream), sizeBytes);
    if (block == nullptr) block = m_memory.take(sizeBytes);
    if (block == nullptr && m_options.strict) {  // what is released may not have run yet
      runAll();
      block = m_memory.take(sizeBytes);
    }
    if (block == nullptr)
      return {StatusCode::kOutOfMemory, fmt::format("{} bytes of {} are in use, and {} more are wanted",
                                                    m_memory.usedBytes(), m_memory.limitBytes(), sizeBytes)};
    if (m_options.strict) m_sizes[block] = sizeBytes;
    return {};
  }

  Status release(void* block, Stream stream) override {
    if (block == nullptr) return {};
    const auto lock = locked();
    if (!m_options.strict) return found(m_memory.giveBack(block));
    auto release = std::make_shared<EmulatedRelease>(EmulatedRelease{block, m_sizes[block]});
    of(stream)->releases.push_back(release);
    push(*of(stream), [this, release, box = std::weak_ptr<EmulatedStream>(of(stream))] {
      if (const StreamBox stream = box.lock()) std::erase(stream->releases, release);
      if (release->takenAgain) return m_memory.poison(release->block);
      if (const std::string wrong = m_memory.giveBack(release->block); !wrong.empty()) lose(wrong);
    });
    return {};
  }

  Status allocatePinned(size_t sizeBytes, void*& block) override {
    const auto lock = locked();
    if (Status status =
            called("allocatePinned", m_allocations, m_options.failures.allocation, StatusCode::kOutOfMemory);
        !status.ok())
      return status;
    block = m_memory.takePinned(sizeBytes);
    return block == nullptr ? Status{StatusCode::kOutOfMemory, "the host has no more memory"} : Status{};
  }
  Status releasePinned(void* block) override {
    const auto lock = locked();
    if (m_options.strict) runAll();  // what is still to be copied there
    return block == nullptr || m_memory.giveBackPinned(block)
               ? Status{}
               : Status{StatusCode::kOther, "a block was released that is no pinned memory"};
  }
  MemoryFigures memory() const override {
    const int64_t used = m_memory.usedBytes();
    return {.freeBytes = m_memory.limitBytes() - used,
            .totalBytes = m_memory.limitBytes(),
            .pooledBytes = used,
            .usedBytes = used};
  }
  Status trim(size_t) override { return {}; }

  Status makeStream(Stream& stream) override {
    const auto lock = locked();
    auto* const box = new StreamBox(std::make_shared<EmulatedStream>());
    const std::scoped_lock list(m_listMutex);
    m_streams.push_back(*box);
    stream = reinterpret_cast<Stream>(box);
    return {};
  }
  void endStream(Stream stream) override {
    if (stream == nullptr) return;
    const auto lock = locked();
    work(*of(stream), of(stream)->enqueued);
    {
      const std::scoped_lock list(m_listMutex);
      std::erase(m_streams, of(stream));
    }
    delete reinterpret_cast<StreamBox*>(stream);
  }
  Status makeEvent(bool timed, Event& event) override {
    event = reinterpret_cast<Event>(new EmulatedEvent{.timed = timed});
    return {};
  }
  void endEvent(Event event) override { delete reinterpret_cast<EmulatedEvent*>(event); }

  Status record(Event event, Stream stream) override {
    const auto lock = locked();
    if (Status status = called("record"); !status.ok()) return status;
    EmulatedEvent& each = of(event);
    each.stream = of(stream);
    each.recording = of(stream)->recording;
    each.atNs = std::make_shared<int64_t>(0);
    if (each.recording != nullptr) return {};
    put(*of(stream), [at = each.atNs] { *at = clockNs(); });
    each.ticket = of(stream)->enqueued;
    return {};
  }

  Status wait(Stream stream, Event event) override {
    const auto lock = locked();
    if (Status status = called("wait"); !status.ok()) return status;
    const EmulatedEvent& each = of(event);
    EmulatedStream& waiting = *of(stream);
    if (each.recording != nullptr) {
      if (each.recording->ended)
        return {StatusCode::kOther, "a stream waits for an event that belongs to a recording which has ended"};
      if (waiting.recording == nullptr) {
        waiting.recording = each.recording;
        each.recording->streams.push_back(of(stream));
      } else if (waiting.recording != each.recording) {
        return refuse(of(stream), "two recordings wait for each other");
      }
      each.stream->joined = true;
      waiting.joined = each.recording->streams.front() == of(stream);
      return {};
    }
    if (waiting.recording != nullptr)
      return refuse(of(stream), "a recorded stream waits for an event from outside the recording");
    if (m_options.strict && each.stream != nullptr) push(waiting, {}, each.stream, each.ticket);
    return {};
  }

  Status synchronize(Stream stream) override {
    const auto lock = locked();
    if (of(stream)->recording != nullptr) return refuse(of(stream), "a recorded stream cannot be waited for");
    if (Status status = called("synchronize", m_synchronizations, m_options.failures.synchronize); !status.ok())
      return status;
    work(*of(stream), of(stream)->enqueued);
    return lost();
  }
  Status synchronize(Event event) override {
    const auto lock = locked();
    if (Status status = called("synchronize", m_synchronizations, m_options.failures.synchronize); !status.ok())
      return status;
    if (of(event).stream != nullptr) work(*of(event).stream, of(event).ticket);
    return lost();
  }
  Status elapsed(Event from, Event to, int64_t& ns) override {
    const EmulatedEvent &first = of(from), &last = of(to);
    if (!first.timed || !last.timed || first.atNs == nullptr || last.atNs == nullptr || *first.atNs == 0 ||
        *last.atNs == 0)
      return {StatusCode::kOther, "the time between events that are not timed, or not done"};
    ns = *last.atNs - *first.atNs;
    return {};
  }

  Status copy(void* to, const void* from, size_t sizeBytes, CopyKind kind, Stream stream) override {
    if (sizeBytes == 0) return {};
    const auto lock = locked();
    if (Status status = called("copy", m_copies, m_options.failures.copy); !status.ok()) return status;
    if (kind != CopyKind::kToHost && !m_memory.holds(to, sizeBytes))
      return lose("a copy to an address that is not in one live block of the device");
    if (kind != CopyKind::kToDevice && !m_memory.holds(from, sizeBytes))
      return lose("a copy from an address that is not in one live block of the device");
    const void* const onHost = kind == CopyKind::kToDevice ? from : to;
    const bool staged = kind != CopyKind::kOnDevice && !m_memory.isPinned(onHost);
    if (staged && of(stream)->recording != nullptr)
      return refuse(of(stream), "a copy of memory that is not pinned cannot be recorded");
    if (!staged || !m_options.strict) return put(*of(stream), [=] { std::memmove(to, from, sizeBytes); });
    if (kind == CopyKind::kToDevice) {
      const auto* bytes = static_cast<const std::byte*>(from);
      return put(*of(stream), [to, held = std::vector<std::byte>(bytes, bytes + sizeBytes)] {
        std::memcpy(to, held.data(), held.size());
      });
    }
    put(*of(stream), [=] { std::memcpy(to, from, sizeBytes); });
    work(*of(stream), of(stream)->enqueued);
    return lost();
  }

  Status fill(void* to, uint8_t byte, size_t sizeBytes, Stream stream) override {
    if (sizeBytes == 0) return {};
    const auto lock = locked();
    if (Status status = called("fill"); !status.ok()) return status;
    if (!m_memory.holds(to, sizeBytes)) return lose("a fill of an address that is not in one live block of the device");
    return put(*of(stream), [=] { std::memset(to, byte, sizeBytes); });
  }

  DeviceKernel find(std::string_view name) const override {
    const LaunchTable::Entry entry = launchTable().find(name);
    return {entry.launch, entry.name};
  }

  Status launch(const DeviceKernel& kernel, const void* parameters, Stream stream) override {
    const auto lock = locked();
    if (Status status = called("launch", m_launches, m_options.failures.launch); !status.ok()) return status;
    if (kernel.launch == nullptr) return {StatusCode::kOther, "a kernel that was not found was launched"};
    const bool later = m_options.strict || of(stream)->recording != nullptr;
    Catcher catcher;
    hostSink = later ? &catcher : nullptr;
    const int code = asBlocks([&] { return kernel.launch(parameters, stream, m_facts.multiprocessors); });
    hostSink = nullptr;
    if (code != 0) return {StatusCode::kOther, refusal(kernel.name, code)};
    for (Catcher::Launch& each : catcher.m_caught) {
      put(*of(stream), [this, name = kernel.name, each = std::move(each)] {
        if (const int late = asBlocks([&] { return each.go(); }); late != 0) lose(refusal(name, late));
      });
    }
    return {};
  }

  Status makeMatmul(const MatmulDescription& description, ArtifactStore&,
                    std::unique_ptr<Operation>& operation) override {
    if (Status status = mayMake(); !status.ok()) return status;
    return makeEmulatedMatmul(*this, description, operation);
  }
  Status makeConvolution(const ConvolutionDescription& description, ArtifactStore&,
                         std::unique_ptr<Operation>& operation) override {
    if (Status status = mayMake(); !status.ok()) return status;
    return makeEmulatedConvolution(*this, description, operation);
  }
  Status makeAttention(const AttentionDescription& description, ArtifactStore&,
                       std::unique_ptr<Operation>& operation) override {
    if (Status status = mayMake(); !status.ok()) return status;
    return makeEmulatedAttention(*this, description, operation);
  }
  Status compile(const std::string& source, const std::string& name, ArtifactStore&,
                 std::unique_ptr<CompiledProgram>& program) override {
    if (Status status = called("compile", m_compilations, m_options.failures.compile, StatusCode::kCompileFailed);
        !status.ok())
      return status;
    EmulatedProgram bind = emulatedProgram(source);
    if (!bind)
      return Status::unsupported(fmt::format(
          "the emulator compiles nothing, and there is no program for {} (emulator/emulated_programs.h)", name));
    program = std::make_unique<EmulatedProgramCall>(*this, std::move(bind));
    return {};
  }

  Status enqueue(Stream stream, std::function<void()> task) override {
    const auto lock = locked();
    if (Status status = called("run", m_launches, m_options.failures.launch); !status.ok()) return status;
    return put(*of(stream), std::move(task));
  }

  Status beginRecording(Stream stream) override {
    const auto lock = locked();
    if (Status status = called("beginRecording"); !status.ok()) return status;
    EmulatedStream& each = *of(stream);
    if (each.recording != nullptr) return {StatusCode::kCaptureRefused, "the stream is being recorded already"};
    each.recording = std::make_shared<EmulatedRecording>();
    each.recording->streams.push_back(of(stream));
    each.joined = true;
    return {};
  }
  Status endRecording(Stream stream, Recording& recording) override {
    const auto lock = locked();
    const RecordingBox ended = of(stream)->recording;
    if (ended == nullptr) return {StatusCode::kCaptureRefused, "the stream is not being recorded"};
    for (const StreamBox& each : ended->streams) {
      each->recording.reset();
      if (!each->joined && ended->refused.empty())
        ended->refused = "a stream that was drawn into the recording was never waited for";
      each->joined = true;
    }
    ended->streams.clear();
    ended->ended = true;
    if (!ended->refused.empty()) return {StatusCode::kCaptureRefused, ended->refused};
    recording = reinterpret_cast<Recording>(new RecordingBox(ended));
    return {};
  }
  Status replay(Recording recording, Stream stream) override {
    const auto lock = locked();
    if (Status status = called("replay", m_launches, m_options.failures.launch); !status.ok()) return status;
    return put(*of(stream), [held = of(recording)] {
      for (const std::function<void()>& each : held->work)
        each();
    });
  }
  void dropRecording(Recording recording) override { delete reinterpret_cast<RecordingBox*>(recording); }

 private:
  // A plain backend needs no lock: streams belong to threads, and memory has its own.
  std::unique_lock<std::mutex> locked() const {
    return m_options.strict ? std::unique_lock(m_mutex) : std::unique_lock<std::mutex>();
  }

  Status lost() const { return m_isLost ? Status{StatusCode::kDeviceLost, m_lostBy} : Status{}; }
  Status lose(const std::string& why) {
    if (!m_isLost.exchange(true)) m_lostBy = why;
    return lost();
  }
  template <typename Call>
  int asBlocks(Call call) const {
    hostBlocks() = m_options.blocks;
    const int code = call();
    hostBlocks() = HostBlocks::kSingle;
    return code;
  }
  static std::string refusal(const char* name, int code) {
    return code == kUnevenThreads ? fmt::format("{}: threads of a block ended while others waited for them", name)
                                  : fmt::format("{} refused its parameters ({})", name, code);
  }
  static Status found(const std::string& wrong) { return wrong.empty() ? Status{} : Status{StatusCode::kOther, wrong}; }

  Status called(const char* what) {
    if (m_isLost) return lost();
    if (++m_calls == m_options.failures.lose) return lose(fmt::format("lost at call {} ({})", m_calls.load(), what));
    return {};
  }
  Status called(const char* what, std::atomic<int64_t>& count, int64_t failing, StatusCode code = StatusCode::kOther) {
    if (Status status = called(what); !status.ok()) return status;
    return ++count == failing ? Status{code, fmt::format("injected failure: {} number {}", what, failing)} : Status{};
  }
  Status mayMake() {
    if (Status status = called("make", m_operations, m_options.failures.operation); !status.ok()) return status;
    return m_options.libraries ? Status{} : Status::unsupported("the emulator has no libraries (libraries=0)");
  }

  static Status refuse(const StreamBox& stream, const char* why) {
    if (stream->recording->refused.empty()) stream->recording->refused = why;
    return {StatusCode::kCaptureRefused, why};
  }

  static void push(EmulatedStream& stream, std::function<void()> task, StreamBox waitsFor = {}, int64_t ticket = 0) {
    stream.pending.push_back({std::move(task), std::move(waitsFor), ticket});
    ++stream.enqueued;
  }
  // To the recording, to the stream, or done at once.
  Status put(EmulatedStream& stream, std::function<void()> task) {
    if (stream.recording != nullptr) {
      stream.recording->work.push_back(std::move(task));
      stream.joined = stream.recording->streams.front().get() == &stream;
    } else if (m_options.strict) {
      push(stream, std::move(task));
    } else {
      task();
    }
    return {};
  }
  void work(EmulatedStream& stream, int64_t ticket) {
    if (!m_options.strict || stream.done >= ticket) return;
    m_memory.open();
    runUntil(stream, ticket);
    m_memory.close();
  }
  void runAll() {
    for (const StreamBox& each : std::vector<StreamBox>(m_streams))
      work(*each, each->enqueued);
  }
  // As a stream-ordered pool may: what this stream released serves its next request at once.
  void* takenAgain(EmulatedStream& stream, size_t sizeBytes) {
    for (const std::shared_ptr<EmulatedRelease>& each : stream.releases) {
      if (each->takenAgain || each->sizeBytes != sizeBytes) continue;
      each->takenAgain = true;
      return each->block;
    }
    return nullptr;
  }

  EmulatorOptions m_options;
  DeviceFacts m_facts;
  EmulatedMemory m_memory;
  mutable std::mutex m_mutex, m_listMutex;
  std::vector<StreamBox> m_streams;
  std::map<void*, size_t> m_sizes;  // strict: as asked for
  std::atomic<int64_t> m_calls = 0, m_allocations = 0, m_copies = 0, m_launches = 0, m_operations = 0,
                       m_compilations = 0, m_synchronizations = 0;
  std::atomic<bool> m_isLost = false;
  std::string m_lostBy;
};

}  // namespace

Result<InjectedFailures> readInjectedFailures(const std::string& text) {
  InjectedFailures failures;
  const std::map<std::string, int64_t*, std::less<>> known{{"allocation", &failures.allocation},
                                                           {"copy", &failures.copy},
                                                           {"launch", &failures.launch},
                                                           {"operation", &failures.operation},
                                                           {"compile", &failures.compile},
                                                           {"synchronize", &failures.synchronize},
                                                           {"lose", &failures.lose}};
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view each = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
    const size_t colon = each.find(':');
    const auto found = known.find(each.substr(0, colon));
    const std::string_view number = colon == std::string_view::npos ? std::string_view() : each.substr(colon + 1);
    int64_t value = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    if (found == known.end() || number.empty() || read.ec != std::errc() || read.ptr != number.data() + number.size() ||
        value < 1) {
      return fail(ErrorCode::kInvalidArgument,
                  "provider cuda: fail={}: written as KIND:NUMBER;..., kinds are allocation, copy, launch, operation, "
                  "compile, synchronize, lose",
                  text);
    }
    *found->second = value;
  }
  return failures;
}

std::shared_ptr<DeviceBackend> makeEmulator(const EmulatorOptions& options) {
  return std::make_shared<Emulator>(options);
}

}  // namespace cutaway::cuda

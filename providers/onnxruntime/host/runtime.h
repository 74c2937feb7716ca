#pragma once
// The opened library in the host process: its functions, its one environment, the memory that the program shared.
//
// The environment is made with the first session, and goes after the last. Thread rule: one thread; the library's own
// threads only reach the log. Example: CUTAWAY_TRY(auto runtime, Runtime::open(hello));  CUTAWAY_TRY(Environment* const
// environment, runtime->environment());

#include <map>
#include <memory>
#include <string>

#include "providers/onnxruntime/abi/c_api.h"
#include "providers/onnxruntime/host/log_book.h"
#include "providers/onnxruntime/host/scratch_folder.h"
#include "providers/onnxruntime/protocol/messages.h"
#include "providers/onnxruntime/recorder/call_recorder.h"

namespace cutaway::onnxruntime {

class Runtime {
 public:
  static Result<std::unique_ptr<Runtime>> open(const Hello& hello);

  const CApi& api() const { return m_api; }
  LogBook& log() { return m_log; }
  ScratchFolder& scratch() { return m_scratch; }
  Result<LibraryFacts> facts() const;
  // tookNs: how long it took to make it; 0 when it was there.
  Result<abi::Environment*> environment(int64_t* tookNs = nullptr);
  Result<DeviceList> devices();
  // Of the CPU's memory: what values over shared memory are made with.
  Result<const abi::MemoryInfo*> hostMemory();
  // Registers a plug-in library, once, and gives the devices that it brought.
  Result<std::vector<const abi::EpDevice*>> registerPlugin(const PluginPlace& plugin);
  DeviceFacts describe(const abi::EpDevice* device) const;
  // Keeps what plug-ins are asked from now on; nullptr: no more.
  void listen(std::vector<CapabilityCall>* calls, MayCompile what = MayCompile::kAnything);
  bool hasCompiled() const;

  Result<void> share(const ShareMemory& message, FileDescriptor file);
  void drop(uint64_t memory) { m_shared.erase(memory); }
  // INVALID_ARGUMENT where no such memory was shared, or it ends before.
  Result<std::span<std::byte>> bytesAt(const MemoryPlace& place) const;

 private:
  Result<void> openRecorder();
  Result<std::vector<const abi::EpDevice*>> allDevices();

  Runtime(CApi api, const Hello& hello)
      : m_path(hello.library), m_api(std::move(api)), m_scratch(hello.scratch), m_environment(m_api), m_memory(m_api) {}

  std::string m_path;
  CApi m_api;
  LogBook m_log;
  ScratchFolder m_scratch;
  OwnedEnvironment m_environment;
  OwnedMemoryInfo m_memory;
  std::map<uint64_t, std::shared_ptr<const SharedMemory>> m_shared;
  CallRecorder* m_recorder = nullptr;
  std::string m_recorderPath;
  struct Registered {
    PluginPlace place;
    std::vector<const abi::EpDevice*> devices;
  };
  std::vector<Registered> m_registered;
};

// A text of the library's allocator, taken over.
Result<std::string> takenText(const CApi& api, char* text);

}  // namespace cutaway::onnxruntime

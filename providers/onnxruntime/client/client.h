#pragma once
// ONNX Runtime, asked in a process of its own: sessions are created, looked into and run there.
//
// A Host starts `cutaway-ort-host` with the first request. When that process dies, hangs or speaks nonsense, the
// request in hand is an Error with its last words, and the next request starts a new one; a HostedSession is created
// again there without anybody noticing. Tensors lie in memory that both processes see. Cancelling ends the process:
// foreign code cannot be asked to stop. When this program ends, however it ends, its hosts end too.
//
// Thread rule: any thread; the requests of one Host follow one another. Example:
//   CUTAWAY_TRY(const LibraryPlace place, findLibrary());                                     // library.h
//   const std::shared_ptr<Host> host = Host::of({.library = place.path});                     // nothing runs yet
//   CUTAWAY_TRY(auto model, SharedMemory::of(onnxBytes));
//   CUTAWAY_TRY(auto session, HostedSession::open(host, {.model = model, .settings = {.assignment = true}}));
//   for (const AssignedGroup& group : session->facts().assignment) ...;
//   CUTAWAY_TRY(const TensorRun ran, session->runTensors(feeds, {.runs = 20, .profile = true}));

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"
#include "providers/onnxruntime/protocol/binary_facts.h"
#include "providers/onnxruntime/protocol/custom_facts.h"
#include "providers/onnxruntime/protocol/shared_memory.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

class HostProcess;
struct CreateSession;

// Asked while a request waits: true ends the host process and gives MODEL_LOAD_CANCELED. Empty: nobody stops it.
// [&] { return progress.cancelled(); }
using Stopped = std::function<bool()>;

struct HostConfiguration {
  std::filesystem::path library;    // libonnxruntime.so
  std::filesystem::path program{};  // the host's executable; empty: the one beside this program (library.h)
  double startSeconds = 30;         // for the process to start and open the library
  double requestSeconds = 600;      // for any other request: beyond it, the host hangs and is ended
  std::string target{};             // hosts of different targets are different processes
};

struct HostCounters {
  int64_t started = 0;
  int64_t lost = 0;  // died, hung, or spoke nonsense
  int64_t hung = 0;  // of these, gave no answer in time
};

// External data of the model, under the name that the model gives it. From version 1.31 on, with the session key
// session.use_external_initializer_file_buffers_directly, weights are used where they lie; before it they are copied.
struct SharedWeights {
  std::string name;
  std::shared_ptr<const SharedMemory> memory;
};

struct SessionRequest {
  std::shared_ptr<const SharedMemory> model;  // ONNX or ORT bytes
  uint64_t modelBytes = 0;                    // 0: all of `model`
  std::filesystem::path path{};               // instead: a file, opened by the host; external data lies beside it
  std::vector<SharedWeights> weights{};
  SessionSettings settings{};
};

// Where an EPContext model keeps what was compiled.
struct ContextPlace {
  std::filesystem::path folder{};  // of the binaries; empty: embedded in the model
  std::string name{};              // that the binaries' names begin with
};
struct CompiledContext {
  std::shared_ptr<const SharedMemory> memory;
  uint64_t sizeBytes = 0;  // ONNX bytes
  int64_t tookNs = 0;      // the library's call alone
};

class Host {
 public:
  explicit Host(HostConfiguration configuration);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  // One for each configuration, shared by all who ask for it while somebody has it.
  static std::shared_ptr<Host> of(const HostConfiguration& configuration);

  // EP_FAIL: the process or the library cannot be had (the message says which, and how to get it), or it was lost.
  // MODEL_LOAD_CANCELED.
  Result<LibraryFacts> library(const Stopped& stopped = {});
  Result<std::vector<DeviceFacts>> devices(const Stopped& stopped = {});

  // Registers a library of plug-in providers, where it is not yet; the devices that it offers here. What the library or
  // ONNX Runtime says of it is the Error.
  Result<std::vector<DeviceFacts>> registerPlugin(const PluginPlace& plugin, const Stopped& stopped = {});
  // What the providers of the settings would take; nothing is compiled. `log` gets what was logged meanwhile.
  Result<AskedFacts> ask(const SessionRequest& request, const Stopped& stopped = {},
                         std::vector<LogLine>* log = nullptr);
  // The model with what its providers compiled in EPContext nodes.
  Result<CompiledContext> compile(const SessionRequest& request, const ContextPlace& place,
                                  const Stopped& stopped = {});

  // What a library of custom operators registers. EP_FAIL with what is wrong with it.
  Result<std::vector<CustomOperator>> customOperators(const std::filesystem::path& library,
                                                      const Stopped& stopped = {});

  // What a vendor's library (QNN's libQnnSystem.so) tells of a context binary; nothing is loaded onto a device.
  // EP_FAIL: it does not know the bytes. NOT_IMPLEMENTED: it tells of them in a form that is not known here.
  Result<BinaryFacts> contextBinary(const std::filesystem::path& library,
                                    const std::shared_ptr<const SharedMemory>& binary, uint64_t sizeBytes,
                                    const Stopped& stopped = {});

  HostCounters counters() const;
  int64_t process() const;  // its number; -1: none runs
  void end();               // the next request starts a new one

 private:
  friend class HostedSession;
  struct Exchange;
  Result<void> lock(std::unique_lock<std::timed_mutex>& lock, const Stopped& stopped);
  Result<void> start(const Stopped& stopped);
  Result<void> share(const std::shared_ptr<const SharedMemory>& memory, const Stopped& stopped);
  // The request as a message, its memory shared.
  Result<CreateSession> messageOf(const SessionRequest& request, const Stopped& stopped);
  void dropUnused(const Stopped& stopped);

  HostConfiguration m_configuration;
  mutable std::timed_mutex m_mutex;
  std::unique_ptr<HostProcess> m_process;
  LibraryFacts m_library;
  uint64_t m_generation = 0;                                       // of the process
  std::map<uint64_t, std::weak_ptr<const SharedMemory>> m_shared;  // what the process has mapped
  HostCounters m_counters;
};

// A tensor of a run: where it lies in shared memory.
struct RunPlace {
  uint32_t slot = 0;    // of the session's inputs or outputs
  int32_t element = 0;  // TensorProto.DataType
  std::vector<int64_t> dims;
  std::shared_ptr<const SharedMemory> memory;  // nullptr: an output whose shape only the run knows
  uint64_t offset = 0;
  uint64_t sizeBytes = 0;
};
struct RunOrder {
  std::vector<RunPlace> inputs;
  std::vector<RunPlace> outputs;
  uint32_t runs = 1;  // one after another on the same inputs
  // Of the last of these runs (1.25); not of sessions that are profiled as a whole.
  bool profile = false;
};
struct RunOutput {
  ValueKind kind = ValueKind::kTensor;  // others have no bytes
  int32_t element = 0;
  std::vector<int64_t> dims;
  uint64_t offset = 0;
  uint64_t sizeBytes = 0;
};
struct RunAnswer {
  std::vector<int64_t> runNs;                  // of each run, ONNX Runtime's call alone
  std::vector<RunOutput> results;              // of outputs without a place, in their order
  std::shared_ptr<const SharedMemory> memory;  // where they lie
  std::string profile;                         // JSON as ONNX Runtime writes it
  std::vector<LogLine> log;
};

struct TensorRunOptions {
  uint32_t runs = 1;
  bool profile = false;  // as RunOrder::profile
};
struct TensorRun {
  std::vector<Tensor> outputs;  // of all the session's outputs; invalid where `kinds` says it is no tensor
  std::vector<ValueKind> kinds;
  std::vector<int64_t> runNs;
  std::string profile;
  std::vector<LogLine> log;
};

// What came of asking about a model; a session where the providers take all of it as one group.
struct AskedModel;

class HostedSession {
 public:
  // What ONNX Runtime says of a model that it refuses is the Error, with its own code; `refusalLog` gets the lines it
  // logged until then.
  static Result<std::unique_ptr<HostedSession>> open(std::shared_ptr<Host> host, SessionRequest request,
                                                     const Stopped& stopped = {},
                                                     std::vector<LogLine>* refusalLog = nullptr);
  // As Host::ask(), and where the answer is one group of the whole model, that is compiled at once. A provider that is
  // lost or fails over compiling is asked alone.
  static Result<AskedModel> ask(std::shared_ptr<Host> host, SessionRequest request, const Stopped& stopped,
                                std::vector<LogLine>* log);
  ~HostedSession();
  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;

  const SessionFacts& facts() const { return m_facts; }
  const std::vector<LogLine>& log() const { return m_log; }  // of its creation
  uint64_t linesLost() const { return m_linesLost; }         // of the log, that were too many
  // ONNX bytes; empty unless asked for.
  std::string_view optimizedModel() const { return m_optimizedModel; }
  // Wall-clock time of the whole request, the way to the host and back included.
  int64_t openedNs() const { return m_openedNs; }

  Result<RunAnswer> run(const RunOrder& order, const Stopped& stopped = {});
  // Inputs in the session's order; copies them to shared memory and the outputs from it. Types and dims are checked by
  // ONNX Runtime.
  Result<TensorRun> runTensors(std::span<const Tensor> inputs, const TensorRunOptions& options = {},
                               const Stopped& stopped = {});
  // The profile of all since its creation, as JSON; once. INVALID_ARGUMENT without SessionSettings::profile.
  Result<std::string> endProfile(const Stopped& stopped = {});
  // Of the arena: InUse, MaxInUse, NumAllocs ... in ONNX Runtime's words; empty without an arena.
  Result<TextPairs> memoryStatistics(const Stopped& stopped = {});

 private:
  HostedSession(std::shared_ptr<Host> host, SessionRequest request);
  // The question with its settings; an Error where the host was lost over it.
  static Result<AskedModel> askWhole(const std::shared_ptr<Host>& host, SessionRequest request, const Stopped& stopped,
                                     std::vector<LogLine>* log);
  Result<void> create(const Stopped& stopped, std::vector<LogLine>* refusalLog);
  Result<void> present(const Stopped& stopped);  // in the host that runs now

  std::shared_ptr<Host> m_host;
  SessionRequest m_request;
  uint64_t m_generation = 0;
  SessionFacts m_facts;
  std::vector<LogLine> m_log;
  uint64_t m_linesLost = 0;
  std::string m_optimizedModel;
  int64_t m_openedNs = 0;
  int64_t m_runNs = 0;      // of one run, as the last request had it: when to look for the next answer
  int64_t m_recorded = -1;  // its place in the record that is being made; -1: none
};

struct AskedModel {
  AskedFacts facts;
  std::unique_ptr<HostedSession> whole;
};

}  // namespace cutaway::onnxruntime

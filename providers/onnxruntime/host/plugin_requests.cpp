#include "providers/onnxruntime/host/plugin_requests.h"

#include "engine/base/clock.h"
#include "providers/onnxruntime/abi/plugin_interface.h"
#include "providers/onnxruntime/host/assignment.h"
#include "providers/onnxruntime/host/session_options.h"

namespace cutaway::onnxruntime {

namespace {

// Keeps the plug-ins' calls while it lives.
class Listening {
 public:
  Listening(Runtime& runtime, std::vector<CapabilityCall>& calls, MayCompile what) : m_runtime(runtime) {
    runtime.listen(&calls, what);
  }
  ~Listening() { m_runtime.listen(nullptr); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Runtime& m_runtime;
};

class OwnedCompilation {
 public:
  explicit OwnedCompilation(const void* const* table) : m_table(table) {}
  ~OwnedCompilation() {
    if (m_options != nullptr) at(abi::kReleaseCompilation)(m_options);
  }
  OwnedCompilation(const OwnedCompilation&) = delete;
  OwnedCompilation& operator=(const OwnedCompilation&) = delete;
  abi::CompilationOptions** out() { return &m_options; }
  abi::CompilationOptions* get() const { return m_options; }
  template <typename Function>
  Function* at(const abi::Slot<Function>& slot) const {
    return reinterpret_cast<Function*>(const_cast<void*>(m_table[slot.index]));
  }

 private:
  const void* const* m_table;
  abi::CompilationOptions* m_options = nullptr;
};

}  // namespace

Result<Asked> askProviders(Runtime& runtime, const AskProviders& message) {
  const CApi& api = runtime.api();
  CUTAWAY_TRY(const abi::Environment* const environment, runtime.environment());
  CreateSession order = message.session;
  if (!message.keepsWhole) order.settings.keys.emplace_back("session.disable_model_compile", "1");
  order.settings.assignment = true;
  CUTAWAY_TRY(const SessionOrder options, sessionOptions(runtime, order));
  CUTAWAY_TRY(const std::span<std::byte> bytes, runtime.bytesAt(order.model));
  Asked asked;
  AskedFacts& facts = asked.said.asked;
  OwnedSession session(api);
  // Without a log nothing follows from less than the whole: it would have to be asked for again.
  const MayCompile what = !message.keepsWhole            ? MayCompile::kAnything
                          : message.session.settings.log ? MayCompile::kWhole
                                                         : MayCompile::kWholeAtFirst;
  const Listening listening(runtime, facts.calls, what);
  const Stopwatch watch;
  const Result<void> created =
      api.check(abi::kCreateSessionFromArray, environment, static_cast<const void*>(bytes.data()), bytes.size(),
                static_cast<const abi::SessionOptions*>(options.options.get()), session.out());
  facts.tookNs = watch.elapsedNs();
  // What does not compile as a whole is an answer about its nodes all the same.
  facts.compiles =
      runtime.hasCompiled() || (!created && (created.error().code == ErrorCode::kModelRequiresCompilation ||
                                             created.error().message.find(kAskedOnly) != std::string::npos));
  if (created && facts.compiles) {
    CUTAWAY_TRY(asked.kept, LibrarySession::of(api, std::move(session), asked.said.kept));
    CUTAWAY_CHECK(describeAssignment(api, asked.kept->handle(), asked.said.kept.assignment));
    asked.said.kept.createNs = facts.tookNs;
  } else if (created) {
    CUTAWAY_CHECK(describeAssignment(api, session.get(), facts.assignment));
  } else if (!facts.compiles) {
    facts.code = static_cast<int32_t>(created.error().code);
    facts.message = created.error().message;
  }
  return asked;
}

Result<CompiledBytes> compileModel(Runtime& runtime, const CompileModel& message) {
  const CApi& api = runtime.api();
  CUTAWAY_TRY(const abi::Environment* const environment, runtime.environment());
  CUTAWAY_TRY(const SessionOrder session, sessionOptions(runtime, message.session));
  OwnedCompilation compilation(api.at(abi::kCompileApi)());
  const auto call = [&](const auto& slot, auto... arguments) -> Result<void> {
    return api.checked(compilation.at(slot)(arguments...));
  };
  CUTAWAY_CHECK(call(abi::kCreateCompilation, environment,
                     static_cast<const abi::SessionOptions*>(session.options.get()), compilation.out()));
  abi::CompilationOptions* const options = compilation.get();
  if (message.session.path.empty()) {
    CUTAWAY_TRY(const std::span<std::byte> bytes, runtime.bytesAt(message.session.model));
    CUTAWAY_CHECK(call(abi::kCompileBytes, options, static_cast<const void*>(bytes.data()), bytes.size()));
  } else {
    CUTAWAY_CHECK(call(abi::kCompileFile, options, message.session.path.c_str()));
  }
  abi::Allocator* allocator = nullptr;
  CUTAWAY_CHECK(api.check(abi::kDefaultAllocator, &allocator));
  void* model = nullptr;
  size_t modelBytes = 0;
  CUTAWAY_CHECK(call(abi::kCompileToBuffer, options, allocator, &model, &modelBytes));
  CUTAWAY_CHECK(call(abi::kCompileEmbedded, options, message.folder.empty()));
  if (!message.folder.empty())
    CUTAWAY_CHECK(call(abi::kCompileBinaryName, options, message.folder.c_str(), message.name.c_str()));
  CUTAWAY_CHECK(call(abi::kCompileFlags, options, abi::kErrorWhenNothingCompiled));
  // Without a level it compiles the model as it is, and providers may stumble over constants that are not folded.
  CUTAWAY_CHECK(call(abi::kCompileLevel, options, static_cast<int32_t>(message.session.settings.level)));
  const Stopwatch watch;
  CUTAWAY_CHECK(call(abi::kCompileModel, environment, static_cast<const abi::CompilationOptions*>(options)));
  CompiledBytes compiled;
  compiled.facts = {.modelBytes = modelBytes, .tookNs = watch.elapsedNs()};
  Result<std::shared_ptr<const SharedMemory>> memory = SharedMemory::of({static_cast<const char*>(model), modelBytes});
  CUTAWAY_CHECK(api.check(abi::kFree, allocator, model));
  if (!memory) return fail(std::move(memory).error());
  compiled.model = *std::move(memory);
  return compiled;
}

}  // namespace cutaway::onnxruntime

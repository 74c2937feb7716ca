#include "providers/onnxruntime/client/client.h"

#include <algorithm>
#include <chrono>

#include "engine/base/clock.h"
#include "engine/base/progress.h"
#include "providers/onnxruntime/client/host_process.h"
#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/protocol/ask_messages.h"
#include "providers/onnxruntime/record/recording.h"

namespace cutaway::onnxruntime {

namespace {

constexpr auto kLockTries = std::chrono::milliseconds(20);
#if defined(__SANITIZE_THREAD__)  // GCC 12's does not know a mutex that was waited for by the steady clock
using LockClock = std::chrono::system_clock;
#else
using LockClock = std::chrono::steady_clock;
#endif
// A run of a small group takes less time than waking up: look for its answer a moment before sleeping.
constexpr int64_t kSpinNs = 50'000;
constexpr int64_t kMarginPart = 8;  // of the time expected: how far runs of a model are from one another
constexpr int64_t kLeastMarginNs = 50'000;
constexpr int64_t kMostMarginNs = 150'000;
constexpr int64_t kMostExpectedNs = 60'000'000'000;
constexpr int64_t kMostRuns = 1'000'000;
constexpr double kEndSeconds = 20;
// Shared memory that the host may keep although nobody here has it any more.
constexpr size_t kMostIdle = 32;

tl::unexpected<Error> nonsense(const char* what) {
  return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime answered with {}", what);
}

}  // namespace

// A request and its reply, read without trust.
struct Host::Exchange {
  Host& host;
  const Stopped& stopped;
  int64_t expectedNs = 0;  // until the answer; 0: nobody knows

  // A run answers about when the last one did. A caller that sleeps is woken too late, by more than a small run takes;
  // one that looks all the time takes a core. So it sleeps, and looks when the answer is due.
  Patience patienceOf(MessageKind kind) const {
    const bool starting = kind == MessageKind::kHello;
    Patience patience{.seconds = starting ? host.m_configuration.startSeconds : host.m_configuration.requestSeconds,
                      .stopped = stopped};
    // Who ends a session waits for nothing: a library that hangs over it is ended, and sessions beside it come back.
    if (kind == MessageKind::kEndSession) patience.seconds = std::min(patience.seconds, kEndSeconds);
    if (kind != MessageKind::kRun) return patience;
    const int64_t marginNs = std::clamp(expectedNs / kMarginPart, kLeastMarginNs, kMostMarginNs);
    patience.sleepNs = std::max<int64_t>(expectedNs - marginNs, 0);
    patience.spinNs = expectedNs == 0 ? kSpinNs : 2 * marginNs;
    return patience;
  }

  template <typename Answer, typename Question>
  Result<Answer> ask(MessageKind kind, const Question& question, std::vector<FileDescriptor>* files = nullptr,
                     std::vector<LogLine>* log = nullptr, std::span<const int> sent = {},
                     uint64_t* linesLost = nullptr) {
    Result<Frame> frame = host.m_process->ask(kind, toBytes(question), sent, patienceOf(kind));
    if (!frame) {
      ++host.m_counters.lost;
      if (host.m_process->timedOut()) ++host.m_counters.hung;
      host.m_process.reset();
      return fail(std::move(frame).error());
    }
    Result<Reply<Answer>> reply = fromBytes<Reply<Answer>>(frame->body);
    if (!reply || reply->code < 0 || reply->code > static_cast<int32_t>(ErrorCode::kDeviceReset)) {
      ++host.m_counters.lost;
      host.m_process.reset();
      return nonsense("bytes that are no reply, and was ended");
    }
    if (log != nullptr) *log = std::move(reply->log);
    if (linesLost != nullptr) *linesLost = reply->linesLost;
    if (reply->code != 0) return fail(Error{static_cast<ErrorCode>(reply->code), std::move(reply->message), {}});
    if (files != nullptr) *files = std::move(frame->files);
    return std::move(reply->value);
  }
};

Host::Host(HostConfiguration configuration) : m_configuration(std::move(configuration)) {}

Host::~Host() = default;

std::shared_ptr<Host> Host::of(const HostConfiguration& configuration) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<Host>> hosts;
  const std::lock_guard lock(mutex);
  std::weak_ptr<Host>& known =
      hosts[fmt::format("{}|{}|{}|{}|{}", configuration.library.string(), configuration.program.string(),
                        configuration.startSeconds, configuration.requestSeconds, configuration.target)];
  std::shared_ptr<Host> host = known.lock();
  if (host == nullptr) known = host = std::make_shared<Host>(configuration);
  return host;
}

Result<void> Host::lock(std::unique_lock<std::timed_mutex>& lock, const Stopped& stopped) {
  while (!lock.try_lock_until(LockClock::now() + kLockTries)) {
    if (stopped && stopped()) return fail(cancelledError());
  }
  return {};
}

Result<void> Host::start(const Stopped& stopped) {
  if (m_process != nullptr && !m_process->isOurs()) m_process.reset();
  if (m_process != nullptr && !m_process->lost()) return {};
  std::filesystem::path program = m_configuration.program;
  if (program.empty()) {
    CUTAWAY_TRY(program, findHostProgram());
  }
  m_shared.clear();
  ++m_generation;
  CUTAWAY_TRY(m_process, HostProcess::start(program));
  ++m_counters.started;
  const Hello hello{.library = m_configuration.library.string(), .scratch = m_process->scratch().string()};
  Exchange exchange{*this, stopped};
  Result<LibraryFacts> facts = exchange.ask<LibraryFacts>(MessageKind::kHello, hello);
  if (!facts) {
    m_process.reset();
    return fail(std::move(facts).error());
  }
  m_library = *std::move(facts);
  recordLibrary(m_library.version);
  return {};
}

Result<void> Host::share(const std::shared_ptr<const SharedMemory>& memory, const Stopped& stopped) {
  if (memory == nullptr || m_shared.contains(memory->id())) return {};
  if (m_shared.size() >= kMostIdle) dropUnused(stopped);
  if (m_process == nullptr) return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime was lost");
  const int file = memory->file();
  Exchange exchange{*this, stopped};
  CUTAWAY_CHECK(exchange.ask<None>(MessageKind::kShareMemory,
                                   ShareMemory{.memory = memory->id(), .sizeBytes = memory->bytes().size()}, nullptr,
                                   nullptr, std::span(&file, 1)));
  m_shared.emplace(memory->id(), memory);
  return {};
}

void Host::dropUnused(const Stopped& stopped) {
  Exchange exchange{*this, stopped};
  for (auto place = m_shared.begin(); place != m_shared.end();) {
    if (!place->second.expired()) {
      ++place;
      continue;
    }
    // Lost with the process, or dropped: in both cases it is not shared any more.
    if (!exchange.ask<None>(MessageKind::kDropMemory, DropMemory{place->first})) return;
    place = m_shared.erase(place);
  }
}

Result<CreateSession> Host::messageOf(const SessionRequest& request, const Stopped& stopped) {
  dropUnused(stopped);
  if (m_process == nullptr) return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime was lost");
  CreateSession message{.model = {}, .path = request.path.string(), .weights = {}, .settings = request.settings};
  if (request.model != nullptr) {
    CUTAWAY_CHECK(share(request.model, stopped));
    const uint64_t all = request.model->bytes().size();
    message.model = {request.model->id(), 0, request.modelBytes == 0 ? all : request.modelBytes};
  }
  for (const SharedWeights& weights : request.weights) {
    CUTAWAY_CHECK(share(weights.memory, stopped));
    message.weights.push_back({weights.name, {weights.memory->id(), 0, weights.memory->bytes().size()}});
  }
  return message;
}

Result<std::vector<DeviceFacts>> Host::registerPlugin(const PluginPlace& plugin, const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  CUTAWAY_TRY(DeviceList list, Exchange{*this, stopped}.ask<DeviceList>(MessageKind::kRegister, plugin));
  return std::move(list.devices);
}

Result<AskedFacts> Host::ask(const SessionRequest& request, const Stopped& stopped, std::vector<LogLine>* log) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  CUTAWAY_TRY(CreateSession session, messageOf(request, stopped));
  const AskProviders message{.session = std::move(session)};
  std::vector<LogLine> unwanted;
  std::vector<LogLine>& lines = log != nullptr ? *log : unwanted;
  const Stopwatch watch;
  Result<AskedFacts> facts = Exchange{*this, stopped}
                                 .ask<AskedSession>(MessageKind::kAsk, message, nullptr, &lines)
                                 .map([](AskedSession said) { return std::move(said.asked); });
  recordQuestion(request, facts, lines, watch.elapsedNs());
  return facts;
}

Result<CompiledContext> Host::compile(const SessionRequest& request, const ContextPlace& place,
                                      const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  CUTAWAY_TRY(CreateSession session, messageOf(request, stopped));
  const CompileModel message{.session = std::move(session), .folder = place.folder.string(), .name = place.name};
  std::vector<FileDescriptor> files;
  Exchange exchange{*this, stopped};
  CUTAWAY_TRY(const CompiledModel compiled, exchange.ask<CompiledModel>(MessageKind::kCompile, message, &files));
  if (files.size() != 1) return nonsense("no compiled model");
  CompiledContext context{.memory = nullptr, .sizeBytes = compiled.modelBytes, .tookNs = compiled.tookNs};
  CUTAWAY_TRY(context.memory, SharedMemory::open(std::move(files[0]), compiled.modelBytes));
  return context;
}

Result<LibraryFacts> Host::library(const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  return m_library;
}

Result<std::vector<DeviceFacts>> Host::devices(const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  CUTAWAY_TRY(DeviceList list, Exchange{*this, stopped}.ask<DeviceList>(MessageKind::kDevices, None{}));
  return std::move(list.devices);
}

Result<std::vector<CustomOperator>> Host::customOperators(const std::filesystem::path& library,
                                                          const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  const CustomLibraryPlace place{.library = library.string()};
  CUTAWAY_TRY(CustomOperatorList list, Exchange{*this, stopped}.ask<CustomOperatorList>(MessageKind::kCustom, place));
  return std::move(list.operators);
}

Result<BinaryFacts> Host::contextBinary(const std::filesystem::path& library,
                                        const std::shared_ptr<const SharedMemory>& binary, uint64_t sizeBytes,
                                        const Stopped& stopped) {
  std::unique_lock guard(m_mutex, std::defer_lock);
  CUTAWAY_CHECK(lock(guard, stopped));
  CUTAWAY_CHECK(start(stopped));
  CUTAWAY_CHECK(share(binary, stopped));
  const BinaryPlace place{.library = library.string(), .binary = {.memory = binary->id(), .sizeBytes = sizeBytes}};
  return Exchange{*this, stopped}.ask<BinaryFacts>(MessageKind::kBinary, place);
}

HostCounters Host::counters() const {
  const std::lock_guard lock(m_mutex);
  return m_counters;
}

int64_t Host::process() const {
  const std::lock_guard lock(m_mutex);
  return m_process == nullptr ? -1 : m_process->process();
}

void Host::end() {
  const std::lock_guard lock(m_mutex);
  m_process.reset();
}

HostedSession::HostedSession(std::shared_ptr<Host> host, SessionRequest request)
    : m_host(std::move(host)), m_request(std::move(request)) {}

HostedSession::~HostedSession() {
  const std::lock_guard lock(m_host->m_mutex);
  Host& host = *m_host;
  if (host.m_process == nullptr || host.m_process->lost() || host.m_generation != m_generation) return;
  Host::Exchange exchange{host, {}};
  (void)exchange.ask<None>(MessageKind::kEndSession, SessionNumber{m_facts.session});
}

Result<std::unique_ptr<HostedSession>> HostedSession::open(std::shared_ptr<Host> host, SessionRequest request,
                                                           const Stopped& stopped, std::vector<LogLine>* refusalLog) {
  std::unique_ptr<HostedSession> session(new HostedSession(std::move(host), std::move(request)));
  std::unique_lock guard(session->m_host->m_mutex, std::defer_lock);
  CUTAWAY_CHECK(session->m_host->lock(guard, stopped));
  Result<void> created = session->m_host->start(stopped);
  if (created) created = session->create(stopped, refusalLog);
  guard.unlock();  // before the session may go
  if (!created) return fail(std::move(created).error());
  return session;
}

Result<AskedModel> HostedSession::ask(std::shared_ptr<Host> host, SessionRequest request, const Stopped& stopped,
                                      std::vector<LogLine>* log) {
  Result<AskedModel> model = askWhole(host, request, stopped, log);
  if (model || model.error().code == ErrorCode::kModelLoadCanceled) return model;
  AskedModel alone;
  CUTAWAY_TRY(alone.facts, host->ask(request, stopped, log));
  return alone;
}

Result<AskedModel> HostedSession::askWhole(const std::shared_ptr<Host>& host, SessionRequest request,
                                           const Stopped& stopped, std::vector<LogLine>* log) {
  std::unique_ptr<HostedSession> session(new HostedSession(host, std::move(request)));
  std::unique_lock guard(host->m_mutex, std::defer_lock);
  CUTAWAY_CHECK(host->lock(guard, stopped));
  CUTAWAY_CHECK(host->start(stopped));
  CUTAWAY_TRY(CreateSession order, host->messageOf(session->m_request, stopped));
  const Stopwatch watch;
  Host::Exchange exchange{*host, stopped};
  Result<AskedSession> said = exchange.ask<AskedSession>(
      MessageKind::kAsk, AskProviders{.session = std::move(order), .keepsWhole = true}, nullptr, &session->m_log);
  if (said && said->kept.session != 0) {
    session->m_generation = host->m_generation;
    session->m_facts = std::move(said->kept);
    session->m_openedNs = watch.elapsedNs();
  }
  guard.unlock();  // before the session may go
  if (!said) return fail(std::move(said).error());
  AskedModel model;
  model.facts = std::move(said->asked);
  if (log != nullptr) *log = session->m_log;
  if (session->m_generation != 0) model.whole = std::move(session);
  return model;
}

Result<void> HostedSession::create(const Stopped& stopped, std::vector<LogLine>* refusalLog) {
  Host& host = *m_host;
  const Stopwatch watch;
  m_generation = 0;  // nothing to end until it is there
  CUTAWAY_TRY(const CreateSession message, host.messageOf(m_request, stopped));
  std::vector<FileDescriptor> files;
  std::vector<LogLine> log;
  Host::Exchange exchange{host, stopped};
  Result<CreatedSession> created =
      exchange.ask<CreatedSession>(MessageKind::kCreate, message, &files, &log, {}, &m_linesLost);
  if (!created) {
    recordSession(m_request, nullptr, &created.error(), log, watch.elapsedNs());
    if (refusalLog != nullptr) *refusalLog = std::move(log);
    return fail(std::move(created).error());
  }
  m_generation = host.m_generation;
  m_facts = std::move(created->facts);
  m_log = std::move(log);
  m_optimizedModel.clear();
  if (created->optimizedModelBytes > 0) {
    if (files.size() != 1) return nonsense("no optimised model");
    CUTAWAY_TRY(const auto memory, SharedMemory::open(std::move(files[0]), created->optimizedModelBytes));
    m_optimizedModel = memory->text().substr(0, created->optimizedModelBytes);
  }
  m_openedNs = watch.elapsedNs();
  m_recorded = recordSession(m_request, &m_facts, nullptr, m_log, m_openedNs);
  return {};
}

Result<void> HostedSession::present(const Stopped& stopped) {
  CUTAWAY_CHECK(m_host->start(stopped));
  if (m_generation == m_host->m_generation) return {};
  return create(stopped, nullptr);
}

Result<RunAnswer> HostedSession::run(const RunOrder& order, const Stopped& stopped) {
  std::unique_lock guard(m_host->m_mutex, std::defer_lock);
  CUTAWAY_CHECK(m_host->lock(guard, stopped));
  CUTAWAY_CHECK(present(stopped));
  RunSession message{
      .session = m_facts.session, .runs = order.runs, .profile = order.profile, .inputs = {}, .outputs = {}};
  const auto addAll = [&](const std::vector<RunPlace>& places, std::vector<RunValue>& values) -> Result<void> {
    for (const RunPlace& place : places) {
      CUTAWAY_CHECK(m_host->share(place.memory, stopped));
      values.push_back({place.slot,
                        place.element,
                        place.dims,
                        {place.memory == nullptr ? 0 : place.memory->id(), place.offset, place.sizeBytes}});
    }
    return {};
  };
  CUTAWAY_CHECK(addAll(order.inputs, message.inputs));
  CUTAWAY_CHECK(addAll(order.outputs, message.outputs));
  std::vector<FileDescriptor> files;
  RunAnswer answer;
  Host::Exchange exchange{*m_host, stopped, m_runNs * std::clamp<int64_t>(order.runs, 1, kMostRuns)};
  CUTAWAY_TRY(RanSession ran, exchange.ask<RanSession>(MessageKind::kRun, message, &files, &answer.log));
  if (files.size() != size_t{ran.resultBytes > 0} + size_t{ran.profileBytes > 0})
    return nonsense("other descriptors than it announced");
  answer.runNs = std::move(ran.runNs);
  recordRuns(m_recorded, answer.runNs);
  if (!answer.runNs.empty()) m_runNs = std::clamp<int64_t>(answer.runNs.back(), 0, kMostExpectedNs);
  if (ran.resultBytes > 0) {
    CUTAWAY_TRY(answer.memory, SharedMemory::open(std::move(files.front()), ran.resultBytes));
  }
  if (ran.profileBytes > 0) {
    CUTAWAY_TRY(const auto profile, SharedMemory::open(std::move(files.back()), ran.profileBytes));
    answer.profile = profile->text().substr(0, ran.profileBytes);
  }
  for (RanValue& result : ran.results) {
    const bool isThere =
        result.sizeBytes == 0 ||
        (answer.memory != nullptr && answer.memory->part(result.offset, result.sizeBytes).data() != nullptr);
    if (!isThere) return nonsense("a result that does not lie where it says");
    answer.results.push_back({result.kind, result.element, std::move(result.dims), result.offset, result.sizeBytes});
  }
  return answer;
}

Result<std::string> HostedSession::endProfile(const Stopped& stopped) {
  std::unique_lock guard(m_host->m_mutex, std::defer_lock);
  CUTAWAY_CHECK(m_host->lock(guard, stopped));
  CUTAWAY_CHECK(present(stopped));
  std::vector<FileDescriptor> files;
  Host::Exchange exchange{*m_host, stopped};
  CUTAWAY_TRY(const EndedProfile ended,
              exchange.ask<EndedProfile>(MessageKind::kEndProfile, SessionNumber{m_facts.session}, &files));
  if (files.size() != 1) return nonsense("no profile");
  CUTAWAY_TRY(const auto profile, SharedMemory::open(std::move(files[0]), ended.profileBytes));
  return std::string(profile->text().substr(0, ended.profileBytes));
}

Result<TextPairs> HostedSession::memoryStatistics(const Stopped& stopped) {
  std::unique_lock guard(m_host->m_mutex, std::defer_lock);
  CUTAWAY_CHECK(m_host->lock(guard, stopped));
  CUTAWAY_CHECK(present(stopped));
  Host::Exchange exchange{*m_host, stopped};
  CUTAWAY_TRY(MemoryFacts facts, exchange.ask<MemoryFacts>(MessageKind::kMemory, SessionNumber{m_facts.session}));
  return std::move(facts.statistics);
}

}  // namespace cutaway::onnxruntime

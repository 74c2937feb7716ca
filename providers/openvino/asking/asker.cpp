#include "providers/openvino/asking/asker.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/opened_library.h"
#include "engine/base/service_process.h"
#include "providers/openvino/library.h"
#include "providers/openvino/model_writer.h"

namespace cutaway::openvino {

namespace {

constexpr const char* kProgram = "cutaway-ort-host";
constexpr const char* kCancelled = "cancelled";
constexpr std::chrono::milliseconds kLookForCancel{20};
constexpr const char* kGone = "its process is gone, and could not be started again";
constexpr const char* kWhatToDo = "; smaller groups (maximum_nodes) may leave it the nodes that it can compile";
constexpr int64_t kMostRestNs = 20'000'000'000;  // below the patience of the other side
// Far above what questions take on a machine under load: what is not answered then is never answered.
constexpr std::chrono::seconds kPatienceForGreeting{30}, kPatience{10};
constexpr std::chrono::milliseconds kPatienceForEach{200}, kPatienceForMegabyte{50};
// Compiling may take minutes, and Cancel is heard.
constexpr std::chrono::minutes kPatienceForTrial{30};

// Until the time is over or nobody wants an answer any more.
class Waiting {
 public:
  Waiting(std::chrono::nanoseconds patience, const Progress& progress)
      : m_endNs(nowNs() + patience.count()), m_progress(progress) {}
  std::function<bool()> asStop() const {
    return [this] { return m_progress.cancelled() || nowNs() > m_endNs; };
  }

 private:
  int64_t m_endNs;
  const Progress& m_progress;
};

std::string secondsText(std::chrono::nanoseconds time) {
  return fmt::format("{:.3g} s", std::chrono::duration<double>(time).count());
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("its process was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("its process ended with code {}", WEXITSTATUS(status));
}

// Signals of a fault. Others come from outside: of the system, too, where the machine runs short of memory.
bool isFault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGABRT || signal == SIGFPE ||
         signal == SIGTRAP || signal == SIGSYS;
}

}  // namespace

std::unique_lock<std::timed_mutex> OwnAsker::turn(const Progress& /*progress*/) {
  return {};
}

void OwnAsker::begin(const Progress& /*progress*/) {}

std::vector<Judged> OwnAsker::judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs,
                                    size_t count, const std::string& device, const Progress& /*progress*/,
                                    std::string& problem) {
  return m_bridge.judge(onnxModel, outputs, count, device, problem);
}

std::string OwnAsker::conversionProblem(const std::string& onnxModel, const Progress& /*progress*/) {
  return m_bridge.conversionProblem(onnxModel);
}

std::string OwnAsker::importProblem(const std::string& /*blob*/, const std::string& /*device*/,
                                    const Progress& /*progress*/) {
  return {};
}

bool OwnAsker::writeLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
  return writeByAddress(tensor, name, proto);
}

SeparateAsker::~SeparateAsker() {
  end();
}

std::optional<int> SeparateAsker::end() {
  m_socket = FileDescriptor();
  const pid_t process = std::exchange(m_process, -1);
  if (process < 0 || m_owner != getpid()) return std::nullopt;
  // What died by itself has no socket any more, and is not killed before it could say how.
  int status = 0;
  pid_t reaped = 0;
  for (int look = 0; look < 100 && (reaped = waitpid(process, &status, WNOHANG)) == 0; ++look)
    usleep(1000);
  if (reaped == 0) {
    kill(process, SIGKILL);
    while ((reaped = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
    }
  }
  return reaped < 0 ? std::optional<int>() : status;
}

std::unique_lock<std::timed_mutex> SeparateAsker::turn(const Progress& progress) {
  std::unique_lock lock(m_mutex, std::defer_lock);
  while (!progress.cancelled() && !lock.try_lock_for(kLookForCancel)) {
  }
  return lock;
}

void SeparateAsker::prepare() {
  if (const std::unique_lock lock(m_mutex, std::try_to_lock); lock.owns_lock()) launch();
}

void SeparateAsker::launch() {
  if (m_process >= 0 && m_owner != getpid()) {  // that of the process that we were forked from
    m_process = -1;
    m_socket = FileDescriptor();
  }
  // It ends by itself when it has nothing to do; what is asked now must not meet that moment.
  if (m_process >= 0 && nowNs() - m_lastUsedNs > kMostRestNs) end();
  m_lastUsedNs = nowNs();
  if (m_process >= 0 || m_unavailable) return;
  m_unavailable = true;
  m_isGreeted = false;
  const std::filesystem::path program = firstWith(searchFolders(), kProgram);
  int ends[2];
  if (program.empty() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  m_socket = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  m_process = startService({.program = program, .service = kAskOpenvino, .socket = theirs.get()}).value_or(-1);
  m_owner = getpid();
  m_unavailable = m_process < 0;
}

void SeparateAsker::greet(const Progress& progress) {
  std::string body;
  const Waiting waiting(kPatienceForGreeting, progress);
  const FrameState state = readFrame(m_socket.get(), kMostSaidBytes, body, waiting.asStop());
  const std::optional<Greeting> greeting = state == FrameState::kGood ? greetingFrom(body) : std::optional<Greeting>();
  if (greeting && greeting->version == m_bridge.version()) {
    m_greeting = *greeting;
    m_isGreeted = m_wasThere = true;
    return;
  }
  kill(m_process, SIGKILL);
  end();
  m_unavailable = !progress.cancelled();
}

void SeparateAsker::begin(const Progress& progress) {
  launch();
  if (m_process >= 0 && !m_isGreeted) greet(progress);
  m_lastUsedNs = nowNs();
}

// Where memory runs out in between, half an answer must not be what is read next.
SeparateAsker::Reply SeparateAsker::exchange(const std::string& bytes, std::chrono::nanoseconds patience,
                                             const Progress& progress) try {
  Reply reply{.said = {}, .state = FrameState::kClosed, .status = {}, .patience = patience};
  if (m_process < 0) return reply;
  if (m_patience.count() > 0) reply.patience = m_patience;
  const Waiting waiting(reply.patience, progress);
  std::string body;
  reply.state = writeFrame(m_socket.get(), bytes, waiting.asStop());
  if (reply.state == FrameState::kGood) reply.state = readFrame(m_socket.get(), kMostSaidBytes, body, waiting.asStop());
  m_lastUsedNs = nowNs();
  if (reply.state == FrameState::kGood) {
    reply.said = saidFrom(body);
    if (reply.said) return reply;
    reply.state = FrameState::kBroken;
  }
  if (reply.state != FrameState::kClosed) kill(m_process, SIGKILL);
  reply.status = end();
  return reply;
} catch (...) {
  if (m_process >= 0) kill(m_process, SIGKILL);
  end();
  throw;
}

Said SeparateAsker::ask(const Inquiry& inquiry, std::chrono::nanoseconds patience, const Progress& progress) {
  if (m_process < 0) return {.problem = progress.cancelled() ? kCancelled : kGone, .judged = {}};
  Reply reply = exchange(bytesOf(inquiry), patience, progress);
  if (reply.said) return *std::move(reply.said);
  if (progress.cancelled()) return {.problem = kCancelled, .judged = {}};
  if (reply.state == FrameState::kStopped)
    return {.problem = "it gave no answer within " + secondsText(reply.patience), .judged = {}};
  if (reply.state == FrameState::kBroken)
    return {.problem = "its process gave an answer that cannot be read", .judged = {}};
  return {.problem = fmt::format("{}; it may take {} MB of memory",
                                 reply.status ? howItEnded(*reply.status) : "its process is gone",
                                 m_greeting.memoryBytes >> 20),
          .judged = {}};
}

std::vector<Judged> SeparateAsker::judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs,
                                         size_t count, const std::string& device, const Progress& progress,
                                         std::string& problem) {
  if (asksItself()) return m_own.judge(onnxModel, outputs, count, device, progress, problem);
  const Inquiry inquiry{
      .kind = InquiryKind::kJudge, .model = onnxModel, .device = device, .outputs = outputs, .count = count};
  Said said = ask(inquiry, kPatience + kPatienceForEach * static_cast<int64_t>(count), progress);
  problem = std::move(said.problem);
  if (problem.empty() && said.judged.size() != count)
    problem = fmt::format("its process gave {} answers to {} questions", said.judged.size(), count);
  return std::move(said.judged);
}

std::string SeparateAsker::conversionProblem(const std::string& onnxModel, const Progress& progress) {
  if (asksItself()) return m_own.conversionProblem(onnxModel, progress);
  const Inquiry inquiry{
      .kind = InquiryKind::kConversionProblem, .model = onnxModel, .device = {}, .outputs = {}, .count = 0};
  return ask(inquiry, kPatience, progress).problem;
}

std::string SeparateAsker::importProblem(const std::string& blob, const std::string& device, const Progress& progress) {
  if (asksItself()) return {};
  if (blob.size() >= kMostAskedBytes / 2)
    return fmt::format("its {} bytes are too many to be tried in a process of its own", blob.size());
  const Inquiry inquiry{.kind = InquiryKind::kImport, .model = blob, .device = device, .outputs = {}, .count = 0};
  return ask(inquiry, kPatience + kPatienceForMegabyte * static_cast<int64_t>(blob.size() >> 20), progress).problem;
}

Trial SeparateAsker::trialOf(const Reply& reply, const char* work) {
  if (reply.state == FrameState::kStopped)
    return {.isKnown = true,
            .problem = fmt::format("OpenVINO came to no end within {} when it {} the group in a process of its own{}",
                                   secondsText(reply.patience), work, kWhatToDo)};
  if (reply.state != FrameState::kClosed || !reply.status || !WIFSIGNALED(*reply.status)) return {};
  const int signal = WTERMSIG(*reply.status);
  // Zeros in place of numbers that something is divided by say nothing of those.
  if (!isFault(signal) || (signal == SIGFPE && std::string_view(work) == "ran")) return {};
  return {.isKnown = true,
          .problem = fmt::format("OpenVINO ended with signal {} ({}) when it {} the group in a process of its own{}",
                                 signal, strsignal(signal), work, kWhatToDo)};
}

Trial SeparateAsker::tryGroup(std::string onnxModel, const CompileSettings& settings, const Progress& progress) {
  if (asksItself() || m_process < 0 || onnxModel.size() >= kMostAskedBytes / 2) return {};
  Inquiry inquiry{.kind = InquiryKind::kCompile,
                  .model = std::move(onnxModel),
                  .device = settings.device,
                  .outputs = {},
                  .count = 0,
                  .properties = settings.properties};
  const Reply compiled = exchange(bytesOf(inquiry), kPatienceForTrial, progress);
  if (progress.cancelled()) return {};
  if (!compiled.said) return trialOf(compiled, "compiled");
  if (!compiled.said->problem.empty()) return {};  // the program will hear the same, or has the memory for it
  inquiry = {.kind = InquiryKind::kRunOnZeros, .model = {}, .device = {}, .outputs = {}, .count = 0, .properties = {}};
  const Reply run = exchange(bytesOf(inquiry), kPatienceForTrial, progress);
  if (progress.cancelled()) return {};
  return run.said ? Trial{.isKnown = true, .problem = {}} : trialOf(run, "ran");
}

bool SeparateAsker::writeLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
  if (asksItself()) return m_own.writeLarge(tensor, name, proto);
  const int64_t bytes = tensor.sizeBytes();
  const bool isSent = bytes <= kMostSentBytes || static_cast<uint64_t>(bytes) > m_greeting.zeroBytes;
  return !isSent && writeByForeignAddress(tensor, name, m_greeting.zerosAt, proto);
}

SeparateAsker& separateAsker(Bridge& bridge) {
  static auto* const asker = new SeparateAsker(bridge);  // never destroyed: its process ends with the socket
  return *asker;
}

}  // namespace cutaway::openvino

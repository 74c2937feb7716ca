#include "providers/onnxruntime/client/host_process.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/progress.h"
#include "providers/onnxruntime/client/launcher.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostKept = 8192;              // of what it printed
constexpr size_t kMostLastWords = 600;          // in a message
constexpr int64_t kLastBreathNs = 200'000'000;  // for a process whose socket is closed to end by itself

fs::path scratchPath() {
  static std::atomic<uint64_t> count{0};
  std::error_code problem;
  fs::path folder = fs::temp_directory_path(problem);
  if (problem) folder = "/dev/shm";
  std::random_device random;
  return folder / fmt::format("cutaway-ort-{}-{}-{:08x}", getpid(), ++count, random());
}

std::string describeStatus(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with code {}", WEXITSTATUS(status));
}

// The end of what was printed, in one line.
std::string lastWords(const std::string& said) {
  std::string words = said.substr(said.size() - std::min(said.size(), kMostLastWords));
  std::replace_if(words.begin(), words.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  const size_t first = words.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return words.substr(first, words.find_last_not_of(' ') - first + 1);
}

const char* nameOf(MessageKind kind) {
  switch (kind) {
    case MessageKind::kHello:
      return "opening the library";
    case MessageKind::kDevices:
      return "listing its devices";
    case MessageKind::kShareMemory:
    case MessageKind::kDropMemory:
      return "taking memory";
    case MessageKind::kCreate:
      return "creating a session";
    case MessageKind::kRun:
      return "running a session";
    case MessageKind::kEndProfile:
      return "writing a profile";
    case MessageKind::kMemory:
      return "telling its memory";
    case MessageKind::kEndSession:
      return "ending a session";
    case MessageKind::kRegister:
      return "registering a library of plug-in providers";
    case MessageKind::kAsk:
      return "asking providers";
    case MessageKind::kCompile:
      return "compiling a context model";
    case MessageKind::kCustom:
      return "reading a library of custom operators";
    case MessageKind::kBinary:
      return "reading a context binary";
  }
  return "answering";
}

}  // namespace

HostProcess::HostProcess(pid_t process, Channel channel, FileDescriptor output, fs::path scratch)
    : m_process(process),
      m_owner(getpid()),
      m_channel(std::move(channel)),
      m_output(std::move(output)),
      m_scratch(std::move(scratch)) {}

HostProcess::~HostProcess() {
  end();
}

Result<std::unique_ptr<HostProcess>> HostProcess::start(const fs::path& program) {
  CUTAWAY_TRY(auto ends, Channel::pair());
  int pipeEnds[2];
  if (pipe2(pipeEnds, O_CLOEXEC) != 0)
    return fail(ErrorCode::kEpFail, "no pipe for the host process can be made: {}", std::strerror(errno));
  FileDescriptor output(pipeEnds[0]);
  const FileDescriptor theirOutput(pipeEnds[1]);
  fcntl(output.get(), F_SETFL, O_NONBLOCK);
  CUTAWAY_TRY(const pid_t process,
              startHost({.program = program, .socket = ends.second.socket(), .output = theirOutput.get()}));
  log::event(log::kInfo, log::Category::kHosts, "started", {{"process", process}, {"program", log::path(program)}});
  return std::unique_ptr<HostProcess>(
      new HostProcess(process, std::move(ends.first), std::move(output), scratchPath()));
}

void HostProcess::readOutput() {
  char buffer[4096];
  // Bounded: a host that prints without end must not keep us here.
  for (int times = 0; times < 64; ++times) {
    const ssize_t count = read(m_output.get(), buffer, sizeof buffer);
    if (count <= 0) return;
    m_said.append(buffer, static_cast<size_t>(count));
    if (m_said.size() > 2 * kMostKept) m_said.erase(0, m_said.size() - kMostKept);
  }
}

std::string HostProcess::end() {
  if (m_process < 0 || !isOurs()) return {};
  int status = 0;
  pid_t reaped = waitpid(m_process, &status, WNOHANG);
  if (reaped == 0) {
    kill(m_process, SIGKILL);
    do {
      reaped = waitpid(m_process, &status, 0);
    } while (reaped < 0 && errno == EINTR);
  }
  std::string ended = reaped < 0 ? std::string("is gone") : describeStatus(status);
  log::event(log::kInfo, log::Category::kHosts, "ended", {{"process", m_process}, {"how", ended}});
  m_process = -1;
  readOutput();
  std::error_code ignored;
  fs::remove_all(m_scratch, ignored);
  return ended;
}

tl::unexpected<Error> HostProcess::giveUp(MessageKind kind, const std::string& what) {
  std::string message = fmt::format("the host process of ONNX Runtime {} while {}", what, nameOf(kind));
  const std::string words = lastWords(m_said);
  log::event(log::kInfo, log::Category::kHosts, "lost", {{"while", nameOf(kind)}, {"how", what}, {"said", words}});
  if (!words.empty()) message += "; its last words: " + words;
  return fail(ErrorCode::kEpFail, "{}", message);
}

Result<Frame> HostProcess::ask(MessageKind kind, std::string_view body, std::span<const int> files,
                               const Patience& patience) {
  if (lost()) return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime is gone");
  readOutput();
  const int64_t deadlineNs = patience.seconds <= 0 ? 0 : nowNs() + static_cast<int64_t>(patience.seconds * 1e9);
  const uint64_t request = ++m_request;
  Received received = m_channel.send(static_cast<uint16_t>(kind), request, body, files, deadlineNs);
  if (received.state == ChannelState::kGood) {
    received = m_channel.receive({.deadlineNs = deadlineNs,
                                  .stopped = patience.stopped,
                                  .alsoReadable = m_output.get(),
                                  .onReadable = [this] { readOutput(); },
                                  .spinNs = patience.spinNs,
                                  .sleepNs = patience.sleepNs});
    if (received.state == ChannelState::kGood &&
        (received.frame.request != request || received.frame.kind != static_cast<uint16_t>(kind)))
      received = {.state = ChannelState::kBroken, .problem = "it answers another request", .frame = {}};
  }
  switch (received.state) {
    case ChannelState::kGood:
      return std::move(received.frame);
    case ChannelState::kStopped:
      end();
      return fail(cancelledError());
    case ChannelState::kTimedOut:
      m_timedOut = true;
      end();
      return giveUp(kind, fmt::format("gave no answer in {:g} s, and was ended,", patience.seconds));
    case ChannelState::kBroken:
      end();
      return giveUp(kind, fmt::format("spoke nonsense ({}), and was ended,", received.problem));
    case ChannelState::kClosed:
      break;
  }
  // Its end of the socket is closed; how it ended is known a moment later.
  for (const int64_t untilNs = nowNs() + kLastBreathNs; nowNs() < untilNs;) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(m_process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
      break;
    usleep(1000);
  }
  return giveUp(kind, end());
}

}  // namespace cutaway::onnxruntime

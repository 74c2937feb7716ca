// Signal handlers, a pipe, and alternate stacks.
//
// The handler runs on the thread that faulted, on a stack of its own, and calls only what POSIX allows there (write,
// pause, sigaction, raise, gettid as a bare system call). Telling what the thread did reads memory that may be broken:
// a fault within the handler (SA_NODEFER lets it in) gives the telling up and parks. abort(3) may be parked because the
// C library lets go of its lock while it raises SIGABRT.

#include "engine/base/crash_guard.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/sanitized.h"
#include "engine/base/signal_stack.h"

namespace cutaway {
namespace {

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What goes through the pipe: below PIPE_BUF, so that it arrives whole.
struct Message {
  int signal;
  int length;
  uint64_t work;
  int64_t thread;
  std::array<char, 200> doing;
};

std::atomic<bool> g_installed{false};
std::atomic<int> g_parked{0};
std::array<int, 2> g_pipe = {-1, -1};
std::array<struct sigaction, kSignals.size()> g_before;

// How far the handler of this thread has come.
enum Phase : int { kOutside, kTelling, kParked };
thread_local constinit bool t_isOwner = false;
thread_local constinit volatile sig_atomic_t t_phase = kOutside;

int64_t threadNumber() {
  return static_cast<int64_t>(::syscall(SYS_gettid));
}

size_t placeOf(int signal) {
  for (size_t i = 0; i < kSignals.size(); ++i)
    if (kSignals[i] == signal) return i;
  return 0;
}

// Lets the one who was there before have it: returning repeats the instruction, what was raised is raised again.
void handOn(int signal, const siginfo_t* info) {
  ::sigaction(signal, &g_before[placeOf(signal)], nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

[[noreturn]] void park() {
  for (;;)
    ::pause();
}

void tell(int signal, bool withWords) {
  Message message{};
  message.signal = signal;
  const ThreadWork& work = detail::threadWork;
  message.work = work.work;
  message.thread = threadNumber();
  if (withWords && work.tell != nullptr)
    message.length = static_cast<int>(work.tell(work.of, work.index, message.doing.data(), message.doing.size()));
  const ssize_t written = ::write(g_pipe[1], &message, sizeof(message));
  static_cast<void>(written);  // a full pipe has told enough
}

void onFault(int signal, siginfo_t* info, void*) {
  const bool sentFromOutside = info->si_code == SI_USER || info->si_code == SI_QUEUE;
  if (t_isOwner || sentFromOutside) return handOn(signal, info);
  if (t_phase == kParked) park();
  const bool again = t_phase == kTelling;
  if (!again) {
    g_parked.fetch_add(1, std::memory_order_relaxed);
    t_phase = kTelling;
    tell(signal, true);
    t_phase = kParked;
  } else {
    t_phase = kParked;
    tell(signal, false);
  }
  park();
}

}  // namespace

bool CrashGuard::possible() {
  return !kSanitized;
}

Result<void> CrashGuard::install() {
  if (!possible() || installed()) return {};
  if (::pipe2(g_pipe.data(), O_NONBLOCK | O_CLOEXEC) != 0)
    return fail(ErrorCode::kFail, "no pipe to hear of crashes: {}", std::strerror(errno));
  t_isOwner = true;
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i)
    if (::sigaction(kSignals[i], &action, &g_before[i]) != 0)
      return fail(ErrorCode::kFail, "cannot handle signal {}: {}", kSignals[i], std::strerror(errno));
  g_installed.store(true, std::memory_order_release);
  return {};
}

bool CrashGuard::installed() {
  return g_installed.load(std::memory_order_acquire);
}

int CrashGuard::descriptor() {
  return g_pipe[0];
}

std::optional<CrashNotice> CrashGuard::take() {
  Message message;
  if (g_pipe[0] < 0 || ::read(g_pipe[0], &message, sizeof(message)) != static_cast<ssize_t>(sizeof(message)))
    return std::nullopt;
  CrashNotice notice{message.signal, message.work, message.thread,
                     std::string(message.doing.data(), static_cast<size_t>(message.length))};
  for (char& c : notice.doing)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return notice;
}

int CrashGuard::parkedThreads() {
  return g_parked.load(std::memory_order_relaxed);
}

void CrashGuard::prepareThread() {
  if (installed()) giveThreadSignalStack();
}

std::string CrashGuard::signalName(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (touched memory that is not its own, or ran out of stack)";
    case SIGBUS:
      return "SIGBUS (a mapped file became shorter, or a bad address)";
    case SIGFPE:
      return "SIGFPE (divided by zero)";
    case SIGILL:
      return "SIGILL (an instruction that this processor does not have)";
    case SIGABRT:
      return "SIGABRT (it gave itself up)";
    default:
      return fmt::format("signal {}", signal);
  }
}

WorkScope::WorkScope(const ThreadWork& work) : m_before(std::exchange(detail::threadWork, work)) {
  CrashGuard::prepareThread();
}

}  // namespace cutaway

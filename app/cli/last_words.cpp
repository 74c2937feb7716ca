// Handlers of faults. That of SIGBUS runs where the program read a page of a file, so no lock of the C library is held
// and a text can be made; standard streams are left alone all the same, as the page may have been on its way into one
// of them.

#include "app/cli/last_words.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include "app/cli/interrupt_grace.h"
#include "app/cli/verb.h"
#include "engine/base/file_descriptor.h"
#include "engine/base/printable.h"
#include "engine/base/sanitized.h"
#include "engine/base/signal_stack.h"
#include "engine/base/thread_work.h"

namespace cutaway::cli {

namespace {

constexpr size_t kLongestName = 700;
constexpr time_t kKeepSeconds = 5;  // who keeps something may wait for a lock of the thread that faulted

std::string_view g_program;
std::atomic<bool> g_isTold{false};

// "7f1c2a000000-7f1c2a400000 r--p 00000000 fd:01 123    /models/big.onnx"
std::optional<std::string> fileOfLine(std::string_view line, uintptr_t address) {
  char* rest = nullptr;
  const std::string text(line);
  const uintptr_t begin = std::strtoull(text.c_str(), &rest, 16);
  if (*rest != '-') return std::nullopt;
  const uintptr_t end = std::strtoull(rest + 1, &rest, 16);
  const std::string_view after(rest);
  const size_t name = after.find('/');
  const bool isSharedForWriting = after.size() > 4 && after[2] == 'w' && after[4] == 's';
  if (address < begin || address >= end || name == std::string_view::npos || isSharedForWriting) return std::nullopt;
  std::string_view path = after.substr(name);
  constexpr std::string_view kGone = " (deleted)";
  if (path.ends_with(kGone)) path.remove_suffix(kGone.size());
  return std::string(path);
}

void tellLine(std::string_view said) {
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, said.data(), said.size());
}

void tellShrunk(const std::string& file) {
  tellLine(
      fmt::format("{}: FAIL: the file became shorter while it was read, or its disk failed; start again when "
                  "nobody writes it (file '{}')\n",
                  g_program, shortenedText(printable(file), kLongestName)));
}

// Nothing is known of the state of memory: no text is made.
void tellCrash(int signal) {
  std::array<char, 600> words;
  size_t length = 0;
  const auto add = [&](std::string_view text) {
    const size_t count = std::min(text.size(), words.size() - length);
    std::copy_n(text.data(), count, words.data() + length);
    length += count;
  };
  std::array<char, 200> doing;
  const ThreadWork& work = detail::threadWork;
  const size_t known = work.tell != nullptr ? work.tell(work.of, work.index, doing.data(), doing.size()) : 0;
  for (char& c : std::span(doing).first(known))
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  add(g_program);
  add(": crashed (SIG");
  add(::sigabbrev_np(signal));
  add(")");
  if (known > 0) {
    add(" in ");
    add({doing.data(), known});
  }
  add(": give it more memory or stack where the shell limits them (ulimit -a), else please report it with the model\n");
  tellLine({words.data(), length});
}

[[noreturn]] void endWhenKept() {
  endByForce(kBadModel);
  const timespec most{.tv_sec = kKeepSeconds, .tv_nsec = 0};
  ::nanosleep(&most, nullptr);
  std::_Exit(kBadModel);
}

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, kSignals.size()> g_before;

void handOn(int signal, const siginfo_t* info) {
  const auto place = std::ranges::find(kSignals, signal) - kSignals.begin();
  ::sigaction(signal, &g_before[static_cast<size_t>(place)], nullptr);
  if (info->si_code <= 0) ::raise(signal);  // else returning repeats the instruction
}

void onFault(int signal, siginfo_t* info, void*) {
  if (signal == SIGBUS && info->si_code == BUS_ADRERR) {
    const std::optional<std::string> file = fileMappedAt(reinterpret_cast<uintptr_t>(info->si_addr));
    while (file && g_isTold.exchange(true))  // threads that share the work fault together
      ::pause();
    if (file) {
      tellShrunk(*file);
      endWhenKept();
    }
  }
  if (!g_isTold.exchange(true)) tellCrash(signal);
  handOn(signal, info);
}

}  // namespace

std::optional<std::string> fileMappedAt(uintptr_t address) {
  const FileDescriptor maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  std::string text;
  char piece[4096];
  for (ssize_t count = 0; maps.valid() && (count = ::read(maps.get(), piece, sizeof(piece))) > 0;) {
    text.append(piece, static_cast<size_t>(count));
    for (size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
      if (auto file = fileOfLine(std::string_view(text).substr(0, end), address)) return file;
  }
  return std::nullopt;
}

void tellLastWords(std::string_view program) {
  g_program = program;
  giveThreadSignalStack();
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i)
    if (kSignals[i] == SIGBUS || !kSanitized) ::sigaction(kSignals[i], &action, &g_before[i]);  // which tells more
}

}  // namespace cutaway::cli

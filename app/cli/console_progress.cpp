#include "app/cli/console_progress.h"

#include <csignal>
#include <cstdio>

#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/cli/interrupt_grace.h"
#include "app/records/record_options.h"
#include "engine/base/clock.h"
#include "engine/base/printable.h"
#include "engine/base/signal_stack.h"

namespace cutaway::cli {

namespace {

// The handler may touch nothing but this: a token that lives as long as the process.
const CancelToken* g_interrupt = nullptr;

void onInterrupt(int) {
  if (g_interrupt == nullptr || g_interrupt->cancelled()) return endByForce(kCancelled);
  g_interrupt->cancel();
  startGrace();
}

// Never taken down: Ctrl-C may come while the process ends.
const CancelToken& interruptToken() {
  static const CancelToken& token = *new CancelToken;
  return token;
}

void keepRecord() {
  if (const Result<void> finished = finishRecords(); !finished) (void)reportError(finished.error());
}

// Often enough to look alive, seldom enough to cost nothing.
constexpr int64_t kRedrawNs = 50'000'000;

}  // namespace

ConsoleProgress::ConsoleProgress() : Progress(interruptToken()), m_terminal(isatty(STDERR_FILENO) == 1) {
  g_interrupt = &interruptToken();
  prepareGrace();
  if (hasRecord()) keepAtForcedEnd(keepRecord);
  giveThreadSignalStack();
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

ConsoleProgress::~ConsoleProgress() {
  if (m_terminal && !m_label.empty()) std::fputs("\r\033[K", stderr);
}

bool ConsoleProgress::interrupted() {
  return g_interrupt != nullptr && g_interrupt->cancelled();
}

void ConsoleProgress::begin(std::string_view stage, std::string_view detail) {
  m_label = detail.empty() ? std::string(stage) : fmt::format("{}: {}", stage, detail);
  show(m_label);
}

void ConsoleProgress::update(uint64_t done, uint64_t total) {
  if (!m_terminal || nowNs() - m_shownNs < kRedrawNs) return;
  show(total > 0 ? fmt::format("{} {} %", m_label, done * 100 / total) : fmt::format("{} {}", m_label, done));
}

void ConsoleProgress::show(std::string_view text) {
  if (!m_terminal) return;
  m_shownNs = nowNs();
  std::fputs(fmt::format("\r\033[K{} ...", printable(text)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace cutaway::cli

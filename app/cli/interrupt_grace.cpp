#include "app/cli/interrupt_grace.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

#include "app/cli/verb.h"

namespace cutaway::cli {

namespace {

constexpr long kGraceNs = 100'000'000;

// A handler may touch nothing but these.
timer_t g_timer;
volatile std::sig_atomic_t g_isArmed = 0;

}  // namespace

void prepareGrace() {
  if (g_isArmed != 0) return;
  struct sigaction action{};
  action.sa_handler = [](int) { std::_Exit(kCancelled); };
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  if (sigaction(SIGALRM, &action, nullptr) == 0 && timer_create(CLOCK_MONOTONIC, &event, &g_timer) == 0) g_isArmed = 1;
}

void startGrace() {
  if (g_isArmed == 0) return;
  const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = kGraceNs}};
  timer_settime(g_timer, 0, &once, nullptr);
}

void waitForTheEnd() {
  g_isArmed = 0;
}

}  // namespace cutaway::cli

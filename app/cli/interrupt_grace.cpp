#include "app/cli/interrupt_grace.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <semaphore.h>

#include "app/cli/verb.h"

namespace cutaway::cli {

namespace {

constexpr long kGraceNs = 100'000'000;

// A handler may touch nothing but these.
timer_t g_timer;
volatile std::sig_atomic_t g_isArmed = 0;
sem_t g_forced;
volatile std::sig_atomic_t g_hasKeeper = 0;
volatile std::sig_atomic_t g_code = kCancelled;

// Signals go to the other threads: a handler here would stop the keeping that it asked for.
void startKeeper(void (*keep)()) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([keep] {
    while (sem_wait(&g_forced) != 0) {
    }
    keep();
    std::_Exit(g_code);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void prepareGrace() {
  if (g_isArmed != 0) return;
  struct sigaction action{};
  action.sa_handler = [](int) { endByForce(kCancelled); };
  action.sa_flags = SA_ONSTACK;
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

void keepAtForcedEnd(void (*keep)()) {
  if (g_hasKeeper != 0 || sem_init(&g_forced, 0, 0) != 0) return;
  startKeeper(keep);
  g_hasKeeper = 1;
}

// Uninstrumented: before a call that does not return, the address sanitizer takes memory, in a handler that may have
// interrupted it.
[[gnu::no_sanitize("address")]] void endByForce(int code) {
  if (g_hasKeeper == 0) std::_Exit(code);
  g_code = code;
  sem_post(&g_forced);
}

}  // namespace cutaway::cli

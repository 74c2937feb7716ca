#include "providers/onnxruntime/client/launcher.h"

#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <spawn.h>
#include <unistd.h>

#include "providers/onnxruntime/protocol/host_start.h"

namespace cutaway::onnxruntime {

namespace {

// The program's environment, without uploads: the library reads the variable when it is opened.
std::vector<std::string> hostEnvironment() {
  std::vector<std::string> entries;
  const std::string telemetry = std::string(kTelemetryVariable) + '=';
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, telemetry.c_str(), telemetry.size()) != 0) entries.emplace_back(*entry);
  }
  entries.push_back(telemetry + kTelemetryOff);
  return entries;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> spawn(const HostStart& start) {
  std::vector<std::string> arguments{start.program.string(), kServe, std::to_string(getpid())};
  std::vector<std::string> environment = hostEnvironment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Far from 0 to 3 first, so that none of the two is written over by the other's copy.
  constexpr int kAside = 100;
  posix_spawn_file_actions_adddup2(&actions, start.socket, kAside);
  posix_spawn_file_actions_adddup2(&actions, start.output, kAside + 1);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0 /* read only */, 0);
  posix_spawn_file_actions_adddup2(&actions, kAside + 1, 1);
  posix_spawn_file_actions_adddup2(&actions, kAside + 1, 2);
  posix_spawn_file_actions_adddup2(&actions, kAside, kSocketDescriptor);
  posix_spawn_file_actions_addclosefrom_np(&actions, kSocketDescriptor + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  // A group of its own: Ctrl-C in a terminal is for the program, which then ends its hosts.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int problem = posix_spawn(&process, start.program.c_str(), &actions, &attributes, pointersTo(arguments).data(),
                                  pointersTo(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    return fail(ErrorCode::kEpFail, "the host process {} cannot be started: {}", start.program.string(),
                std::strerror(problem));
  return process;
}

class Launcher {
 public:
  Launcher() : m_owner(getpid()) {
    std::thread([this] { serve(); }).detach();
  }
  pid_t owner() const { return m_owner; }

  Result<pid_t> start(const HostStart& start) {
    const std::lock_guard oneAtATime(m_callers);
    std::unique_lock lock(m_mutex);
    m_order = &start;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_order == nullptr; });
    return std::move(m_answer);
  }

 private:
  void serve() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_changed.wait(lock, [this] { return m_order != nullptr; });
      m_answer = spawn(*m_order);
      m_order = nullptr;
      m_changed.notify_all();
    }
  }

  pid_t m_owner;
  std::mutex m_callers;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  const HostStart* m_order = nullptr;
  Result<pid_t> m_answer = -1;
};

}  // namespace

Result<pid_t> startHost(const HostStart& start) {
  // Never destroyed: its thread waits until the program ends. A process that was forked has no such thread and makes
  // one of its own.
  static std::mutex mutex;
  static Launcher* launcher = nullptr;
  {
    const std::lock_guard lock(mutex);
    if (launcher == nullptr || launcher->owner() != getpid()) launcher = new Launcher;
  }
  return launcher->start(start);
}

}  // namespace cutaway::onnxruntime

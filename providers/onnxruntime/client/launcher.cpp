#include "providers/onnxruntime/client/launcher.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

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

class Launcher {
 public:
  Launcher() : m_owner(getpid()) {
    std::thread([this] { serve(); }).detach();
  }
  pid_t owner() const { return m_owner; }

  Result<pid_t> start(const ServiceStart& start) {
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
      m_answer = startService(*m_order);
      m_order = nullptr;
      m_changed.notify_all();
    }
  }

  pid_t m_owner;
  std::mutex m_callers;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  const ServiceStart* m_order = nullptr;
  Result<pid_t> m_answer = -1;
};

}  // namespace

Result<pid_t> startHost(ServiceStart start) {
  // Never destroyed: its thread waits until the program ends. A process that was forked has no such thread and makes
  // one of its own.
  static std::mutex mutex;
  static Launcher* launcher = nullptr;
  {
    const std::lock_guard lock(mutex);
    if (launcher == nullptr || launcher->owner() != getpid()) launcher = new Launcher;
  }
  start.service = kServe;
  start.environment = hostEnvironment();
  return launcher->start(start);
}

}  // namespace cutaway::onnxruntime

#include "engine/base/service_process.h"

#include <csignal>
#include <cstring>

#include <spawn.h>
#include <unistd.h>

namespace cutaway {

namespace {

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

class FileActions {
 public:
  explicit FileActions(const ServiceStart& start) {
    posix_spawn_file_actions_init(&m_actions);
    // Far from 0 to 3 first, so that none of the two is written over by the other's copy.
    constexpr int kAside = 100;
    posix_spawn_file_actions_adddup2(&m_actions, start.socket, kAside);
    if (start.output >= 0) posix_spawn_file_actions_adddup2(&m_actions, start.output, kAside + 1);
    posix_spawn_file_actions_addopen(&m_actions, 0, "/dev/null", 0 /* read only */, 0);
    for (const int stream : {1, 2}) {
      if (start.output >= 0)
        posix_spawn_file_actions_adddup2(&m_actions, kAside + 1, stream);
      else
        posix_spawn_file_actions_addopen(&m_actions, stream, "/dev/null", 1 /* write only */, 0);
    }
    posix_spawn_file_actions_adddup2(&m_actions, kAside, kServiceSocket);
    posix_spawn_file_actions_addclosefrom_np(&m_actions, kServiceSocket + 1);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&m_actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &m_actions; }

 private:
  posix_spawn_file_actions_t m_actions;
};

class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&m_attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&m_attributes, &none);
    posix_spawnattr_setpgroup(&m_attributes, 0);
    posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { posix_spawnattr_destroy(&m_attributes); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &m_attributes; }

 private:
  posix_spawnattr_t m_attributes;
};

}  // namespace

Result<pid_t> startService(const ServiceStart& start) {
  std::vector<std::string> arguments{start.program.string(), start.service, std::to_string(getpid())};
  std::vector<std::string> environment = start.environment;
  const FileActions actions(start);
  const Attributes attributes;
  pid_t process = -1;
  const int problem =
      posix_spawn(&process, start.program.c_str(), actions.get(), attributes.get(), pointersTo(arguments).data(),
                  environment.empty() ? environ : pointersTo(environment).data());
  if (problem != 0)
    return fail(ErrorCode::kEpFail, "the process {} cannot be started: {}", start.program.string(),
                std::strerror(problem));
  return process;
}

}  // namespace cutaway

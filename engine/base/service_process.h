#pragma once
// Starts a program of ours that works for this one and talks with it over a socket.
//
// It has a process group of its own, so that Ctrl-C in a terminal is for this program, which then ends it; nothing is
// blocked in it, and it gets no descriptor but those named here. Its first argument is `service`, its second the number
// of this process. Thread rule: any thread. Example:
//   CUTAWAY_TRY(const pid_t process, startService({.program = path, .service = "--serve", .socket = theirs.get()}));

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/base/result.h"

namespace cutaway {

inline constexpr int kServiceSocket = 3;  // its descriptor of ServiceStart::socket

struct ServiceStart {
  std::filesystem::path program;
  std::string service;
  int socket = -1;
  int output = -1;                       // becomes its descriptors 1 and 2; -1: what it prints is lost
  std::vector<std::string> environment;  // NAME=VALUE; empty: that of this program
};

// EP_FAIL naming the program. The caller waits for the process.
Result<pid_t> startService(const ServiceStart& start);

}  // namespace cutaway

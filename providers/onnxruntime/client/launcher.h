#pragma once
// Starts host processes from a thread that lives as long as the program.
//
// The system can kill a child when its parent ends (PR_SET_PDEATHSIG), but "parent" is the thread that started it: from
// a worker thread the host would die with the worker. Thread rule: any thread. Example:
//   CUTAWAY_TRY(const pid_t process, startHost({.program = path, .socket = socket, .output = pipe}));

#include <filesystem>

#include <sys/types.h>

#include "engine/base/result.h"

namespace cutaway::onnxruntime {

struct HostStart {
  std::filesystem::path program;
  int socket = -1;  // becomes its descriptor 3
  int output = -1;  // becomes its descriptors 1 and 2
};

// EP_FAIL naming the program.
Result<pid_t> startHost(const HostStart& start);

}  // namespace cutaway::onnxruntime

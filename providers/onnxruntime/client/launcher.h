#pragma once
// Starts host processes from a thread that lives as long as the program.
//
// The system can kill a child when its parent ends (PR_SET_PDEATHSIG), but "parent" is the thread that started it: from
// a worker thread the host would die with the worker. Thread rule: any thread. Example:
//   CUTAWAY_TRY(const pid_t process, startHost({.program = path, .socket = socket, .output = pipe}));

#include <sys/types.h>

#include "engine/base/result.h"
#include "engine/base/service_process.h"

namespace cutaway::onnxruntime {

// What it is started for and its environment are ours. EP_FAIL naming the program.
Result<pid_t> startHost(ServiceStart start);

}  // namespace cutaway::onnxruntime

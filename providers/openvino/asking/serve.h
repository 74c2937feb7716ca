#pragma once
// The side of the process that asks OpenVINO: it opens the module, answers one frame after the other, and ends with the
// program that started it, or when it was asked nothing for a while.
//
// Thread rule: the main thread of app/ort_host. Example: return serveQuestions(parent);

#include <sys/types.h>

namespace cutaway::openvino {

// The socket is kServiceSocket. 0: the program ended, or had nothing to ask any more.
int serveQuestions(pid_t parent);

}  // namespace cutaway::openvino

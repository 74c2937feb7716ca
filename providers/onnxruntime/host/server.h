#pragma once
// The host process's one loop: a request comes, is answered, until the program goes.
//
// Thread rule: the process's first thread. Example: return serve(parent);   // from main()

#include <sys/types.h>

namespace cutaway::onnxruntime {

// Serves kServiceSocket for the process that started this one; ends with it. The exit code.
int serve(pid_t parent);

}  // namespace cutaway::onnxruntime

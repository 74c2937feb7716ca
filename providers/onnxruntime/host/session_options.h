#pragma once
// Settings as the library's session options.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(const SessionOrder order, sessionOptions(runtime, message));

#include "providers/onnxruntime/host/runtime.h"

namespace cutaway::onnxruntime {

struct SessionOrder {
  OwnedSessionOptions options;
  FileDescriptor optimizedModel;  // where the library writes it; invalid: not asked for
};
// INVALID_ARGUMENT, NOT_FOUND, and what the library says of a setting.
Result<SessionOrder> sessionOptions(Runtime& runtime, const CreateSession& message);

}  // namespace cutaway::onnxruntime

#pragma once
// The provider's options, read and checked, and what they mean for a session of ONNX Runtime.
//
// A key with a dot is a session key of ONNX Runtime and goes to it as it is (session.disable_prepacking=1); one that
// begins with the name of an execution provider and a colon is an option of that provider
// (XnnpackExecutionProvider:intra_op_num_threads=2). Thread rule: plain values. Example:
//   CUTAWAY_TRY(const OnnxruntimeOptions options, readOptions(request.options));

#include <string>

#include "engine/provider/provider_entry.h"
#include "providers/onnxruntime/client/client.h"

namespace cutaway::onnxruntime {

struct OnnxruntimeOptions {
  std::string folder;          // of the library; empty: searched
  SessionSettings settings{};  // intraThreads 0: the session's
  double timeoutSeconds = 600;
  int64_t minimumNodes = 1;
  bool customOnly = false;  // takes nodes of custom operators and no others
};

// INVALID_ARGUMENT naming the option, the value seen, and what is allowed.
Result<OnnxruntimeOptions> readOptions(const ProviderOptions& options);

}  // namespace cutaway::onnxruntime

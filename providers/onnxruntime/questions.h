#pragma once
// The library's own answers about operator forms: every form is asked once per process and configuration, many at a
// time.
//
// One node of each form stands in a model of questions, whose session is created in the host process at the lowest
// optimisation level: what the library's schemas refuse and what no execution provider of the session has a kernel for
// is told by its message. Thread rule: any thread; asking is serialised. Example:
//   CUTAWAY_TRY(const std::vector<Answer> answers, askAbout(host, options, request, nodes));

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/options.h"

namespace cutaway::onnxruntime {

// supported, or the words of a refusal (Refusal without its node).
struct Answer {
  bool supported = false;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason{};
  std::string rule{};
  std::string seen{};
  std::string remedy{};
};

// One answer for each node, in order. EP_FAIL: the host process was lost twice over one question; MODEL_LOAD_CANCELED.
Result<std::vector<Answer>> askAbout(const std::shared_ptr<Host>& host, const OnnxruntimeOptions& options,
                                     const CapabilityRequest& request, std::span<const NodeId> nodes);

// The first line of a message of the library, without the paths of its own source files.
std::string shortened(const std::string& message);
// The number of the question that a message of the library names by its node or one of its values; -1: none.
int64_t questionNamedIn(std::string_view message);

}  // namespace cutaway::onnxruntime

#pragma once
// OpenVINO's own answers about operator forms: every form is asked once per process, many at a time.
//
// Thread rule: any thread; asking is serialised. Example: std::vector<Answer> answers = askAbout(asker, "CPU",
// request, nodes);

#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::openvino {

class Asker;

// supported, or the words of a refusal (Refusal without its node).
struct Answer {
  bool supported = false;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
  std::string rule;
  std::string seen;
  std::string remedy;
};

// One answer for each node, in order. MODEL_LOAD_CANCELED.
Result<std::vector<Answer>> askAbout(Asker& asker, const std::string& device, const CapabilityRequest& request,
                                     std::span<const NodeId> nodes);

// The first sentence or two of a message of OpenVINO, without file names and call chains.
std::string shortened(const std::string& message);

}  // namespace cutaway::openvino

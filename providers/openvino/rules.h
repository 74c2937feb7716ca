#pragma once
// What this provider refuses before it asks OpenVINO: forms that cannot be handed over, and forms whose results are
// known to differ from the standard.
//
// Thread rule: pure. Example: if (std::optional<Answer> no = refusalByRule(request, id, options)) ...

#include <optional>

#include "engine/provider/execution_provider.h"
#include "providers/openvino/options.h"
#include "providers/openvino/questions.h"

namespace cutaway::openvino {

std::optional<Answer> refusalByRule(const CapabilityRequest& request, NodeId id, const OpenvinoOptions& options);

}  // namespace cutaway::openvino

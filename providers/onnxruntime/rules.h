#pragma once
// What this provider refuses before it asks the library: nodes that cannot be handed over, and those whose results
// would not follow the session.
//
// Thread rule: pure. Example: if (std::optional<Answer> no = refusalByRule(request, id)) ...

#include <optional>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/questions.h"

namespace cutaway::onnxruntime {

std::optional<Answer> refusalByRule(const CapabilityRequest& request, NodeId id);

}  // namespace cutaway::onnxruntime

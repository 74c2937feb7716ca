#pragma once
// Why a node cannot be handed to another library as part of a model: rules that hold for every such library.
//
// Thread rule: pure. Example: if (std::optional<Refusal> no = cannotHandOver(request, id, "OpenVINO")) refuse(*no);

#include <optional>
#include <string_view>

#include "engine/provider/execution_provider.h"

namespace cutaway {

// The first of: it calls a function of the model; it may draw random numbers, which would not follow the session's
// seed; its operator version is not the one that a model with these imports means. library: its name, for people.
std::optional<Refusal> cannotHandOver(const CapabilityRequest& request, NodeId id, std::string_view library);

}  // namespace cutaway

#pragma once
// Runs one compiled group: a request per frame over the frame's own memory.
//
// Thread rule: the kernel is immutable; each frame has its own state.
// Example: compiled.kernel = makeGroupKernel(std::move(compiledModel), group.graph);

#include <memory>

#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"
#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

// EP_FAIL when the compiled model's inputs and outputs are not the group's. Keeps the group's weights alive, which OpenVINO may use where they lie.
Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::shared_ptr<Compiled> compiled, const Graph& group, std::string device);

}  // namespace cutaway::openvino

#pragma once
// Runs one compiled group in the host process, over shared memory of each frame.
//
// Thread rule: the kernel is immutable but for the session behind it, whose requests follow one another; each frame has
// its own state. Example: CUTAWAY_TRY(compiled.kernel, makeGroupKernel(std::move(session), group.graph));

#include <memory>

#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"
#include "providers/onnxruntime/client/client.h"

namespace cutaway::onnxruntime {

// EP_FAIL when the session's inputs and outputs are not the group's.
Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::unique_ptr<HostedSession> session, const Graph& group);

}  // namespace cutaway::onnxruntime

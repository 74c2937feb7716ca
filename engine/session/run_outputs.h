#pragma once
// What a run leaves to its caller: fresh outputs, the caller's alone, or bound ones.
//
// Thread rule: one run. Example: collectOutputs(frame, plan, result.outputs);  frame.finish(true);
// CUTAWAY_CHECK(ownOutputs(result.outputs, frame));

#include <functional>

#include "engine/execute/executor.h"
#include "engine/execute/program/fetch_plan.h"
#include "engine/session/io_binding_state.h"

namespace cutaway::session {

// Between memory that the host cannot reach and other memory: the provider's business.
using DeviceCopy = std::function<Result<void>(const Tensor&, Tensor&)>;

// The wanted outputs as they lie in the frame, before it is finished.
void collectOutputs(execute::Frame& frame, const execute::FetchPlan& plan, std::vector<execute::Feed>& outputs);
// After the frame is finished: outputs that share bytes with a feed, a weight or another output are copied. What the
// frame keeps to take it again is the caller's as long as the caller holds it.
Result<void> ownOutputs(std::vector<execute::Feed>& outputs, const execute::Frame& frame);

// Before a run: outputs are made in the caller's buffers, or in memory of the binding.
void bindTargets(execute::Frame& frame, IoBinding::State& binding);
// Before the frame is finished. Bytes are copied only where an output is another value itself (an input, a weight, an
// output twice), the kernel brought its own memory, or the buffer is elsewhere. INVALID_ARGUMENT when a bound buffer
// has another shape.
Result<void> collectBound(execute::Frame& frame, IoBinding::State& binding, const DeviceCopy& copy);

}  // namespace cutaway::session

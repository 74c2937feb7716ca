#pragma once
// A model in doubles, and inputs for it: what an engine makes of them is next to what exact arithmetic gives, so that
// it tells which of two results in single precision is further off.
//
// Every float, half and bfloat16 becomes a double: weights, constants, what inputs and outputs declare, and what Cast
// converts to. Thread rule: pure. Example: widen(model);   session->run(widenedFeeds(feeds));

#include <vector>

#include "engine/execute/run_types.h"
#include "engine/graph/model.h"

namespace cutaway {

// FAIL: memory is short. Operators that have no doubles are told of when a session is made.
Result<void> widen(Model& model);
Result<std::vector<execute::Feed>> widenedFeeds(const std::vector<execute::Feed>& feeds);

}  // namespace cutaway

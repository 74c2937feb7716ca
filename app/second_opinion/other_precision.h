#pragma once
// A model in another precision than its own, and inputs for it. In doubles, what an engine makes of them is next to
// what exact arithmetic gives, so that it tells which of two results in single precision is further off; in halves, it
// tells what half precision does to this model.
//
// Every float, half and bfloat16 becomes of the one type: weights, constants, what inputs and outputs declare, and what
// Cast converts to. Thread rule: pure. Example: retype(model, ElementType::kDouble);
//   session->run(retypedFeeds(feeds, ElementType::kDouble));

#include <vector>

#include "engine/execute/run_types.h"
#include "engine/graph/model.h"

namespace cutaway {

// FAIL: memory is short. Operators that the type is not for are told of when a session is made.
Result<void> retype(Model& model, ElementType type);
Result<std::vector<execute::Feed>> retypedFeeds(const std::vector<execute::Feed>& feeds, ElementType type);

}  // namespace cutaway

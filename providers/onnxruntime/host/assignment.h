#pragma once
// Which provider took which node of a session, as ONNX Runtime recorded it.
//
// Thread rule: one thread. Example: CUTAWAY_CHECK(describeAssignment(api, session, facts.assignment));

#include <vector>

#include "providers/onnxruntime/abi/c_api.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

// Of a session whose settings asked for it.
Result<void> describeAssignment(const CApi& api, const abi::Session* session, std::vector<AssignedGroup>& assignment);

}  // namespace cutaway::onnxruntime

#pragma once
// Runs whose inputs were made up: what was assumed for their sizes, where that may be why a node refused them.
//
// Thread rule: pure. Example: if (!ran) return fail(explainAssumedDims(ran.error(), session, options.dims));

#include <map>
#include <string>

#include "engine/session/session.h"

namespace cutaway::session {

// What to do about them: the dimensions have names, or not.
inline constexpr const char* kNamedDimsRemedy = "--dim NAME=VALUE gives them sizes";
inline constexpr const char* kNamelessDimsRemedy = "give inputs from files";

// An INVALID_ARGUMENT or EP_FAIL of a run with inputs of randomFeeds(session, seed, dims) names the open dimensions
// that became 1; every other error stays as it is.
Error explainAssumedDims(Error error, const Session& session, const std::map<std::string, int64_t>& dims);

}  // namespace cutaway::session

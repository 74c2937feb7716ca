#pragma once
// The reports that cutaway-cli's verbs print as JSON, read for what a sweep keeps.
//
// Whatever a program wrote is hostile here: a member that is missing or of another type is an error. Thread rule: pure.
// Example: CUTAWAY_CHECK(addFindings("bench", json, findings));

#include <string_view>

#include "sweep/results/record.h"

namespace cutaway::sweep {

// command: the name of a JobCommand. INVALID_ARGUMENT: no report of that verb.
Result<void> addFindings(std::string_view command, const Json& report, Findings& findings);

}  // namespace cutaway::sweep

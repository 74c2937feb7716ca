#pragma once
// The node events of ONNX Runtime's profile of several runs of one graph.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const RunEvents events, readRunEvents(json, {"n0", "n1"}));

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway {

struct RunEvents {
  std::vector<study::OtherEvent> events;  // in the order of the first run; times are those of the runs but the first
  // The block that the memory pattern plans: what is in use before the first node of a run that has one, less the same
  // of the first run, which traces and has none. -1: the profile has no memory fields (before 1.31), or fewer than two
  // runs.
  int64_t blockBytes = -1;
  int64_t runs = 0;
  int64_t timedRuns = 0;
};

// INVALID_PROTOBUF where it is no profile. Events of nodes that are not in `mainGraph` (of bodies) are left out.
Result<RunEvents> readRunEvents(std::string_view json, const std::set<std::string>& mainGraph);

}  // namespace cutaway

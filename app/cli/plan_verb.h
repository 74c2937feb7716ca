#pragma once
// What order, allocate and pattern have in common: the walk up to the stage, or a comparison: --compare-orders,
// --what-if CONFIGURATION, --sweep NAME=1,2,4.
//
// Thread rule: the main thread. Example: .declare = [](CLI::App& command) { return declarePlanVerb(command,
// Stage::kPattern, printPattern); }

#include "app/cli/stage_verb.h"

namespace cutaway::cli {

// What a verb prints behind a walk that went well; not with --json.
using AfterPlan = std::function<Result<void>(const SharedOptions& shared, const WalkReport& walk, const CancelToken&)>;

// extend: adds to the JSON of the walk what an option of the verb asks for; it and `after` may be empty.
std::function<int()> declarePlanVerb(CLI::App& command, Stage lastStage, PrintWalk print, ExtendJson extend = {},
                                     AfterPlan after = {});

}  // namespace cutaway::cli

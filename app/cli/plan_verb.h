#pragma once
// What order, allocate and pattern have in common: the walk up to the stage, or a comparison: --compare-orders,
// --what-if CONFIGURATION, --sweep NAME=1,2,4.
//
// Thread rule: the main thread. Example: .declare = [](CLI::App& command) { return declarePlanVerb(command,
// Stage::kPattern, printPattern); }

#include "app/cli/stage_verb.h"

namespace cutaway::cli {

// extend: adds to the JSON of the walk what an option of the verb asks for; may be empty.
std::function<int()> declarePlanVerb(CLI::App& command, Stage lastStage, PrintWalk print, ExtendJson extend = {});

}  // namespace cutaway::cli

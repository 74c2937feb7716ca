#pragma once
// What the plan-only verbs have in common: walk up to a stage, then print its report as text or JSON.
//
// Thread rule: the main thread. Example: see order.cpp.

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/node_label.h"
#include "app/cli/shared_options.h"

namespace cutaway::cli {

using PrintWalk = std::function<void(const WalkReport& walk)>;
using ExtendJson = std::function<void(const session::Session& session, nlohmann::json& json)>;
// What a verb does with the session once the walk went well; the token is Ctrl-C's. declareStageVerb() leaves it out
// with --json: what it prints is text.
using AfterWalk = std::function<Result<void>(session::Session& session, const CancelToken& cancel)>;

// Declares the shared options and --json; the returned function walks, prints, and gives the exit code. `extend` as
// below.
std::function<int()> declareStageVerb(CLI::App& command, Stage lastStage, PrintWalk print, AfterWalk after = {},
                                      ExtendJson extend = {});

// The same for verbs with options of their own. `after` gets the session when the walk went well, `extend` adds to the
// JSON of a walk that went well; both may be empty.
int runStageVerb(SharedOptions& shared, Stage lastStage, const PrintWalk& print, const AfterWalk& after = {},
                 const ExtendJson& extend = {});

// "Usage" errors on stderr, exit code 2.
int usageError(const Error& error);

}  // namespace cutaway::cli

#pragma once
// `inputs --derive`: the lists that the nodes give beside those of the file.
//
// Thread rule: the main thread. Example: return printDerived(options, {}, true);

#include "app/cli/shared_options.h"
#include "engine/stages/resolve/derive.h"

namespace cutaway::cli {

// Loads the model and prints, as text or as JSON. The exit code. trace: every step of the rule.
int printDerived(SharedOptions& options, const resolve::ManualLists& manual, bool trace);

}  // namespace cutaway::cli

#pragma once
// Files of one or several context models, written together: all of them sealed under temporary names first, then
// published, binaries before the models that name them.
//
// Several models share one binary for each provider, named after the first of them. An error or Cancel leaves nothing
// behind; a crash leaves every model as it was or as it will be, with its own binary. Thread rule: one export. Example:
// CUTAWAY_TRY(const ContextWritten written, writeExports({&made, 1}, progress));

#include <span>
#include <string>

#include "engine/base/progress.h"
#include "engine/context/pending_export.h"

namespace cutaway::context {

// The exports' partitions and models are used up. All targets lie in one folder (who calls has checked it).
// MODEL_LOADED: two partitions of one provider have the same name; FAIL: a file cannot be written, exists, or passes
// 2 GB; MODEL_LOAD_CANCELED.
Result<ContextWritten> writeExports(std::span<PendingExport> exports, Progress& progress);

// Words of the progress: stage "Context".
Result<void> contextStep(Progress& progress, const std::string& detail);

}  // namespace cutaway::context

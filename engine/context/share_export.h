#pragma once
// Models that are to share one binary: sessions with ep.share_ep_contexts collect their exports here, the one with
// ep.stop_share_ep_contexts writes all of them.
//
// A session that fails or is cancelled changes nothing: its model is not in the group, and the others wait on, for a
// later session with stop. A stop that fails while it writes leaves no file, and the group as it was without its own
// model. What waits holds weights and sections, no session, no provider. Thread rule: any thread; sessions of one group
// take turns. Example:
//   CUTAWAY_TRY(ContextWritten written, addSharedExport(std::move(made)));       // waits
//   CUTAWAY_TRY(ContextWritten all, writeSharedExports("llm", last, progress));  // writes

#include <optional>
#include <string>

#include "engine/base/progress.h"
#include "engine/context/pending_export.h"

namespace cutaway::context {

// The group is options.shareGroup. MODEL_LOADED: it has a partition of this provider and name already; FAIL: it writes
// that file already; INVALID_ARGUMENT: its models go to another folder.
Result<ContextWritten> addSharedExport(PendingExport made);
// last: the stop session's own model; none when nothing of it was compiled. Everything that waits in the group is
// written. Errors: as addSharedExport and writeExports.
Result<ContextWritten> writeSharedExports(const std::string& group, std::optional<PendingExport> last,
                                          Progress& progress);
// Forgets what waits; returns how many models.
size_t dropSharedExports(const std::string& group);
size_t pendingSharedExports(const std::string& group);

}  // namespace cutaway::context

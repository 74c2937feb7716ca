#pragma once
// The inputs of a run as it was asked for: files where they are given, seeded numbers elsewhere.
//
// Thread rule: any one thread at a time. Example: CUTAWAY_TRY(const auto feeds, makeFeeds(session, request, host,
// options.dims));

#include "ui/document/engine_service.h"

namespace cutaway::ui {

// INVALID_ARGUMENT: a file for an input that the model lacks; errors of reading with the file named.
Result<std::vector<Feed>> makeFeeds(const Session& session, const RunRequest& request, const EngineHost& host,
                                    const std::map<std::string, int64_t>& dims);

}  // namespace cutaway::ui

#pragma once
// A run as it is asked for, and what comes of it.
//
// Thread rule: the functions on any one thread at a time, as a session is.
// Example: CUTAWAY_TRY(const auto feeds, makeFeeds(session, request, options.dims, progress.token()));

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "engine/session/session.h"

namespace cutaway::ui {

struct WorkPlace;

struct RunRequest {
  int runs = 10;
  int warmups = 1;
  double seconds = 0;  // above 0: as many runs as fit, instead of `runs`
  bool profile = true;
  uint64_t seed = 1;                               // for inputs without a file
  std::vector<std::pair<QString, QString>> files;  // input name, path
  std::string tag;                                 // goes into the report, logs and traces
};

// Inputs: files where they are given, seeded numbers elsewhere. INVALID_ARGUMENT: a file for an input that the model
// lacks; errors of reading with the file named.
Result<std::vector<execute::Feed>> makeFeeds(const session::Session& session, const RunRequest& request,
                                             const std::map<std::string, int64_t>& dims, const CancelToken& cancel);

// Runs the open model; the walk with what was measured. FAIL: there is no session, or it was cancelled; the error that
// a model which is only shown came with; those of makeFeeds() and of running.
Result<std::shared_ptr<const WalkReport>> measuredWalk(const WorkPlace& place, const RunRequest& request,
                                                       Progress& progress);

}  // namespace cutaway::ui

#pragma once
// What run, bench and profile share: a session that is ready to run, its feeds, and Ctrl-C.
//
// Thread rule: the main thread. Example: see bench.cpp.

#include "app/cli/console_progress.h"
#include "app/cli/feeds.h"

namespace cutaway::cli {

struct RunVerb {
  SharedOptions shared;
  FeedOptions feedOptions;

  void declare(CLI::App& command);
  // Opens, feeds, calls body; errors become messages and exit codes.
  int run(const std::function<Result<void>(session::Session&, const std::vector<execute::Feed>&,
                                           const ConsoleProgress&)>& body);

  std::string tag;     // --tag
  int64_t loadNs = 0;  // session creation
};

}  // namespace cutaway::cli

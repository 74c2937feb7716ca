#include "app/cli/run_verb.h"

#include <CLI/CLI.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "engine/base/clock.h"

namespace cutaway::cli {
namespace {

// Who was asked for and has no device here is named: a run on other providers is not what its user thinks it is.
void tellWhoCannotRun(const WalkReport& walk) {
  if (!walk.partition) return;
  for (const ProviderSummary& provider : walk.partition->providers)
    if (!provider.usable) putError("{} {}; other providers run its nodes\n", provider.name, provider.reason);
}

}  // namespace

void RunVerb::declare(CLI::App& command) {
  shared.declare(command);
  feedOptions.declare(command);
  command.add_option("--tag", tag, "a text that goes into reports, traces and logs of these runs")->type_name("TEXT");
}

int RunVerb::run(const std::function<Result<void>(session::Session&, const std::vector<execute::Feed>&,
                                                  const ConsoleProgress&)>& body) {
  if (const Result<void> settled = shared.settle(); !settled) return usageError(settled.error());
  const Result<session::SessionOptions> options = shared.sessionOptions(Stage::kPattern, true);
  if (!options) return usageError(options.error());
  ConsoleProgress progress;
  const Stopwatch watch;
  const Result<std::unique_ptr<session::Session>> session = shared.openSession(Stage::kPattern, true, progress);
  loadNs = watch.elapsedNs();
  if (!session) return reportError(session.error());
  // Who lets the program choose is told what it chose.
  if (const auto choice = (*session)->report()->choice; choice && choice->basis != ChoiceBasis::kNamed)
    putError("{}\n", choice->reason);
  tellWhoCannotRun(*(*session)->report());
  const Result<std::vector<execute::Feed>> feeds = feedOptions.feeds(**session, options->dims, progress.token());
  if (!feeds)
    return feeds.error().code == ErrorCode::kInvalidArgument ? usageError(feeds.error()) : reportError(feeds.error());
  const Result<void> done = body(**session, *feeds, progress);
  if (done) return kDone;
  return progress.cancelled()
             ? (reportError(cancelledError()), static_cast<int>(kCancelled))
             : reportError(feedOptions.explain(atFile(done.error(), shared.model), **session, options->dims));
}

}  // namespace cutaway::cli

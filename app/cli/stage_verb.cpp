#include "app/cli/stage_verb.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/providers/provider_table.h"
#include "engine/base/printable.h"
#include "engine/report/json.h"

namespace cutaway::cli {

int usageError(const Error& error) {
  putError("cutaway-cli: {}\n", shortenedText(error.message, 640));
  return kUsage;
}

int runStageVerb(SharedOptions& shared, Stage lastStage, const PrintWalk& print, const AfterWalk& after,
                 const ExtendJson& extend) {
  if (const Result<void> settled = shared.settle(); !settled) return usageError(settled.error());
  const Result<session::SessionOptions> options = shared.sessionOptions(lastStage, false);
  if (!options) return usageError(options.error());

  std::shared_ptr<const WalkReport> walk = std::make_shared<WalkReport>();
  Result<std::unique_ptr<session::Session>> session;
  {
    ConsoleProgress progress;
    session = session::Session::create(load::ModelSource::file(shared.model), *options, builtProviders(), progress,
                                       [&](std::shared_ptr<const WalkReport> snapshot) { walk = std::move(snapshot); });
  }
  if (session) walk = (*session)->report();
  if (shared.json) {
    nlohmann::json json = walkToJson(*walk, {.lastStage = lastStage});
    if (!session) json["error"] = toJson(session.error());
    if (session && extend) extend(**session, json);
    if (session && ConsoleProgress::interrupted()) return reportError(cancelledError());
    if (const Result<void> written = shared.writeJson(dumpJson(json, 2)); !written) return reportError(written.error());
  }
  if (!session) return reportError(session.error());
  if (!shared.json) print(*walk);
  if (after) {
    // Long work again (painting, writing): Ctrl-C must be heard here too.
    ConsoleProgress progress;
    if (const Result<void> done = after(**session, progress.token()); !done)
      return reportError(atFile(done.error(), shared.model));
  }
  return kDone;
}

std::function<int()> declareStageVerb(CLI::App& command, Stage lastStage, PrintWalk print, AfterWalk after,
                                      ExtendJson extend) {
  auto shared = std::make_shared<SharedOptions>();
  shared->declare(command);
  shared->declareJson(command);
  return [shared, lastStage, print = std::move(print), after = std::move(after), extend = std::move(extend)] {
    const AfterWalk text = [&](session::Session& session, const CancelToken& cancel) {
      return shared->json || !after ? Result<void>() : after(session, cancel);
    };
    return runStageVerb(*shared, lastStage, print, text, extend);
  };
}

}  // namespace cutaway::cli

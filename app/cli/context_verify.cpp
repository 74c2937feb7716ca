// context --verify FILE: a context model beside its original, bit for bit and in time.
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/context_verb.h"
#include "app/cli/exit_code.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/compile/verify.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

Result<ContextVerification> verify(const ContextVerbOptions& options, session::SessionOptions session,
                                   Progress& progress, std::vector<std::string>& simulated) {
  CUTAWAY_TRY(const Model model, loadToLook(options.verifyFile, progress));
  if (session.providers.empty()) {
    CUTAWAY_TRY(session.providers, providersOfContexts(model));
  }
  std::filesystem::path original = options.original;
  if (original.empty()) {
    CUTAWAY_TRY(original, originalOf(model));
    std::error_code ignored;
    if (original.empty() || !std::filesystem::exists(original, ignored)) {
      const std::string why =
          original.empty() ? "the context model does not name it" : fmt::format("{} is not there", original.string());
      return fail(
          atFile(Error{ErrorCode::kNoSuchFile,
                       fmt::format("the original to compare with is not known: {}; give it with --original MODEL", why),
                       {}},
                 options.verifyFile));
    }
  }
  compile::VerifyRequest request{.original = load::ModelSource::file(original),
                                 .context = load::ModelSource::file(options.verifyFile),
                                 .session = session,
                                 .runs = options.runs,
                                 .seed = options.feeds.seed(),
                                 .feeds = {},
                                 .dims = session.dims,
                                 .simulated = &simulated};
  if (options.feeds.hasFiles()) {
    session::SessionOptions planOnly = session;
    planOnly.lastStage = Stage::kPartition;
    planOnly.prepareRun = false;
    CUTAWAY_TRY(const auto looked, session::Session::create(request.original, planOnly, builtProviders(), progress));
    CUTAWAY_TRY(request.feeds, options.feeds.feeds(*looked, session.dims, progress.token()));
  }
  auto seen = compile::verifyContext(request, builtProviders(), progress);
  return seen ? std::move(seen) : fail(atFile(std::move(seen).error(), original.string()));
}

}  // namespace

int verifyContextFile(const ContextVerbOptions& options) {
  const Result<session::SessionOptions> session = options.shared.sessionOptions(Stage::kPattern, true);
  if (!session) return usageError(session.error());
  Result<ContextVerification> seen;
  std::vector<std::string> simulated;
  {
    ConsoleProgress progress;
    seen = verify(options, *session, progress, simulated);
  }
  if (!seen) return reportError(seen.error());
  if (options.shared.json) {
    WalkReport walk;
    ContextReport report;
    report.verified = {*seen};
    walk.context = std::make_shared<const ContextReport>(std::move(report));
    nlohmann::json json = walkToJson(walk, {.graphs = false});
    json["simulated_providers"] = simulated;
    if (const Result<void> written = options.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else {
    printVerification(*seen, simulated);
  }
  return seen->loads && seen->sameOutputs ? kDone : kCheckFailed;
}

}  // namespace cutaway::cli

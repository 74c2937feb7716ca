// context --preview and --show: looking without writing.
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/context_verb.h"
#include "app/cli/exit_code.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

using PrintContext = std::function<void(const WalkReport&)>;

// Walks to the partition without preparing to run, and prints what came of it, also when it failed on the way.
int look(const ContextVerbOptions& options, session::SessionOptions session, bool graphs, const PrintContext& print) {
  std::shared_ptr<const WalkReport> walk = std::make_shared<WalkReport>();
  session.lastStage = Stage::kPartition;
  session.prepareRun = false;
  session.config.erase("ep.context_enable");
  Result<std::unique_ptr<session::Session>> made;
  {
    ConsoleProgress progress;
    made = session::Session::create(load::ModelSource::file(options.shared.model), session, builtProviders(), progress,
                                    [&](std::shared_ptr<const WalkReport> snapshot) { walk = std::move(snapshot); });
  }
  if (made) walk = (*made)->report();
  if (options.shared.json) {
    nlohmann::json json = walkToJson(*walk, {.graphs = graphs});
    if (!made) json["error"] = toJson(made.error());
    if (const Result<void> written = options.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else if (walk->context != nullptr) {
    print(*walk);
  }
  return made ? kDone : reportError(made.error());
}

}  // namespace

int previewContext(const ContextVerbOptions& options) {
  const Result<session::SessionOptions> session = options.shared.sessionOptions(Stage::kPartition, false);
  if (!session) return usageError(session.error());
  return look(options, *session, false, printPreview);
}

int showContext(const ContextVerbOptions& options) {
  Result<session::SessionOptions> session = options.shared.sessionOptions(Stage::kPartition, false);
  if (!session) return usageError(session.error());
  if (session->providers.empty()) {
    ConsoleProgress progress;
    const Result<Model> model = loadToLook(options.shared.model, progress);
    if (!model) return reportError(model.error());
    if (const auto names = providersOfContexts(*model); names) session->providers = *names;
  }
  return look(options, *session, true, [&](const WalkReport& walk) { printContextNodes(walk, options.all); });
}

}  // namespace cutaway::cli

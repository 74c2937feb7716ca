// tune: measures which list of providers runs a model fastest here, and remembers it for --providers auto.
#include "engine/study/tune/tune.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/about/build_facts.h"
#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "engine/report/json.h"
#include "engine/session/choice/model_key.h"

namespace cutaway::cli {

namespace {

struct TuneVerb {
  SharedOptions shared;
  double seconds = 10;
  uint64_t seed = 0;
  bool list = false, clear = false, dryRun = false;
};

std::string listText(const std::vector<std::string>& providers) {
  return fmt::format("{}", fmt::join(providers, ","));
}

int putJson(const TuneVerb& verb, nlohmann::json json) {
  json["schema_version"] = kReportSchemaVersion;
  const Result<void> written = verb.shared.writeJson(dumpJson(json, 2));
  return written ? kDone : reportError(written.error());
}

void printPlan(const session::TunedPlan& plan) {
  TableOf<MeasuredList> table(
      {{"providers", [](const MeasuredList& list) { return listText(list.providers); }},
       {">median",
        [](const MeasuredList& list) { return list.runs > 0 ? fmt::format("{:.3f} ms", list.medianMs) : "-"; }},
       {">95 % from", [](const MeasuredList& list) { return list.runs > 0 ? fmt::format("{:.3f}", list.lowMs) : "-"; }},
       {">to", [](const MeasuredList& list) { return list.runs > 0 ? fmt::format("{:.3f}", list.highMs) : "-"; }},
       {">runs", [](const MeasuredList& list) { return fmt::format("{}", list.runs); }},
       {">p", [](const MeasuredList& list) { return list.runs > 0 ? fmt::format("{:.2g}", list.pValue) : "-"; }},
       {"", [&](const MeasuredList& list) { return list.providers == plan.providers ? "taken" : list.problem; }}},
      plan.measured);
  table.print();
  put("auto takes {} for this model on {} with {} cores ({})\n", listText(plan.providers), plan.key.machine.processor,
      plan.key.machine.cores, plan.key.settings);
}

// Of one model when it is named: its number comes from the file as it is.
Result<std::string> modelFilter(const std::string& path) {
  if (path.empty()) return std::string();
  Progress progress;
  CUTAWAY_TRY(const load::LoadResult loaded,
              load::load(load::ModelSource::file(path), {.allowMissingExternalData = true}, progress));
  return session::modelKey(loaded.model);
}

int listPlans(const TuneVerb& verb, const std::filesystem::path& folder, const std::string& model) {
  const std::vector<session::TunedFile> files = session::listTuned(folder, model);
  if (verb.shared.json) {
    nlohmann::json plans = nlohmann::json::array();
    for (const session::TunedFile& file : files) {
      nlohmann::json entry = {{"file", file.path.string()}, {"problem", file.problem}};
      if (file.plan) entry["plan"] = session::tunedPlanToJson(*file.plan);
      plans.push_back(std::move(entry));
    }
    return putJson(verb, {{"folder", folder.string()}, {"plans", std::move(plans)}});
  }
  TextTable table({"model", "providers", ">median", ">alone", "measured", "machine", "version", "settings"});
  for (const session::TunedFile& file : files) {
    if (!file.plan) continue;
    const session::TunedPlan& plan = *file.plan;
    const auto taken = std::ranges::find(plan.measured, plan.providers, &MeasuredList::providers);
    table.add({plan.title, listText(plan.providers), fmt::format("{:.3f} ms", taken->medianMs),
               fmt::format("{:.3f} ms", plan.measured.front().medianMs), plan.measuredAt, plan.key.machine.processor,
               plan.key.version, plan.key.settings});
  }
  table.print();
  for (const session::TunedFile& file : files)
    if (!file.plan) put("not used: {}\n", file.problem);
  put("{} plans in {}\n", files.size(), folder.string());
  return kDone;
}

int clearPlans(const TuneVerb& verb, const std::filesystem::path& folder, const std::string& model) {
  const Result<int64_t> removed = session::clearTuned(folder, model);
  if (!removed) return reportError(removed.error());
  if (verb.shared.json) return putJson(verb, {{"folder", folder.string()}, {"removed", *removed}});
  put("{} plans removed from {}\n", *removed, folder.string());
  return kDone;
}

int measure(TuneVerb& verb, const std::filesystem::path& folder) {
  const Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPattern, true);
  if (!options) return usageError(options.error());
  Result<session::TunedPlan> plan;
  {
    ConsoleProgress progress;
    plan = study::tune({.source = load::ModelSource::file(verb.shared.model),
                        .options = *options,
                        .title = std::filesystem::path(verb.shared.model).filename().string(),
                        .seconds = verb.seconds,
                        .seed = verb.seed},
                       builtProviders(), progress);
  }
  if (!plan) return reportError(atFile(plan.error(), verb.shared.model));
  std::string file;
  if (!verb.dryRun) {
    const auto saved = session::saveTuned(folder, *plan);
    if (!saved) return reportError(saved.error());
    file = saved->string();
  }
  if (verb.shared.json) return putJson(verb, {{"plan", session::tunedPlanToJson(*plan)}, {"file", file}});
  printPlan(*plan);
  if (!file.empty()) put("remembered in {}\n", file);
  return kDone;
}

int run(TuneVerb& verb) {
  const Result<void> settled = verb.shared.settle();
  const bool looks = verb.list || verb.clear;
  if (!settled && !looks) return usageError(settled.error());
  const std::filesystem::path folder = session::userTunedFolder();
  if (folder.empty() && !verb.dryRun)
    return usageError({ErrorCode::kInvalidArgument,
                       "there is no folder to remember in: set HOME or XDG_CACHE_HOME, or take --dry-run",
                       {}});
  if (!looks) return measure(verb, folder);
  const Result<std::string> model = modelFilter(verb.shared.model);
  if (!model) return reportError(model.error());
  return verb.list ? listPlans(verb, folder, *model) : clearPlans(verb, folder, *model);
}

}  // namespace

Verb verb_tune() {
  return {.name = "tune",
          .help = "measures which providers run a model fastest on this machine, and remembers it for --providers auto",
          .example =
              "cutaway-cli tune model.onnx --threads 2\n"
              "  cutaway-cli run model.onnx --providers auto --threads 2 --random 7\n"
              "  cutaway-cli tune --list",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<TuneVerb>();
            verb->shared.declare(command);
            verb->shared.declareJson(command);
            command.add_option("--seconds", verb->seconds, "measure for about this long, beside preparing")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--random", verb->seed, "seed of the inputs")->type_name("SEED")->capture_default_str();
            command.add_flag("--dry-run", verb->dryRun, "measure and remember nothing");
            auto* list = command.add_flag("--list", verb->list, "what is remembered, of all models or of MODEL");
            command.add_flag("--clear", verb->clear, "forget what is remembered, of all models or of MODEL")
                ->excludes(list);
            return [verb] { return run(*verb); };
          }};
}

}  // namespace cutaway::cli

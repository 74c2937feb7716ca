// advise: what to change, each suggestion tried before it is given; with --support, which provider takes how much.
#include "engine/study/advise/advise.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/advice_print.h"
#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/read_mark.h"
#include "engine/base/write_file.h"
#include "engine/report/json.h"
#include "engine/report/json_advice.h"
#include "engine/session/configuration/configuration.h"
#include "engine/study/support/support_matrix.h"

namespace cutaway::cli {

namespace {

struct AdviseVerb {
  SharedOptions shared;
  std::vector<std::string> against;  // providers of the support matrix
  std::string output;
  int apply = 0;  // from 1
  uint64_t seed = 0;
  bool support = false;
  bool noCure = false;
  bool attempts = false;
  bool force = false;
};

Result<void> applySettings(const AdviseVerb& verb, const Advice& advice) {
  CUTAWAY_TRY(session::SessionOptions options, verb.shared.sessionOptions(Stage::kPattern, false));
  CUTAWAY_TRY(const session::Configuration change, session::readConfiguration(advice.settings));
  CUTAWAY_CHECK(change.applyTo(options, builtProviders()));
  return writeFile(verb.output, session::configurationToJson(session::configurationOf(options)),
                   {.overwrite = verb.force});
}

Result<void> applyAdvice(const AdviseVerb& verb, const study::Advised& advised) {
  const auto& list = advised.report.advice;
  if (static_cast<size_t>(verb.apply) > list.size())
    return fail(ErrorCode::kInvalidArgument, "there is no advice number {}: {}", verb.apply,
                list.empty() ? "nothing was found" : fmt::format("there are {}", list.size()));
  const Advice& advice = list[static_cast<size_t>(verb.apply) - 1];
  if (!advice.settings.empty()) return applySettings(verb, advice);
  return study::saveCured(*advised.cure, advice.allSteps ? study::kAllSteps : advice.proposal, verb.output, verb.force);
}

int apply(const AdviseVerb& verb, const study::Advised& advised) {
  if (verb.force) allowWritingOverReadFiles();
  Result<void> done = applyAdvice(verb, advised);
  if (done) {
    putError("wrote {}\n", verb.output);
    return kDone;
  }
  const bool nothing = done.error().code == ErrorCode::kInvalidArgument && done.error().where.file.empty();
  const int code = reportError(notWritten(done.error()));
  return nothing ? kCheckFailed : code;
}

int writeJson(const AdviseVerb& verb, nlohmann::json json) {
  json["schema_version"] = kReportSchemaVersion;
  const Result<void> written = verb.shared.writeJson(dumpJson(json, 2));
  return written ? kDone : reportError(written.error());
}

int runSupport(const AdviseVerb& verb, session::SessionOptions options) {
  Result<SupportReport> report;
  {
    ConsoleProgress progress;
    report = study::supportMatrix({.source = load::ModelSource::file(verb.shared.model),
                                   .options = std::move(options),
                                   .providers = verb.against},
                                  builtProviders(), progress);
  }
  if (!report) return reportError(report.error());
  if (verb.shared.json) return writeJson(verb, supportToJson(*report));
  printSupport(*report);
  return kDone;
}

int run(AdviseVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  if ((verb.apply == 0) != verb.output.empty())
    return usageError({ErrorCode::kInvalidArgument, "--apply says what to write and -o where: both are needed", {}});
  Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPattern, false);
  if (!options) return usageError(options.error());
  if (verb.support || !verb.against.empty()) return runSupport(verb, *std::move(options));
  Result<study::Advised> advised;
  {
    ConsoleProgress progress;
    advised = study::advise({.source = load::ModelSource::file(verb.shared.model),
                             .options = *std::move(options),
                             .cure = !verb.noCure,
                             .seed = verb.seed},
                            builtProviders(), progress);
  }
  if (!advised) return reportError(advised.error());
  if (verb.shared.json) {
    if (const int code = writeJson(verb, adviceToJson(advised->report)); code != kDone) return code;
  } else {
    printAdvice(advised->report, verb.attempts);
  }
  return verb.apply == 0 ? kDone : apply(verb, *advised);
}

}  // namespace

Verb verb_advise() {
  return {.name = "advise",
          .help =
              "what to change in settings or model: every suggestion is tried on this model before it is given; "
              "--support asks which provider takes how much of it",
          .example =
              "cutaway-cli advise model.onnx --providers \"declared(QNN-HTP),cpu\"\n"
              "  cutaway-cli advise model.onnx --apply 1 -o better.json\n"
              "  cutaway-cli advise model.onnx --support",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<AdviseVerb>();
            verb->shared.declare(command);
            verb->shared.declareJson(command);
            command
                .add_option("--apply", verb->apply,
                            "write what advice number N says to the file of -o: settings as a configuration for "
                            "--config, or a changed copy of the model")
                ->type_name("N")
                ->check(CLI::Range(1, 1'000'000));
            command.add_option("-o,--output", verb->output, "the file to write")->type_name("FILE");
            command.add_flag("--force", verb->force, "replace files that exist");
            command.add_flag("--no-cure", verb->noCure, "settings only: do not look for changes of the model");
            command.add_option("--seed", verb->seed, "of the random inputs that results are compared on")
                ->capture_default_str();
            command.add_flag("--attempts", verb->attempts, "also list what gained nothing");
            command.add_flag("--support", verb->support,
                             "the support matrix instead: how much of the model each provider and profile takes");
            command
                .add_option("--against", verb->against,
                            "a provider of the support matrix, as --providers takes it; may be repeated")
                ->type_name("PROVIDER");
            return [verb] { return run(*verb); };
          }};
}

}  // namespace cutaway::cli

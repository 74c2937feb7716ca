// partition: which provider took which node, why the others refused, which groups and copies came of it, and what would
// change if.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/kernel_print.h"
#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/write_file.h"
#include "engine/report/json.h"
#include "engine/report/json_kernels.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/configuration/onnxruntime_code.h"
#include "engine/study/kernels/kernel_choices.h"
#include "engine/study/what_if/what_if.h"

namespace cutaway::cli {

namespace {

struct PartitionVerb {
  SharedOptions shared;
  std::string change;      // --what-if
  std::string node;        // --node
  std::string configFile;  // --save-config
  int measureRuns = 0;
  bool nodes = false;
  bool kernels = false;
  bool keys = false;
  std::string code;  // --code
};

Result<void> saveConfiguration(const session::Configuration& configuration, const std::string& path) {
  CUTAWAY_CHECK(writeFile(path, session::configurationToJson(configuration)));
  putError("wrote {}\n", path);
  return {};
}

Result<void> finish(const PartitionVerb& verb, const session::Configuration& configuration) {
  if (!verb.code.empty()) {
    const auto language = verb.code == "python" ? session::CodeLanguage::kPython : session::CodeLanguage::kCpp;
    put("{}", session::onnxruntimeCode(language, verb.shared.model, configuration, builtProviders()));
  }
  if (verb.keys && !verb.shared.json) {
    put("\nthe same in onnxruntime\n");
    for (const std::string& line : session::referenceKeys(configuration, builtProviders()))
      put("  {}\n", line);
  }
  return verb.configFile.empty() ? Result<void>() : saveConfiguration(configuration, verb.configFile);
}

int look(PartitionVerb& verb) {
  const auto print = [&](const WalkReport& walk) {
    if (!verb.node.empty() || !verb.code.empty()) return;
    printPartition(walk);
    if (verb.nodes) printPlacements(walk);
  };
  return runStageVerb(
      verb.shared, Stage::kPartition, print, [&](session::Session& session, const CancelToken&) -> Result<void> {
        if (!verb.node.empty() && !verb.shared.json) CUTAWAY_CHECK(printRefusalInspector(*session.report(), verb.node));
        CUTAWAY_TRY(const session::SessionOptions options, verb.shared.sessionOptions(Stage::kPartition, false));
        return finish(verb, session::configurationOf(session::settled(options, *session.report())));
      });
}

Result<void> printChoices(const PartitionVerb& verb, const study::KernelChoices& choices) {
  const WalkReport& walk = *choices.walk;
  if (verb.shared.json) {
    nlohmann::json json = walkToJson(walk, {.lastStage = Stage::kPartition});
    json["kernels"] = kernelsToJson(choices.report);
    return verb.shared.writeJson(dumpJson(json, 2));
  }
  if (!verb.node.empty()) {
    CUTAWAY_CHECK(printRefusalInspector(walk, verb.node));
    printKernelOf(choices.report, verb.node);
    return {};
  }
  printPartition(walk);
  if (verb.nodes) printPlacements(walk);
  printKernels(choices.report, *walk.partitionedGraphs);
  return {};
}

// Kernels are known once they are made, as for a run.
int make(PartitionVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  const Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPattern, true);
  if (!options) return usageError(options.error());
  Result<study::KernelChoices> choices;
  {
    ConsoleProgress progress;
    choices = study::kernelChoices(load::ModelSource::file(verb.shared.model), *options, builtProviders(), progress);
  }
  if (!choices) return reportError(choices.error());
  if (const Result<void> printed = printChoices(verb, *choices); !printed) return reportError(printed.error());
  const Result<void> done = finish(verb, session::configurationOf(session::settled(*options, *choices->walk)));
  return done ? kDone : reportError(atFile(done.error(), verb.shared.model));
}

Result<void> printResult(const PartitionVerb& verb, const study::WhatIfResult& result) {
  if (verb.shared.json) {
    nlohmann::json json = {{"schema_version", kReportSchemaVersion}};
    json["walk"] = walkToJson(*result.walk, {.lastStage = Stage::kPattern});
    json["comparison"] = toJson(*result.comparison);
    CUTAWAY_CHECK(verb.shared.writeJson(dumpJson(json, 2)));
  } else if (!verb.code.empty()) {
    // The program is to stand alone.
  } else if (!verb.node.empty()) {
    CUTAWAY_CHECK(printRefusalInspector(*result.walk, verb.node));
  } else {
    printComparison(*result.comparison);
    if (verb.nodes) printPlacements(*result.walk);
  }
  return finish(verb, result.configuration);
}

int ask(PartitionVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  const Result<session::Configuration> change = session::readConfiguration(verb.change);
  if (!change) return usageError(change.error());
  Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPattern, false);
  if (!options) return usageError(options.error());
  options->keepOptimized = true;
  Result<study::WhatIfResult> result;
  {
    ConsoleProgress progress;
    const auto session =
        session::Session::create(load::ModelSource::file(verb.shared.model), *options, builtProviders(), progress);
    if (!session) return reportError(session.error());
    study::WhatIf whatIf(builtProviders());
    result = whatIf.evaluate(*(*session)->optimizedModel(), *options, *change, *(*session)->report(), progress,
                             verb.measureRuns);
  }
  if (!result) return reportError(atFile(result.error(), verb.shared.model));
  const Result<void> done = printResult(verb, *result);
  return done ? kDone : reportError(atFile(done.error(), verb.shared.model));
}

}  // namespace

Verb verb_partition() {
  return {
      .name = "partition",
      .help =
          "which provider runs which node, why the others refused, groups and copies; --what-if compares with other "
          "providers, options or pins",
      .example =
          "cutaway-cli partition model.onnx --providers onednn,cpu --nodes\n"
          "  cutaway-cli partition model.onnx --kernels\n"
          "  cutaway-cli partition model.onnx --providers onednn,cpu --node conv1\n"
          "  cutaway-cli partition model.onnx --what-if \"providers=declared(TensorRT),cpu; pin=op:Resize=cpu\" "
          "--save-config chosen.json",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto verb = std::make_shared<PartitionVerb>();
        verb->shared.declare(command);
        verb->shared.declareJson(command);
        command.add_flag("--nodes", verb->nodes, "every node with every answer");
        command.add_option("--node", verb->node, "one node: every provider's answer with rule, value seen and remedy")
            ->type_name("NAME");
        CLI::Option* kernels = command.add_flag(
            "--kernels", verb->kernels,
            "the kernel of every node, and why rows of the table before it refused; makes kernels as a run does");
        CLI::Option* change = command.add_option("--what-if", verb->change,
                                                 "compare with this configuration: a file that ends in .json, or a "
                                                 "line such as \"providers=cpu; pin=op:Resize=cpu\"");
        change->type_name("FILE|LINE")->excludes(kernels);
        command.add_option("--measure", verb->measureRuns, "really run both sides, N times each")
            ->type_name("N")
            ->check(CLI::PositiveNumber)
            ->needs(change);
        command
            .add_option("--save-config", verb->configFile,
                        "write the configuration (that of --what-if where given) to FILE")
            ->type_name("FILE");
        // The second one is its name in scripts of earlier versions.
        command.add_flag("--onnxruntime-keys,--reference-keys", verb->keys, "the same as settings of onnxruntime");
        command
            .add_option("--code", verb->code,
                        "nothing but a program that opens the model in onnxruntime with these settings")
            ->check(CLI::IsMember({"python", "cpp"}))
            ->excludes(kernels);
        return [verb, change] { return change->count() > 0 ? ask(*verb) : verb->kernels ? make(*verb) : look(*verb); };
      }};
}

}  // namespace cutaway::cli

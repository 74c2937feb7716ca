// extract: a part of a model as a model of its own, cut between values or along what a provider refused.
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "app/cli/refused_parts.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "engine/base/format.h"
#include "engine/report/json.h"
#include "engine/stages/load/save.h"
#include "engine/study/accuracy/submodel.h"

namespace cutaway::cli {

namespace {

struct ExtractVerb {
  SharedOptions shared;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string output;
  RefusedFilter refused;
};

Result<std::unique_ptr<session::Session>> open(const ExtractVerb& verb, Stage lastStage) {
  CUTAWAY_TRY(session::SessionOptions options, verb.shared.sessionOptions(lastStage, false));
  options.keepOptimized = true;
  ConsoleProgress progress;
  return session::Session::create(load::ModelSource::file(verb.shared.model), options, builtProviders(), progress);
}

// Values are those of the file: nothing is optimised.
Result<void> cutBetweenValues(const ExtractVerb& verb) {
  CUTAWAY_TRY(const auto session, open(verb, Stage::kResolve));
  const Result<study::Submodel> submodel = study::cutSubmodel(session->model(), verb.inputs, verb.outputs);
  if (!submodel) return fail(atFile(submodel.error(), verb.shared.model));
  const study::Submodel& cut = *submodel;
  CUTAWAY_CHECK(load::save(cut.model, verb.output, {}));
  CUTAWAY_CHECK(checkLoadable(verb.output, builtProviders()));
  const Graph& graph = cut.model.graph;
  TextTable table({"", "value", "type"});
  for (const ValueId id : graph.inputs()) {
    const bool added =
        std::find(cut.addedInputs.begin(), cut.addedInputs.end(), graph.value(id).name) != cut.addedInputs.end();
    table.add({added ? "input (needed, too)" : "input", graph.value(id).name, toText(graph.value(id).type)});
  }
  for (const ValueId id : graph.outputs())
    table.add({"output", graph.value(id).name, toText(graph.value(id).type)});
  put("{}: {} of {} nodes\n", verb.output, formatCount(static_cast<int64_t>(graph.nodeCount())),
      formatCount(static_cast<int64_t>(session->model().graph.nodeCount())));
  table.print();
  return {};
}

nlohmann::json toJson(const std::vector<RefusedPart>& parts) {
  nlohmann::json json = nlohmann::json::array();
  for (const RefusedPart& part : parts) {
    json.push_back({{"file", part.file},
                    {"nodes", part.nodes},
                    {"operators", part.operators},
                    {"causes", part.causes},
                    {"reason", part.reason},
                    {"remedy", part.remedy},
                    {"flops", part.flops},
                    {"problem", part.problem}});
  }
  return json;
}

Result<void> saveRefused(const ExtractVerb& verb) {
  CUTAWAY_TRY(const auto session, open(verb, Stage::kPartition));
  CUTAWAY_TRY(const std::vector<RefusedPart> parts,
              saveRefusedParts(*session, verb.refused, verb.output, builtProviders()));
  if (verb.shared.json)
    return verb.shared.writeJson(dumpJson({{"schema_version", kReportSchemaVersion},
                                           {"provider", verb.refused.provider},
                                           {"folder", verb.output},
                                           {"parts", toJson(parts)}},
                                          2));
  put("{} refused {} in {}\n", verb.refused.provider,
      parts.empty()       ? "nothing"
      : parts.size() == 1 ? "1 connected part"
                          : fmt::format("{} connected parts", formatCount(static_cast<int64_t>(parts.size()))),
      verb.shared.model);
  if (parts.empty()) return {};
  TextTable table({"file", ">nodes", ">FLOPs", "operators", "cause", "reason of the first node"});
  for (const RefusedPart& part : parts) {
    table.add({part.file, formatCount(static_cast<int64_t>(part.nodes.size())), formatFlops(part.flops),
               fmt::format("{}", fmt::join(part.operators, " ")), fmt::format("{}", fmt::join(part.causes, ", ")),
               part.reason});
    if (!part.problem.empty()) table.add({"", "", "", "", "", "not usable alone: " + part.problem});
  }
  table.print(0, 80);
  return {};
}

Result<void> checkUsage(const ExtractVerb& verb) {
  if (verb.output.empty())
    return fail(ErrorCode::kInvalidArgument, "extract needs -o: a file, or with --refused-by a folder");
  const bool byValues = !verb.outputs.empty() || !verb.inputs.empty();
  if (byValues == !verb.refused.provider.empty())
    return fail(ErrorCode::kInvalidArgument, "extract needs either --outputs (and --inputs) or --refused-by");
  if (byValues && verb.outputs.empty()) return fail(ErrorCode::kInvalidArgument, "--inputs needs --outputs");
  return {};
}

}  // namespace

Verb verb_extract() {
  return {
      .name = "extract",
      .help = "a part of a model as a model of its own: between values, or what a provider refused",
      .example =
          "cutaway-cli extract model.onnx --inputs conv1_out --outputs relu3_out -o part.onnx\n"
          "  cutaway-cli extract model.onnx --providers \"declared(TensorRT),cpu\" --refused-by \"declared(TensorRT)\" "
          "--cause operator -o refused/",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto verb = std::make_shared<ExtractVerb>();
        verb->shared.declare(command);
        verb->shared.declareJson(command);
        command
            .add_option("--inputs", verb->inputs, "values the part starts from; left out: everything the outputs need")
            ->delimiter(',')
            ->type_name("A,B");
        command.add_option("--outputs", verb->outputs, "values the part ends with")->delimiter(',')->type_name("C");
        command.add_option("-o,--output", verb->output, "the file, or with --refused-by the folder, to write")
            ->type_name("FILE|DIR");
        command
            .add_option("--refused-by", verb->refused.provider,
                        "each connected part that this provider refused, after optimising (see --opt-level)")
            ->type_name("PROVIDER");
        command
            .add_option("--cause", verb->refused.cause, "only nodes refused for this cause, as `partition` names it")
            ->type_name("CAUSE");
        command.add_option("--operator", verb->refused.opType, "only nodes of this operator")->type_name("OPERATOR");
        return [verb]() -> int {
          if (const Result<void> settled = verb->shared.settle(); !settled) return usageError(settled.error());
          if (const Result<void> good = checkUsage(*verb); !good) return usageError(good.error());
          const Result<void> done = verb->refused.provider.empty() ? cutBetweenValues(*verb) : saveRefused(*verb);
          return done ? kDone : reportError(atFile(done.error(), verb->shared.model));
        };
      }};
}

}  // namespace cutaway::cli

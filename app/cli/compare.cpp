// compare: two configurations of one model, or two models, on the same inputs, layer by layer; the first value that
// differs, and the smallest submodel that does.
#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/feeds.h"
#include "app/cli/mixed_print.h"
#include "app/cli/opinion_print.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "app/second_opinion/onnxruntime_opinion.h"
#include "engine/base/format.h"
#include "engine/base/read_mark.h"
#include "engine/report/json.h"
#include "engine/report/json_mixed.h"
#include "engine/session/configuration/configuration.h"
#include "engine/stages/load/save.h"
#include "engine/study/accuracy/accuracy.h"
#include "engine/study/mixed/keep_float.h"

namespace cutaway::cli {

namespace {

struct CompareOptions {
  SharedOptions shared;
  FeedOptions feeds;
  std::string a, b;
  std::string other;    // another model
  std::string with;     // another engine
  std::string library;  // a folder that has it
  int runs = 20;
  study::ErrorTolerance tolerance;
  std::string failingFolder;
  bool all = false;
  bool layers = false;
  std::string keepFloat;  // where the model of mixed precision goes
  double goal = 0.01;
  int64_t mostKept = 16;
  bool force = false;
};

constexpr size_t kShownValues = 20;

std::string makers(const ValueAccuracy& value) {
  return value.providerA == value.providerB ? value.providerA : value.providerA + " / " + value.providerB;
}

void addRow(TextTable& table, const ValueAccuracy& value, bool first) {
  const std::string verdict =
      !value.problem.empty() ? value.problem
      : value.outsideTolerance == 0
          ? "same"
          : fmt::format("{} of {} outside", formatCount(value.outsideTolerance), formatCount(value.elements));
  table.add({first ? "->" : "", value.value, value.opType, makers(value), value.elementType + value.shape,
             fmt::format("{:.3g}", value.maxAbsolute), fmt::format("{:.3g}", value.maxRelative),
             fmt::format("{:.3g}", value.rootMeanSquare), fmt::format("{:.9f}", value.cosine), verdict});
}

// The values around the first divergence, the worst one and the outputs; all of them with --all.
void printValues(const AccuracyReport& report, bool all) {
  TextTable table({"", "value", "operator", "by", "type", ">max abs", ">max rel", ">rms", ">cosine", "verdict"});
  const int32_t first = report.firstDivergence;
  size_t shown = 0;
  for (size_t i = 0; i < report.values.size(); ++i) {
    const auto at = static_cast<int32_t>(i);
    const bool near = first != kNone && at >= first - 2 && at < first + static_cast<int32_t>(kShownValues) - 4;
    const bool wanted = all || near || at == report.worst || report.values[i].isOutput ||
                        (first == kNone && report.values.size() <= kShownValues);
    if (!wanted) continue;
    addRow(table, report.values[i], at == first);
    ++shown;
  }
  table.print(0, 50);
  if (shown < report.values.size())
    put("({} of {} values; --all shows every one)\n", formatCount(static_cast<int64_t>(shown)),
        formatCount(static_cast<int64_t>(report.values.size())));
}

void printReport(const AccuracyReport& report, bool all, bool everyLayer) {
  put("A: {}\nB: {}\n\n", report.configurationA, report.configurationB);
  printValues(report, all);
  const auto differing = std::count_if(report.values.begin(), report.values.end(), [](const ValueAccuracy& value) {
    return value.outsideTolerance > 0 || !value.problem.empty();
  });
  put("\n{} values compared, {} differ (|a - b| > {:g} + {:g} |b|); {} exist on one side only{}\n",
      formatCount(static_cast<int64_t>(report.values.size())), formatCount(differing), report.absoluteTolerance,
      report.relativeTolerance, formatCount(report.notComparable),
      report.notComparable > 0 && !everyLayer ? " (--layers keeps them all)" : "");
  if (report.firstDivergence != kNone) {
    const ValueAccuracy& value = report.values[static_cast<size_t>(report.firstDivergence)];
    put("first divergence: {} of {} {}\n", value.value, value.opType, value.node.empty() ? "" : "'" + value.node + "'");
  }
  if (!report.failingModel.empty())
    put("smallest failing submodel: {} ({} nodes: {})\n", report.failingModel, report.failingNodes.size(),
        fmt::join(report.failingNodes, ", "));
  for (const std::string& warning : report.warnings)
    put("note: {}\n", warning);
}

// What the command line asks for; an error is its fault unless it names the model.
Result<study::AccuracyRequest> requestOf(const CompareOptions& options, Progress& progress) {
  study::AccuracyRequest request;
  request.source = load::ModelSource::file(options.shared.model);
  CUTAWAY_TRY(request.a, options.shared.sessionOptions(Stage::kPattern, true));
  request.b = request.a;
  CUTAWAY_TRY(const session::Configuration a, session::readConfiguration(options.a));
  CUTAWAY_TRY(const session::Configuration b, session::readConfiguration(options.b));
  CUTAWAY_CHECK(a.applyTo(request.a, builtProviders()));
  CUTAWAY_CHECK(b.applyTo(request.b, builtProviders()));
  request.titleA = options.a.empty() ? "as given" : options.a;
  request.titleB = options.b.empty() ? "as given" : options.b;
  if (!options.other.empty()) {
    request.other = load::ModelSource::file(options.other);
    request.titleA = options.shared.model + (options.a.empty() ? "" : ", " + options.a);
    request.titleB = options.other + (options.b.empty() ? "" : ", " + options.b);
  }
  request.tolerance = options.tolerance;
  request.seed = options.feeds.seed();
  request.failingFolder = options.failingFolder;
  request.everyLayer = options.layers || request.other.has_value();
  if (options.feeds.hasFiles()) {
    session::SessionOptions planOnly = request.a;
    planOnly.lastStage = Stage::kPartition;
    planOnly.prepareRun = false;
    CUTAWAY_TRY(const auto session, session::Session::create(request.source, planOnly, builtProviders(), progress));
    CUTAWAY_TRY(request.feeds, options.feeds.feeds(*session, request.a.dims, progress.token()));
  }
  return request;
}

Result<SecondOpinion> askOther(const CompareOptions& options, Progress& progress) {
  OpinionRequest request{.model = options.shared.model, .options = {}};
  CUTAWAY_TRY(request.options, options.shared.sessionOptions(Stage::kPattern, true));
  request.library = options.library;
  request.seed = options.feeds.seed();
  request.runs = options.runs;
  request.tolerance = options.tolerance;
  if (options.feeds.hasFiles()) {
    session::SessionOptions planOnly = request.options;
    planOnly.lastStage = Stage::kPartition;
    planOnly.prepareRun = false;
    CUTAWAY_TRY(const auto session, session::Session::create(load::ModelSource::file(options.shared.model), planOnly,
                                                             builtProviders(), progress));
    CUTAWAY_TRY(request.feeds, options.feeds.feeds(*session, request.options.dims, progress.token()));
  }
  return askOnnxruntime(request, builtProviders(), progress);
}

int reportRequest(const Error& error) {
  const bool isUsage = error.code == ErrorCode::kInvalidArgument && error.where.file.empty();
  return isUsage ? usageError(error) : reportError(error);
}

// Differences are told, not judged: exit code 0 unless something is unexplained.
int runWithOther(CompareOptions& options) {
  Result<SecondOpinion> opinion;
  {
    ConsoleProgress progress;
    opinion = askOther(options, progress);
  }
  // ONNX Runtime that is not there is no fault of the model.
  if (!opinion && opinion.error().code == ErrorCode::kNotFound) return usageError(opinion.error());
  if (!opinion) return reportError(atFile(opinion.error(), options.shared.model));
  if (options.shared.json) {
    nlohmann::json json = toJson(*opinion);
    json["schema_version"] = kReportSchemaVersion;
    if (const Result<void> written = options.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else {
    printOpinion(*opinion, options.all);
  }
  return opinion->unexplained() == 0 ? kDone : kCheckFailed;
}

Result<study::MixedModel> searchMixed(const study::AccuracyRequest& request, const CompareOptions& options,
                                      Progress& progress) {
  CUTAWAY_TRY(study::MixedModel mixed, study::keepFloat({.exact = request.source,
                                                         .quantised = *request.other,
                                                         .options = request.a,
                                                         .feeds = request.feeds,
                                                         .seed = request.seed,
                                                         .goal = options.goal,
                                                         .mostKept = options.mostKept},
                                                        builtProviders(), progress));
  if (auto saved = load::save(*mixed.model, options.keepFloat, load::saveOptionsLike(*mixed.model, options.force));
      !saved)
    return fail(notWritten(std::move(saved).error()));
  return mixed;
}

// Exit code 1: the best that was found is written, and the goal is not reached.
int runKeepFloat(CompareOptions& options) {
  if (options.force) allowWritingOverReadFiles();
  Result<study::MixedModel> mixed;
  {
    ConsoleProgress progress;
    const Result<study::AccuracyRequest> request = requestOf(options, progress);
    if (!request) return reportRequest(request.error());
    mixed = searchMixed(*request, options, progress);
  }
  if (!mixed) return reportRequest(mixed.error());
  if (options.shared.json) {
    nlohmann::json json = mixedToJson(mixed->report);
    json["schema_version"] = kReportSchemaVersion;
    if (const Result<void> written = options.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else {
    printMixed(mixed->report);
  }
  putError("wrote {}\n", options.keepFloat);
  return mixed->report.reached() ? kDone : kCheckFailed;
}

int runCompare(CompareOptions& options) {
  if (const Result<void> settled = options.shared.settle(); !settled) return usageError(settled.error());
  if (!options.keepFloat.empty() && options.other.empty())
    return usageError({ErrorCode::kInvalidArgument,
                       "--keep-float compares a float model with a quantised one: name that by --other",
                       {}});
  if (!options.keepFloat.empty()) return runKeepFloat(options);
  if (!options.with.empty()) return runWithOther(options);
  Result<AccuracyReport> report;
  {
    ConsoleProgress progress;
    const Result<study::AccuracyRequest> request = requestOf(options, progress);
    if (!request) return reportRequest(request.error());
    report = study::compareConfigurations(*request, builtProviders(), progress);
  }
  if (!report) return reportError(report.error());
  if (options.shared.json) {
    nlohmann::json json = toJson(*report);
    json["schema_version"] = kReportSchemaVersion;
    if (const Result<void> written = options.shared.writeJson(dumpJson(json, 2)); !written)
      return reportError(written.error());
  } else {
    printReport(*report, options.all, options.layers || !options.other.empty());
  }
  return report->firstDivergence == kNone ? kDone : kCheckFailed;
}

}  // namespace

Verb verb_compare() {
  return {
      .name = "compare",
      .help = "two configurations layer by layer: the first value that differs, and the smallest submodel that does",
      .example =
          "cutaway-cli compare model.onnx --a providers=cpu --b \"providers=openvino{precision=bf16},cpu\" "
          "--save-failing failing\n"
          "  cutaway-cli compare model.onnx --other model-int8.onnx\n"
          "  cutaway-cli compare model.onnx --other model-int8.onnx --keep-float model-mixed.onnx --goal 0.02",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto options = std::make_shared<CompareOptions>();
        options->shared.declare(command);
        options->shared.declareJson(command);
        options->feeds.declare(command);
        command
            .add_option("--a", options->a,
                        "the first configuration: a line such as 'providers=cpu; opt-level=0', or a .json file")
            ->type_name("CONFIG");
        command.add_option("--b", options->b, "the second configuration")->type_name("CONFIG");
        command
            .add_option("--other", options->other,
                        "another model as B, an export or a quantised one: matched node by node, every layer compared")
            ->type_name("MODEL")
            ->check(CLI::ExistingFile);
        command
            .add_option("--with", options->with,
                        "another engine's account of every stage beside ours, instead of two configurations")
            ->check(CLI::IsMember({"onnxruntime"}));
        command.add_option("--library", options->library, "a folder that has ONNX Runtime, for --with")
            ->type_name("DIR");
        command
            .add_option(
                "--runs", options->runs,
                "timed runs of each engine, for --with; of a slow model as many as fit into 4 s, and at least 5")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command
            .add_option("--keep-float", options->keepFloat,
                        "search the nodes of --other that must stay float, and write that model of mixed precision")
            ->type_name("FILE.onnx");
        command
            .add_option("--goal", options->goal,
                        "error of the worst output that is good enough for --keep-float: root mean square of the "
                        "difference over that of the float model")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command.add_option("--most-kept", options->mostKept, "nodes that --keep-float may keep float")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command.add_flag("--force", options->force, "replace the file of --keep-float");
        command.add_option("--rtol", options->tolerance.relative, "relative tolerance")->capture_default_str();
        command.add_option("--atol", options->tolerance.absolute, "absolute tolerance")->capture_default_str();
        command
            .add_option("--save-failing", options->failingFolder,
                        "cut out the smallest failing submodel and save it here as a test case")
            ->type_name("DIR");
        command.add_flag("--layers", options->layers,
                         "keep every value of the model on both sides, so that nothing is fused away");
        command.add_flag("--all", options->all, "every value");
        return [options] { return runCompare(*options); };
      }};
}

}  // namespace cutaway::cli

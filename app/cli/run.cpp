// run: one run; outputs in short, or saved as files.
#include <filesystem>
#include <set>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/device_print.h"
#include "app/cli/output.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/base/new_file.h"
#include "engine/profile/tensor_summary.h"
#include "engine/report/json.h"
#include "engine/report/simulated_providers.h"
#include "engine/report/truth.h"
#include "engine/stages/load/tensor_file.h"

namespace cutaway::cli {

namespace {

struct SaveOptionsOfRun {
  std::string folder;
  std::string format = "npy";
  std::vector<std::string> keep;
};

// Value names may hold anything and be of any length; file names may not. Two values never share a file: "a/b" and
// "a_b" become a_b and a_b_2.
class FileNames {
 public:
  std::string of(const std::string& valueName) {
    std::string stem;
    for (const char c : valueName.substr(0, kLongest))
      stem += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '_';
    if (stem.empty() || stem.front() == '.') stem = "value_" + stem;
    std::string name = stem;
    for (int number = 2; !m_used.insert(name).second; ++number)
      name = fmt::format("{}_{}", stem, number);
    return name;
  }

 private:
  static constexpr size_t kLongest = 200;
  std::set<std::string> m_used;
};

Result<void> saveValues(const std::vector<execute::Feed>& values, const SaveOptionsOfRun& options, FileNames& names,
                        const CancelToken& cancel) {
  std::error_code made;
  std::filesystem::create_directories(options.folder, made);
  if (made) return fail(writeFailure(options.folder, made.value(), 0));
  for (const execute::Feed& value : values) {
    if (value.value.empty()) continue;
    if (cancel.cancelled()) return fail(cancelledError());
    const std::filesystem::path path =
        std::filesystem::path(options.folder) / (names.of(value.name) + "." + options.format);
    CUTAWAY_CHECK(
        load::writeTensorFile(path, value.name, value.value,
                              options.format == "pb" ? load::TensorFileFormat::kPb : load::TensorFileFormat::kNpy));
  }
  return {};
}

void printSummaries(const char* title, const std::vector<TensorSummary>& tensors) {
  const auto number = [](double TensorSummary::* which) {
    return [=](const TensorSummary& tensor) { return fmt::format("{:.4g}", tensor.*which); };
  };
  const TableOf<TensorSummary> table({{title, &TensorSummary::name},
                                      {"type", &TensorSummary::type},
                                      {">size", written(&TensorSummary::sizeBytes, formatBytes)},
                                      {">min", number(&TensorSummary::minimum)},
                                      {">max", number(&TensorSummary::maximum)},
                                      {">mean", number(&TensorSummary::mean)},
                                      {"first values", &TensorSummary::preview}},
                                     tensors);
  table.print(0, 60);
}

Result<void> runOnce(session::Session& session, const std::vector<execute::Feed>& feeds, const CancelToken& cancel,
                     RunVerb& verb, const SaveOptionsOfRun& save) {
  execute::RunOptions options{
      .cancel = cancel, .tag = verb.tag, .profile = false, .keepValues = save.keep, .outputs = {}};
  CUTAWAY_TRY(const execute::RunResult result, session.run(feeds, options));
  if (!save.folder.empty()) {
    FileNames names;
    CUTAWAY_CHECK(saveValues(result.outputs, save, names, cancel));
    CUTAWAY_CHECK(saveValues(result.kept, save, names, cancel));
    putError("wrote {} values to {}\n", result.outputs.size() + result.kept.size(), save.folder);
  }
  RunReport report;
  report.runs = 1;
  report.tag = verb.tag;
  report.seed = verb.feedOptions.seed();
  report.medianMs = report.minMs = report.maxMs = report.meanMs = report.firstRunMs =
      static_cast<double>(result.timeNs) / 1e6;
  for (const execute::Feed& feed : feeds)
    report.inputs.push_back(profile::summarize(feed.name, feed.value));
  for (const execute::Feed& output : result.outputs)
    report.outputs.push_back(profile::summarize(output.name, output.value));
  report.measuredPeakBytes = session.measuredPeakBytes();
  const std::vector<std::string> simulated = simulatedProviders(*session.report());
  if (verb.shared.json)
    return verb.shared.writeJson(dumpJson(
        {{"schema_version", kReportSchemaVersion}, {"run", toJson(report)}, {"simulated_providers", simulated}}, 2));
  printSummaries("input", report.inputs);
  put("\n");
  printSummaries("output", report.outputs);
  const auto dims = runDims(*session.report(), report);
  put("\nran in {}{}\n", formatTime(result.timeNs), dims.empty() ? "" : ", at " + dimsSentence(dims));
  putSimulated(simulated);
  return {};
}

}  // namespace

Verb verb_run() {
  return {.name = "run",
          .help = "runs once with inputs from files or a seed; saves outputs and intermediates",
          .example = "cutaway-cli run model.onnx --input x=x.npy --save-outputs out --keep-values all",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<RunVerb>();
            auto save = std::make_shared<SaveOptionsOfRun>();
            verb->declare(command);
            verb->shared.declareJson(command);
            command.add_option("--save-outputs", save->folder, "folder for the outputs")->type_name("DIR");
            command.add_option("--format", save->format, "of the saved files")
                ->check(CLI::IsMember({"npy", "pb"}))
                ->capture_default_str();
            command.add_option("--keep-values", save->keep, "save intermediates too")
                ->delimiter(',')
                ->type_name("all|NAME,...");
            return [verb, save] {
              return verb->run([&](session::Session& session, const std::vector<execute::Feed>& feeds,
                                   const ConsoleProgress& progress) {
                return runOnce(session, feeds, progress.token(), *verb, *save);
              });
            };
          }};
}

}  // namespace cutaway::cli

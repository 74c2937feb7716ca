// inspect: every stage without running: one line a stage, then a summary.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/formulas.h"
#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/json.h"
#include "engine/study/formulas/model_formulas.h"
#include "providers/onnxruntime/custom/custom_libraries.h"

namespace cutaway::cli {

namespace {

void printStages(const WalkReport& walk) {
  TextTable table({"stage", "result", ">time"});
  for (int i = 0; i <= static_cast<int>(Stage::kPattern); ++i) {
    const Stage stage = static_cast<Stage>(i);
    table.add({stageTitle(stage), stageHeadline(walk, stage), formatTime(walk.stages[static_cast<size_t>(i)].timeNs)});
  }
  table.print();
}

void printModel(const LoadReport& load) {
  std::vector<std::string> opsets;
  for (const auto& [domain, version] : load.opsets)
    opsets.push_back(fmt::format("{} {}", domain, version));
  put("\n{}\n", load.path);
  put("  {} from {}, IR {}, opsets {}\n", formatBytes(load.fileBytes),
      load.producer.empty() ? "an unnamed producer" : load.producer, load.irVersion, fmt::join(opsets, ", "));
  put("  {} parameters, {} of weights in {} initializers\n", formatCount(load.parameterCount),
      formatBytes(load.initializerBytes), formatCount(load.initializerCount));
  for (const ExternalFileReport& file : load.externalFiles)
    put("  external {}: {} of {} used by {} tensors\n", file.path, formatBytes(file.usedBytes),
        formatBytes(file.fileBytes), file.tensorCount);
  for (const std::string& warning : load.warnings)
    put("  warning: {}\n", warning);
}

// Operations and bytes of one inference, of the main graph: bodies run as often as their nodes say. What depends on
// open dimensions is told behind the tables, as formulas.
void printCosts(const WalkReport& walk) {
  if (!walk.loadedCosts || walk.loadedCosts->graphs.empty()) return;
  const GraphCosts& costs = walk.loadedCosts->graphs.front();
  put("  {}{} FLOPs, {} moved between nodes as the model stands", costs.unknownNodes > 0 ? "at least " : "",
      formatFlops(costs.total.flops), formatBytes(costs.total.movedBytes));
  if (costs.unknownNodes > 0)
    put("; {} node{} without figures (open shapes, or operators without a rule)", formatCount(costs.unknownNodes),
        costs.unknownNodes == 1 ? "" : "s");
  if (walk.optimizedCosts && !walk.optimizedCosts->graphs.empty())
    put("; optimised {} moved", formatBytes(walk.optimizedCosts->graphs.front().total.movedBytes));
  put("\n");
}

Result<void> printFormulas(const WalkReport& walk, const SharedOptions& shared, const CancelToken& cancel) {
  const Result<std::optional<study::ModelFormulas>> formulas = formulasOf(walk, shared, cancel);
  if (!formulas) return warnOfFormulas(formulas.error());
  if (!*formulas) return {};
  put("\n");
  printCostFormulas(**formulas);
  printPlanFormulas(walk, **formulas);
  return {};
}

void addFormulas(const session::Session& session, const SharedOptions& shared, nlohmann::json& json) {
  const study::ModelFormulas running = study::symbolicFormulas(session.model().graph);
  json["partitioned_formulas"] = {{"flops", running.flops.toText()},
                                  {"moved_bytes", running.movedBytes.toText()},
                                  {"nodes_without_flops", running.nodesWithoutFlops},
                                  {"nodes_without_moved_bytes", running.nodesWithoutBytes}};
  const ConsoleProgress progress;
  const auto formulas = formulasOf(*session.report(), shared, progress.token());
  if (!formulas) {
    json["formulas_error"] = toJson(formulas.error());
    (void)warnOfFormulas(formulas.error());
  } else if (*formulas) {
    json["formulas"] = formulasToJson(*session.report(), **formulas);
  }
}

void printSignature(const GraphReport& graph) {
  TextTable table({"", "name", "type"});
  for (const int32_t input : graph.inputs) {
    const ValueReport& value = graph.values[static_cast<size_t>(input)];
    if (!value.isInitializer) table.add({"input", value.name, value.type});
  }
  for (const int32_t output : graph.outputs)
    table.add(
        {"output", graph.values[static_cast<size_t>(output)].name, graph.values[static_cast<size_t>(output)].type});
  put("\n");
  table.print(40);
}

void printOperators(const LoadReport& load) {
  TextTable table({"operator", ">nodes"});
  for (const auto& [name, count] : load.operators)
    table.add({name, formatCount(count)});
  put("\n");
  table.print(12);
}

// Nodes of custom operators, as their libraries describe them.
void printCustomOperators(const LoadReport& load) {
  TextTable table({"custom operator", ">nodes", "inputs -> outputs", "library"});
  size_t rows = 0;
  for (const onnxruntime::CustomLibrary& library : onnxruntime::customLibraries()) {
    for (const onnxruntime::CustomOperator& each : library.operators) {
      const std::string name = fmt::format("{}:{}", each.domain, each.name);
      const auto used = std::ranges::find(load.operators, name, [](const auto& row) { return row.first; });
      if (used == load.operators.end()) continue;
      table.add({name, formatCount(used->second), onnxruntime::signatureOf(each), library.path.filename().string()});
      ++rows;
    }
  }
  if (rows == 0) return;
  put("\n");
  table.print(12, 90);
}

void printInspection(const WalkReport& walk) {
  printStages(walk);
  printModel(*walk.load);
  printCosts(walk);
  printSignature(walk.loadedGraphs->graphs.front());
  printOperators(*walk.load);
  for (const std::string& note : walk.choice->notes)
    put("note: {}\n", note);
  printCustomOperators(*walk.load);
  for (const std::string& warning : walk.partition->warnings)
    put("warning: {}\n", warning);
}

}  // namespace

Verb verb_inspect() {
  return {
      .name = "inspect",
      .help = "every stage without running: one line a stage, then a summary",
      .example = "cutaway-cli inspect model.onnx --json report.json",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto shared = std::make_shared<SharedOptions>();
        shared->declare(command);
        shared->declareJson(command);
        return [shared] {
          return runStageVerb(
              *shared, Stage::kPattern, printInspection,
              [shared](session::Session& session, const CancelToken& cancel) {
                return shared->json ? Result<void>() : printFormulas(*session.report(), *shared, cancel);
              },
              [shared](const session::Session& session, nlohmann::json& json) { addFormulas(session, *shared, json); });
        };
      }};
}

}  // namespace cutaway::cli

// allocate: for every value, where it lives and why.
#include <algorithm>
#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/allocation_steps.h"
#include "app/cli/output.h"
#include "app/cli/plan_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/ort_value_index.h"

namespace cutaway::cli {

namespace {

std::string intervals(const ValueAllocation& value) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < value.starts.size() && i < value.ends.size(); ++i)
    parts.push_back(fmt::format("{}-{}", value.starts[i], value.ends[i]));
  return fmt::format("{}", fmt::join(parts, " "));
}

bool isShown(const ValueAllocation& value, bool all) {
  return value.kind != AllocKind::kNotSet && (all || value.kind != AllocKind::kAllocateStatically);
}

// "12 new buffer, 30 in place, ...": the most frequent rule first.
std::string rulesInNumbers(const AllocateReport& report) {
  std::map<std::string, int> counts;
  for (const GraphAllocation& graph : report.graphs) {
    for (const ValueAllocation& value : graph.values) {
      if (value.kind != AllocKind::kNotSet) ++counts[allocRuleName(value.rule)];
    }
  }
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [rule, count] : sorted)
    parts.push_back(fmt::format("{} {}", count, rule));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string bufferOf(const GraphReport& graph, const ValueAllocation& value) {
  if (value.reusedValue == kNone) return "";
  const std::string name = valueName(graph, value.rootValue);
  return value.partOffset < 0 ? name : fmt::format("{} + {}", name, value.partOffset);
}

void printGraph(const GraphReport& graph, const GraphAllocation& allocation, bool all) {
  std::set<std::string> devices;
  for (const ValueAllocation& value : allocation.values) {
    if (isShown(value, all)) devices.insert(value.device);
  }
  using Value = ValueAllocation;
  const std::vector<int32_t> numbers = ortValueIndexes(graph);
  std::vector<TextColumn<Value>> columns = {
      {">idx",
       [&](const Value& value) {
         const int32_t number = numbers[static_cast<size_t>(value.value)];
         return number == kNone ? std::string("-") : std::to_string(number);
       }},
      {"value", [&](const Value& value) { return valueName(graph, value.value); }},
      {"kind", [](const Value& value) { return allocKindName(value.kind); }},
      {"placed by", [](const Value& value) { return allocRuleName(value.rule); }},
      {">size", [](const Value& value) { return value.sizeBytes < 0 ? "" : formatBytes(value.sizeBytes); }},
      {"bytes", &Value::sizeText},
      {"steps", intervals},
      {"buffer of", [&](const Value& value) { return bufferOf(graph, value); }},
      {"why", &Value::reason}};
  if (devices.size() > 1) columns.insert(columns.begin() + 4, TextColumn<Value>{"device", &Value::device});
  TableOf<Value> table(std::move(columns));
  for (const Value& value : allocation.values)
    if (isShown(value, all)) table.add(value);
  put("\n{}\n", graph.title);
  table.print(0, 160);
}

void printAllocation(const WalkReport& walk, bool all) {
  const AllocateReport& report = *walk.allocate;
  put("{} allocated, {} reused ({} in place, {} parts), {} static, {} outputs, {} fed; weights {}\n", report.allocated,
      report.reused, report.inPlace, report.parts, report.statically, report.outputs, report.preExisting,
      formatBytes(report.weightsBytes));
  if (report.rules != "cutaway")
    put("by the rules of onnxruntime{}\n", report.rules == "onnxruntime" ? "" : "'s builds for training");
  put("{}\n", rulesInNumbers(report));
  if (!report.note.empty()) put("{}\n", report.note);
  for (const GraphAllocation& allocation : report.graphs)
    printGraph(walk.partitionedGraphs->graphs[static_cast<size_t>(allocation.graph)], allocation, all);
}

struct TraceOptions {
  bool all = false;
  bool trace = false;
};

}  // namespace

Verb verb_allocate() {
  return {.name = "allocate",
          .help = "for every value: the rule that placed it, its size, its buffer, its life, and why",
          .example =
              "cutaway-cli allocate model.onnx --dim batch=1\n"
              "  cutaway-cli allocate model.onnx --plan onnxruntime --trace\n"
              "  cutaway-cli allocate model.onnx --what-if plan=onnxruntime",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto options = std::make_shared<TraceOptions>();
            command.add_flag("--all", options->all, "initializers too");
            command.add_flag("--trace", options->trace,
                             "step by step: the rule that chose, use counts before and after, the free list");
            return declarePlanVerb(
                command, Stage::kAllocate,
                [options](const WalkReport& walk) {
                  printAllocation(walk, options->all);
                  if (options->trace) printAllocationSteps(walk);
                },
                [options](const session::Session& session, nlohmann::json& json) {
                  if (options->trace) json["allocate"]["steps"] = allocationStepsToJson(*session.report());
                });
          }};
}

}  // namespace cutaway::cli

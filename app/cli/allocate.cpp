// allocate: for every value, where it lives and why.
#include <algorithm>
#include <map>
#include <set>

#include <CLI/CLI.hpp>

#include "app/cli/output.h"
#include "app/cli/plan_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

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
  std::vector<TextColumn<Value>> columns = {
      {"value", [&](const Value& value) { return valueName(graph, value.value); }},
      {"placed by", [](const Value& value) { return allocRuleName(value.rule); }},
      {">size", [](const Value& value) { return value.sizeBytes < 0 ? "" : formatBytes(value.sizeBytes); }},
      {"bytes", &Value::sizeText},
      {"steps", intervals},
      {"buffer of", [&](const Value& value) { return bufferOf(graph, value); }},
      {"why", &Value::reason}};
  if (devices.size() > 1) columns.insert(columns.begin() + 2, TextColumn<Value>{"device", &Value::device});
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

}  // namespace

Verb verb_allocate() {
  return {.name = "allocate",
          .help = "for every value: the rule that placed it, its size, its buffer, its life, and why",
          .example =
              "cutaway-cli allocate model.onnx --dim batch=1\n"
              "  cutaway-cli allocate model.onnx --what-if plan=onnxruntime",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto all = std::make_shared<bool>(false);
            command.add_flag("--all", *all, "initializers too");
            return declarePlanVerb(command, Stage::kAllocate,
                                   [all](const WalkReport& walk) { printAllocation(walk, *all); });
          }};
}

}  // namespace cutaway::cli

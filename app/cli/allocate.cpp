// allocate: for every value, where it lives and why.
#include "app/cli/plan_verb.h"
#include "app/cli/text_table.h"

namespace cutaway::cli {

namespace {

std::string intervals(const ValueAllocation& value) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < value.starts.size() && i < value.ends.size(); ++i) parts.push_back(fmt::format("{}-{}", value.starts[i], value.ends[i]));
  return fmt::format("{}", fmt::join(parts, " "));
}

void printAllocation(const WalkReport& walk, bool all) {
  const AllocateReport& report = *walk.allocate;
  fmt::print("{} allocated, {} reused ({} in place), {} static, {} outputs, {} fed; weights {}\n", report.allocated, report.reused, report.inPlace, report.statically, report.outputs, report.preExisting,
             formatBytes(report.weightsBytes));
  for (const GraphAllocation& allocation : report.graphs) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(allocation.graph)];
    TextTable table({"value", "kind", "device", ">size", "steps", "buffer of", "why"});
    for (const ValueAllocation& value : allocation.values) {
      if (value.kind == AllocKind::kNotSet || (!all && value.kind == AllocKind::kAllocateStatically)) continue;
      const std::string buffer = value.reusedValue == kNone ? "" : valueName(graph, value.rootValue);
      table.add({valueName(graph, value.value), std::string(allocKindName(value.kind)) + (value.inPlace ? ", in place" : ""), value.device, value.sizeBytes < 0 ? value.sizeText : formatBytes(value.sizeBytes), intervals(value), buffer,
                 value.reason});
    }
    fmt::print("\n{}\n", graph.title);
    table.print(0, 80);
  }
}

}  // namespace

Verb verb_allocate() {
  return {.name = "allocate",
          .help = "for every value: kind of allocation, buffer it reuses, life, and why",
          .example = "cutaway-cli allocate model.onnx --dim batch=1\n"
                     "  cutaway-cli allocate model.onnx --what-if plan=reference",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto all = std::make_shared<bool>(false);
            command.add_flag("--all", *all, "initializers too");
            return declarePlanVerb(command, Stage::kAllocate, [all](const WalkReport& walk) { printAllocation(walk, *all); });
          }};
}

}  // namespace cutaway::cli

// profile: time per node; --trace writes a Chrome trace that Perfetto opens.
#include <algorithm>
#include <fstream>
#include <map>

#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

void printByOperator(const WalkReport& walk) {
  struct Sum {
    int64_t timeNs = 0;
    int64_t nodes = 0;
  };
  std::map<std::string, Sum> sums;
  int64_t total = 0;
  for (const NodeTiming& timing : walk.run->nodes) {
    Sum& sum = sums[walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)].nodes[static_cast<size_t>(timing.node)].opType];
    sum.timeNs += timing.totalNs;
    ++sum.nodes;
    total += timing.totalNs;
  }
  std::vector<std::pair<std::string, Sum>> ordered(sums.begin(), sums.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.second.timeNs > b.second.timeNs; });
  TextTable table({"operator", ">nodes", ">time", ">share"});
  for (const auto& [name, sum] : ordered) table.add({name, formatCount(sum.nodes), formatTime(sum.timeNs), fmt::format("{:.1f} %", total > 0 ? 100.0 * static_cast<double>(sum.timeNs) / static_cast<double>(total) : 0.0)});
  table.print(20);
}

void printByNode(const WalkReport& walk) {
  std::vector<NodeTiming> timings = walk.run->nodes;
  std::stable_sort(timings.begin(), timings.end(), [](const NodeTiming& a, const NodeTiming& b) { return a.totalNs > b.totalNs; });
  TextTable table({"node", "operator", ">time", ">calls", "variant", "output"});
  for (const NodeTiming& timing : timings) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)];
    table.add({nodeLabel(graph, timing.node), graph.nodes[static_cast<size_t>(timing.node)].opType, formatTime(timing.totalNs), formatCount(timing.calls), timing.variant, fmt::format("{}", fmt::join(timing.outputShapes, ", "))});
  }
  fmt::print("\n");
  table.print(30, 56);
}

Result<void> writeTrace(const std::string& path, const WalkReport& walk) {
  std::ofstream file(path, std::ios::binary);
  file << chromeTrace(walk);
  file.close();
  if (!file) return fail(ErrorCode::kInvalidArgument, "cannot write {}", path);
  return {};
}

}  // namespace

Verb verb_profile() {
  return {.name = "profile",
          .help = "time per node and operator; --trace writes a Chrome trace",
          .example = "cutaway-cli profile model.onnx --runs 20 --trace trace.json",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<RunVerb>();
            auto options = std::make_shared<BenchmarkOptions>(BenchmarkOptions{.runs = 10, .seconds = 0, .warmups = 1, .profile = true});
            auto trace = std::make_shared<std::string>();
            verb->declare(command);
            verb->shared.declareJson(command);
            command.add_option("--runs", options->runs, "profiled runs")->check(CLI::PositiveNumber)->capture_default_str();
            command.add_option("--warmup", options->warmups, "runs before profiling")->check(CLI::NonNegativeNumber)->capture_default_str();
            command.add_option("--trace", *trace, "write a Chrome trace here")->type_name("FILE");
            return [verb, options, trace] {
              return verb->run([&](Session& session, const std::vector<Feed>& feeds, const ConsoleProgress& progress) -> Result<void> {
                CUTAWAY_TRY(RunReport report, measure(session, feeds, *options, progress.token()));
                const std::shared_ptr<const WalkReport> walk = withRun(*session.report(), std::move(report));
                if (!trace->empty()) CUTAWAY_CHECK(writeTrace(*trace, *walk));
                if (verb->shared.json) return verb->shared.writeJson(dumpJson(walkToJson(*walk, {}), 2));
                fmt::print("median of {} runs: {}\n\n", walk->run->runs, formatTime(static_cast<int64_t>(walk->run->medianMs * 1e6)));
                printByOperator(*walk);
                printByNode(*walk);
                return {};
              });
            };
          }};
}

}  // namespace cutaway::cli

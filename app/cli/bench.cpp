// bench: how fast and how much memory; the JSON keys are a contract.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/device_print.h"
#include "app/cli/run_verb.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/json_run.h"
#include "engine/report/measured_time.h"
#include "engine/report/simulated_providers.h"
#include "engine/report/truth.h"

namespace cutaway::cli {

namespace {

nlohmann::json benchJson(const RunReport& report, int64_t loadNs, const std::vector<std::string>& simulated) {
  return {{"schema_version", kReportSchemaVersion},
          {"load_ms", static_cast<double>(loadNs) / 1e6},
          {"first_run_ms", report.firstRunMs},
          {"simulated_providers", simulated},
          {"median_ms", report.medianMs},
          {"p90_ms", report.p90Ms},
          {"p99_ms", report.p99Ms},
          {"min_ms", report.minMs},
          {"runs", report.runs},
          {"threads", report.threads},
          {"peak_rss_bytes", report.peakRssBytes},
          {"planned_peak_bytes", report.plannedPeakBytes},
          {"lower_bound_bytes", report.lowerBoundBytes},
          {"weights_bytes", report.weightsBytes},
          {"measured_peak_bytes", report.measuredPeakBytes},
          {"median_low_ms", report.medianLowMs},
          {"median_high_ms", report.medianHighMs},
          {"mean_ms", report.meanMs},
          {"max_ms", report.maxMs},
          {"deviation_ms", report.deviationMs},
          {"workers", report.workers},
          {"executor", report.executor},
          {"tag", report.tag},
          {"packed_bytes", report.breakdown.packedBytes},
          {"shared_packed_bytes", report.breakdown.sharedPackedBytes},
          {"resident_weights_bytes", report.breakdown.residentWeightsBytes},
          {"activations_bytes", report.breakdown.activationsBytes},
          {"arena_bytes", report.breakdown.arenaBytes},
          {"pattern_cache_hits", report.patternCache.hits},
          {"pattern_cache_misses", report.patternCache.misses},
          {"pattern_cache_evictions", report.patternCache.evictions},
          {"workspace_bytes", report.breakdown.workspaceBytes},
          {"device_memory", toJson(report.deviceMemory)},
          {"stretches", toJson(report.capturedSegments)}};
}

void printBench(const RunReport& report, int64_t loadNs, const std::vector<std::string>& simulated,
                const std::vector<std::pair<std::string, int64_t>>& dims) {
  const auto ms = [](double value) { return formatTime(static_cast<int64_t>(value * 1e6)); };
  TextTable table({"what", ">value"});
  table.add({"load", formatTime(loadNs)});
  if (!dims.empty()) table.add({"at", dimsSentence(dims)});
  table.add({"first run", ms(report.firstRunMs)});
  table.add({fmt::format("median of {}", report.runs), ms(report.medianMs)});
  const char* share = report.runs < kLeastRunsFor95 ? "all" : "95 %";
  table.add({fmt::format("{} from", share), ms(report.medianLowMs)});
  table.add({fmt::format("{} to", share), ms(report.medianHighMs)});
  table.add({"p90", ms(report.p90Ms)});
  table.add({"p99", ms(report.p99Ms)});
  table.add({"min", ms(report.minMs)});
  table.add({"threads", fmt::format("{}", report.threads)});
  table.add({"planned peak", formatBytes(report.plannedPeakBytes)});
  table.add({"lower bound", formatBytes(report.lowerBoundBytes)});
  table.add({"weights", formatBytes(report.weightsBytes)});
  table.add({"peak resident", formatBytes(report.peakRssBytes)});
  if (const std::string words = patternCacheText(report.patternCache); !words.empty())
    table.add({"pattern cache", words});
  table.print();
  printDevices(report);
  putSimulated(simulated);
}

}  // namespace

Verb verb_bench() {
  return {.name = "bench",
          .help = "latency percentiles and memory over many runs",
          .example = "cutaway-cli bench model.onnx --seconds 5 --warmup 3 --threads 1 --json",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<RunVerb>();
            auto options = std::make_shared<session::BenchmarkOptions>(
                session::BenchmarkOptions{.runs = 0, .seconds = 3, .warmups = 1, .profile = false});
            verb->declare(command);
            verb->shared.declareJson(command);
            command.add_option("--seconds", options->seconds, "measure for about this long")
                ->check(CLI::PositiveNumber)
                ->capture_default_str();
            command.add_option("--warmup", options->warmups, "runs before measuring")
                ->check(CLI::NonNegativeNumber)
                ->capture_default_str();
            return [verb, options] {
              return verb->run([&](session::Session& session, const std::vector<execute::Feed>& feeds,
                                   const ConsoleProgress& progress) -> Result<void> {
                CUTAWAY_TRY(RunReport report, session::measure(session, feeds, *options, progress.token()));
                report.tag = verb->tag;
                const std::vector<std::string> simulated = simulatedProviders(*session.report());
                if (verb->shared.json)
                  return verb->shared.writeJson(dumpJson(benchJson(report, verb->loadNs, simulated), 2));
                printBench(report, verb->loadNs, simulated, runDims(*session.report(), report));
                return {};
              });
            };
          }};
}

}  // namespace cutaway::cli

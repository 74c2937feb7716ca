#include "engine/study/shapes/sweep_shapes.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "engine/base/clock.h"
#include "engine/report/simulated_providers.h"
#include "engine/report/truth.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {
namespace {

std::string wordsOf(const ShapeBinding& binding) {
  return dimsSentence({binding.begin(), binding.end()});
}

// The model as it is when nothing is bound: which dimensions it leaves open.
Result<std::vector<std::string>> openSymbols(const ShapeSweepRequest& request, const ProviderTable& table,
                                             const Progress& progress) {
  Progress quiet(progress.token());
  session::SessionOptions options = request.options;
  options.dims.clear();
  options.providers = {lastResort(table)};
  options.pins.clear();
  options.lastStage = Stage::kResolve;
  options.prepareRun = false;
  CUTAWAY_TRY(const auto session, session::Session::create(request.source, options, table, quiet));
  const auto walk = session->report();
  return walk->resolve ? walk->resolve->openSymbols : std::vector<std::string>();
}

Result<void> checkNames(const ShapeSweepRequest& request, const ProviderTable& table, const Progress& progress) {
  CUTAWAY_TRY(const std::vector<std::string> open, openSymbols(request, table, progress));
  for (const auto& [name, sizes] : request.sizes) {
    if (std::ranges::find(open, name) != open.end()) continue;
    return fail(ErrorCode::kInvalidArgument, "the model has no open dimension '{}'{}", name,
                open.empty() ? "" : fmt::format("; it has {}", fmt::join(open, ", ")));
  }
  return {};
}

void readPlan(const WalkReport& walk, const std::string& lastResort, ShapeRow& row) {
  row.simulated = simulatedProviders(walk);
  if (walk.pattern) {
    row.peakBytes = walk.pattern->peakBytes;
    row.lowerBoundBytes = walk.pattern->lowerBoundBytes;
    for (const GraphPattern& graph : walk.pattern->graphs)
      row.unplannedBuffers += static_cast<int64_t>(graph.unplanned.size());
  }
  if (!walk.partition) return;
  row.groups = static_cast<int64_t>(walk.partition->groups.size());
  row.leftNodes = std::ranges::count_if(walk.partition->nodes,
                                        [&](const NodePlacement& node) { return node.provider == lastResort; });
}

Result<void> measureRow(session::Session& session, const ShapeSweepRequest& request, const ShapeBinding& dims,
                        const CancelToken& cancel, ShapeRow& row) {
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds, session::randomFeeds(session, request.seed, dims, cancel));
  CUTAWAY_TRY(const RunReport run, session::measure(session, feeds, request.runs, cancel));
  row.runs = run.runs;
  row.medianMs = run.medianMs;
  row.lowMs = run.medianLowMs;
  row.highMs = run.medianHighMs;
  row.assumed = runDims(*session.report(), run);
  return {};
}

Result<void> fillRow(const ShapeSweepRequest& request, const ProviderTable& table, Progress& progress, ShapeRow& row) {
  const bool runs = request.runs.runs > 0 || request.runs.seconds > 0;
  session::SessionOptions options = request.options;
  for (const auto& [name, size] : row.dims)
    options.dims[name] = size;
  options.lastStage = Stage::kPattern;
  options.prepareRun = runs;
  options.keepOptimized = false;
  options.context.reset();
  Progress quiet(progress.token());
  CUTAWAY_TRY(const auto session, session::Session::create(request.source, options, table, quiet));
  readPlan(*session->report(), lastResort(table), row);
  if (!runs) return {};
  progress.begin("Sweep", fmt::format("running {}", wordsOf(row.dims)));
  return measureRow(*session, request, options.dims, progress.token(), row);
}

}  // namespace

std::vector<ShapeBinding> bindingsOf(const SizeLists& sizes) {
  std::vector<ShapeBinding> all{{}};
  for (const auto& [name, list] : sizes) {
    std::vector<ShapeBinding> next;
    for (const ShapeBinding& binding : all) {
      for (const int64_t size : list) {
        next.push_back(binding);
        next.back()[name] = size;
      }
    }
    all = std::move(next);
  }
  return all;
}

Result<ShapeSweep> sweepShapes(const ShapeSweepRequest& request, const ProviderTable& table, Progress& progress) {
  const Stopwatch watch;
  const HeapLimit limit(request.options.memoryLimitBytes);
  size_t count = request.sizes.empty() ? 0 : 1;
  for (const auto& [name, list] : request.sizes)
    count = list.empty() || count > kMostBindings ? 0 : count * list.size();
  if (count == 0 || count > kMostBindings)
    return fail(ErrorCode::kInvalidArgument, "a sweep has 1 to {} combinations of sizes", kMostBindings);
  CUTAWAY_CHECK(checkNames(request, table, progress));
  ShapeSweep sweep;
  for (const auto& [name, list] : request.sizes)
    sweep.dims.push_back(name);
  for (ShapeBinding& binding : bindingsOf(request.sizes)) {
    if (progress.cancelled()) return fail(cancelledError());
    progress.begin("Sweep", fmt::format("planning {}", wordsOf(binding)));
    progress.update(sweep.rows.size(), count);
    ShapeRow row{.dims = std::move(binding)};
    if (const Result<void> filled = fillRow(request, table, progress, row); !filled)
      row.problem = describe(filled.error());
    if (progress.cancelled()) return fail(cancelledError());
    sweep.rows.push_back(std::move(row));
  }
  progress.update(count, count);
  sweep.timeNs = watch.elapsedNs();
  return sweep;
}

}  // namespace cutaway::study

#include "engine/runtime/walk.h"

#include <algorithm>
#include <exception>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/parallel.h"
#include "engine/runtime/later_stages.h"
#include "engine/runtime/session_providers.h"
#include "engine/stages/optimize/optimize.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway {

void Walk::publish(std::shared_ptr<const WalkReport> snapshot) {
  report = std::move(snapshot);
  if (m_listener) m_listener(report);
}

Error Walk::place(Error error) const { return m_source.path.empty() ? error : atFile(std::move(error), m_source.path.string()); }

namespace {

// Phases that a stage timed itself: they followed each other from `startNs` on.
void logPhases(const std::vector<PhaseReport>& phases, int64_t startNs) {
  SpanLog* log = SpanLog::current();
  if (log == nullptr) return;
  for (const PhaseReport& phase : phases) {
    log->add(phase.name, startNs, startNs + phase.timeNs);
    startNs += phase.timeNs;
  }
}

void logStrategies(const PatternReport& report, int64_t startNs) {
  std::vector<PhaseReport> phases;
  for (const GraphPattern& graph : report.graphs) {
    for (const StrategyResult& strategy : graph.strategies) phases.push_back({fmt::format("{}, graph {}", strategy.name, graph.graph), strategy.timeNs, 0});
  }
  logPhases(phases, startNs);
}

std::shared_ptr<const ModelGraphs> described(const Model& model) {
  const SpanScope span("describe graphs");
  return std::make_shared<const ModelGraphs>(describeGraphs(model));
}

}  // namespace

// Runs one stage on a copy of the snapshot, and publishes what came of it.
template <typename Work>
Result<void> Walk::stage(Stage which, Work&& work) {
  auto snapshot = std::make_shared<WalkReport>(*report);
  StageStatus& status = snapshot->stages[static_cast<size_t>(which)];
  m_progress.begin(stageTitle(which), "");
  const SpanScope span(stageId(which));
  const Stopwatch watch;
  Result<void> done;
  if (m_progress.cancelled()) {
    done = fail(cancelledError());
  } else {
    try {
      done = work(*snapshot);
    } catch (const std::bad_alloc&) {
      done = fail(ErrorCode::kRuntimeException, "memory is short");
    } catch (const std::exception& exception) {
      done = fail(ErrorCode::kRuntimeException, "{}", exception.what());
    }
  }
  status.timeNs = watch.elapsedNs();
  if (!done) {
    Error error = place(std::move(done).error());
    status.state = error.code == ErrorCode::kModelLoadCanceled ? StageState::kCancelled : StageState::kFailed;
    snapshot->error = error;
    publish(std::move(snapshot));
    return fail(std::move(error));
  }
  status.state = StageState::kDone;
  if (which < m_options.lastStage && which < Stage::kPattern) snapshot->stages[static_cast<size_t>(which) + 1].state = StageState::kRunning;
  publish(std::move(snapshot));
  return {};
}

Result<void> Walk::load(WalkReport& snapshot) {
  CUTAWAY_TRY(config, readSessionConfig(m_options));
  const int64_t startNs = nowNs();
  CUTAWAY_TRY(LoadResult loaded, cutaway::load(m_source, {.allowMissingExternalData = !m_options.prepareRun}, m_progress));
  logPhases(loaded.report.phases, startNs);
  for (const std::string& warning : config.warnings) {
    log::warn("{}", warning);
    loaded.report.warnings.push_back(warning);
  }
  model = std::make_unique<Model>(std::move(loaded.model));
  snapshot.loadedGraphs = described(*model);
  snapshot.load = std::make_shared<const LoadReport>(std::move(loaded.report));
  return {};
}

Result<void> Walk::resolve(WalkReport& snapshot) {
  const int64_t startNs = nowNs();
  CUTAWAY_TRY(ResolveReport resolved, cutaway::resolve(*model, {.dims = m_options.dims, .strictShapes = config.strictShapes, .strictOpsets = config.strictOpsets}, m_progress));
  logPhases(resolved.phases, startNs);
  snapshot.loadedGraphs = described(*model);
  snapshot.resolve = std::make_shared<const ResolveReport>(std::move(resolved));
  return {};
}

Result<void> Walk::makeProviders() {
  if (!providers.empty()) return {};
  const SpanScope span("make providers");
  CUTAWAY_TRY(providers, createProviders(m_options, m_table));
  return {};
}

Result<void> Walk::optimize(WalkReport& snapshot) {
  CUTAWAY_CHECK(makeProviders());
  OptimizeOptions options;
  options.level = m_options.optimizationLevel;
  options.disabled = config.disabledPasses;
  options.kernels = providers.back()->kernels();
  options.foldingLimitBytes = config.foldingLimitBytes;
  CUTAWAY_TRY(OptimizeReport optimized, cutaway::optimize(*model, options, m_progress));
  if (m_progress.cancelled()) return fail(cancelledError());
  snapshot.optimizedGraphs = described(*model);
  snapshot.optimize = std::make_shared<const OptimizeReport>(std::move(optimized));
  return {};
}

Result<void> Walk::later(Stage which, WalkReport& snapshot) {
  if (which == Stage::kPartition && m_options.keepOptimized) optimizedModel = std::make_shared<const Model>(*model);
  const int64_t startNs = nowNs();
  CUTAWAY_CHECK(LaterStages{.model = *model, .providers = providers, .options = m_options, .config = config, .progress = m_progress, .compiled = compiled, .plans = plans}.run(which, snapshot));
  if (which == Stage::kPattern && snapshot.pattern) logStrategies(*snapshot.pattern, startNs);
  return {};
}

Result<void> Walk::prepare() {
  m_progress.begin("Run", "making kernels");
  // Kernels are made for the threads that one worker will have.
  executor = chooseExecutor(model->graph, {m_options.executor, config.interThreads, config.threads});
  const ThreadShare share(executor.threadsPerWorker(config.threads));
  const SpanScope span("make kernels");
  CUTAWAY_TRY(Program made, buildProgram({plans->graphs(), providers, &compiled, config.memoryPattern, config.arena, config.patternCapacity}, m_progress));
  program = std::make_unique<Program>(std::move(made));
  return {};
}

// The last snapshot of a good walk.
void Walk::publishCreation() {
  auto spans = std::make_shared<std::vector<TraceSpan>>();
  const int64_t startNs = m_spans.spans().empty() ? 0 : m_spans.spans().front().startNs;
  for (const LoggedSpan& from : m_spans.spans()) {
    TraceSpan& to = spans->emplace_back();
    to.name = from.name;
    to.category = "Session";
    to.depth = from.depth;
    to.startNs = from.startNs - startNs;
    to.durationNs = from.endNs - from.startNs;
  }
  std::ranges::stable_sort(*spans, [](const TraceSpan& a, const TraceSpan& b) { return a.startNs != b.startNs ? a.startNs < b.startNs : a.depth < b.depth; });
  auto snapshot = std::make_shared<WalkReport>(*report);
  snapshot->creation = std::move(spans);
  publish(std::move(snapshot));
}

Result<void> Walk::run() {
  const PackScope scope(packs.get());
  Result<void> done;
  {
    const SpanLog::Use use(m_spans);
    done = walkStages();
  }
  if (done && m_options.prepareRun && m_options.lastStage >= Stage::kPattern) publishCreation();
  return done;
}

Result<void> Walk::walkStages() {
  const Stage last = m_options.lastStage;
  CUTAWAY_CHECK(stage(Stage::kLoad, [&](WalkReport& snapshot) { return load(snapshot); }));
  if (last >= Stage::kResolve) CUTAWAY_CHECK(stage(Stage::kResolve, [&](WalkReport& snapshot) { return resolve(snapshot); }));
  if (last >= Stage::kOptimize) CUTAWAY_CHECK(stage(Stage::kOptimize, [&](WalkReport& snapshot) { return optimize(snapshot); }));
  for (const Stage which : {Stage::kPartition, Stage::kSchedule, Stage::kAllocate, Stage::kPattern}) {
    if (last >= which) CUTAWAY_CHECK(stage(which, [&](WalkReport& snapshot) { return later(which, snapshot); }));
  }
  if (last < Stage::kPattern) return {};
  if (!m_options.prepareRun) return {};
  // Kernels are made once, now that the plans stand. Only a failure is published: the next good snapshot comes with a run.
  Result<void> prepared;
  try {
    prepared = prepare();
  } catch (const std::exception& exception) {
    prepared = fail(ErrorCode::kRuntimeException, "{}", exception.what());
  }
  if (prepared) return {};
  Error error = place(std::move(prepared).error());
  auto snapshot = std::make_shared<WalkReport>(*report);
  snapshot->stages[static_cast<size_t>(Stage::kRun)].state = error.code == ErrorCode::kModelLoadCanceled ? StageState::kCancelled : StageState::kFailed;
  snapshot->error = error;
  publish(std::move(snapshot));
  return fail(std::move(error));
}

}  // namespace cutaway

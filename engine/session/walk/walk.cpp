#include "engine/session/walk/walk.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"
#include "engine/base/log.h"
#include "engine/base/parallel.h"
#include "engine/base/short_memory.h"
#include "engine/context/generate.h"
#include "engine/plan/graph_costs.h"
#include "engine/provider/provider_calls.h"
#include "engine/report/open_figures.h"
#include "engine/session/called_from.h"
#include "engine/session/choice/model_key.h"
#include "engine/session/feed_check.h"
#include "engine/session/walk/later_stages.h"
#include "engine/session/walk/session_providers.h"
#include "engine/stages/optimize/optimize.h"
#include "engine/stages/resolve/describe_again.h"

namespace cutaway::session {

void Walk::publish(std::shared_ptr<const WalkReport> snapshot) {
  report = std::move(snapshot);
  if (m_listener) m_listener(report);
}

Error Walk::place(Error error) const {
  return m_source.path.empty() ? error : atFile(std::move(error), m_source.path.string());
}

namespace {

// A model in memory was made from another one, where sizes may have been bound already: names that it has no more are
// no slips of the user's.
std::map<std::string, int64_t> dimsFor(const Model& model, const std::map<std::string, int64_t>& dims) {
  std::map<std::string, int64_t> known;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (size_t i = 0; i < graph.valueSlots(); ++i) {
      const Value& value = graph.value(ValueId{i});
      if (value.removed || !value.type.shape) continue;
      for (const Dim& dim : value.type.shape->dims()) {
        const auto given = dim.isSymbol() ? dims.find(dim.symbol()) : dims.end();
        if (given != dims.end()) known.insert(*given);
      }
    }
  });
  return known;
}

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
    for (const StrategyResult& strategy : graph.strategies)
      phases.push_back({fmt::format("{}, graph {}", strategy.name, graph.graph), strategy.timeNs, 0});
  }
  logPhases(phases, startNs);
}

void logStage(Stage which, const WalkReport& snapshot) {
  const StageStatus& status = snapshot.stages[static_cast<size_t>(which)];
  log::event(log::kInfo, log::Category::kStages, "done", {{"stage", stageId(which)}, log::milliseconds(status.timeNs)});
  if (which != Stage::kPartition || snapshot.partition == nullptr) return;
  for (const ProviderSummary& each : snapshot.partition->providers)
    log::event(log::kInfo, log::Category::kProviders, "claims",
               {{"provider", each.name},
                {"nodes", each.claimedNodes},
                {"refused", each.refusedNodes},
                {"groups", each.groups},
                {"ask_ms", static_cast<double>(each.askTimeNs) / 1e6},
                {"compile_ms", static_cast<double>(each.compileTimeNs) / 1e6}});
}

std::shared_ptr<const CostReport> costed(const Model& model, const ModelGraphs& graphs) {
  const SpanScope span("costs");
  return std::make_shared<const CostReport>(plan::costsOf(model, graphs));
}

std::shared_ptr<const ModelGraphs> described(const Model& model, const std::shared_ptr<const ModelGraphs>& before) {
  const SpanScope span("describe graphs");
  return std::make_shared<const ModelGraphs>(before == nullptr ? resolve::describeGraphs(model)
                                                               : resolve::describeAgain(model, *before));
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
      done = heedShortMemory([&] { return work(*snapshot); });
    } catch (const std::bad_alloc& refused) {
      done = fail(outOfMemory(refused, fmt::format("in the stage '{}'", stageTitle(which))));
    } catch (const std::exception& exception) {
      done = fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
    }
  }
  status.timeNs = watch.elapsedNs();
  if (!done) {
    Error error = std::move(done).error();
    if (model != nullptr) error = tellCall(std::move(error), *model);
    error = explainContext(place(std::move(error)));
    log::event(log::kInfo, log::Category::kStages, "failed",
               {{"stage", stageId(which)},
                log::milliseconds(status.timeNs),
                {"code", errorCodeName(error.code)},
                {"error", error.message}});
    if (m_original) return fail(std::move(error));  // nobody needs to hear of it: the walk begins again
    status.state = error.code == ErrorCode::kModelLoadCanceled ? StageState::kCancelled : StageState::kFailed;
    snapshot->error = error;
    publish(std::move(snapshot));
    return fail(std::move(error));
  }
  status.state = StageState::kDone;
  logStage(which, *snapshot);
  if (const std::optional<Stage> after = next(which))
    snapshot->stages[static_cast<size_t>(*after)].state = StageState::kRunning;
  publish(std::move(snapshot));
  return {};
}

// Contexts are written where their groups are known, before plans are made.
std::optional<Stage> Walk::next(Stage which) const {
  const Stage last = m_options.lastStage;
  if (which == Stage::kPartition && exports()) return Stage::kContext;
  if (which >= Stage::kPartition && config.context.compileOnly) return std::nullopt;
  const Stage after = which == Stage::kContext ? Stage::kSchedule : static_cast<Stage>(static_cast<int>(which) + 1);
  if (after > last || after > Stage::kPattern) return std::nullopt;
  return after;
}

Result<void> Walk::work(Stage which, WalkReport& snapshot) {
  switch (which) {
    case Stage::kLoad:
      return load(snapshot);
    case Stage::kResolve:
      return resolve(snapshot);
    case Stage::kOptimize:
      return optimize(snapshot);
    case Stage::kPartition:
      return partition(snapshot);
    case Stage::kContext:
      return exportContext(snapshot);
    default:
      return later(which, snapshot);
  }
}

Result<void> Walk::load(WalkReport& snapshot) {
  CUTAWAY_TRY(config, readSessionConfig(m_options, m_table));
  if (exports()) CUTAWAY_CHECK(checkExport(m_source, config.context));
  if (!config.context.externalFolder.empty()) m_source.externalFolder = config.context.externalFolder;
  const int64_t startNs = nowNs();
  Result<load::LoadResult> read = load::load(m_source, {.allowMissingExternalData = !m_options.prepareRun}, m_progress);
  if (!read) {
    describeWithoutWeights(snapshot);
    return fail(std::move(read).error());
  }
  load::LoadResult loaded = *std::move(read);
  logPhases(loaded.report.phases, startNs);
  for (const std::string& warning : config.warnings) {
    log::warn(log::Category::kStages, "{}", warning);
    loaded.report.warnings.push_back(warning);
  }
  model = std::make_unique<Model>(std::move(loaded.model));
  snapshot.loadedGraphs = described(*model, nullptr);
  snapshot.load = std::make_shared<const LoadReport>(std::move(loaded.report));
  CUTAWAY_CHECK(settleProviders());
  return checkModel(snapshot);
}

// Weights that lie beside the model may be missing: its graphs can be looked at all the same.
void Walk::describeWithoutWeights(WalkReport& snapshot) const {
  if (!m_options.prepareRun || m_progress.cancelled()) return;
  Result<load::LoadResult> structure = load::load(m_source, {.allowMissingExternalData = true}, m_progress);
  if (!structure) return;
  snapshot.loadedGraphs = described(structure->model, nullptr);
  snapshot.load = std::make_shared<const LoadReport>(std::move(structure->report));
}

// What can be said about a compiled model before anything is done with it.
Result<void> Walk::checkModel(WalkReport& snapshot) {
  m_contextNodes = contextMentions(*model);
  if (exports()) CUTAWAY_CHECK(refuseCompiled(*model));
  if (m_context != nullptr) snapshot.context = m_context;
  if (m_options.lastStage < Stage::kOptimize || !hasCompatibility(model->metadata)) return {};
  CUTAWAY_CHECK(makeProviders());
  CompatibilityAnswer answer = checkCompatibility(model->metadata, providers, config.context);
  if (answer.refused && m_options.prepareRun) {
    m_contextFailed = true;
    return fail(*std::move(answer.refused));
  }
  if (answer.refused) answer.warnings.push_back(std::move(answer.refused->message));
  if (answer.warnings.empty()) return {};
  auto context = std::make_shared<ContextReport>();
  if (snapshot.context != nullptr) *context = *snapshot.context;
  for (std::string& warning : answer.warnings) {
    log::warn(log::Category::kStages, "{}", warning);
    context->warnings.push_back(std::move(warning));
  }
  snapshot.context = std::move(context);
  return {};
}

Result<void> Walk::resolve(WalkReport& snapshot) {
  std::shared_ptr<const PackedModel> loaded =
      m_options.prepareRun && !m_options.keepOptimized ? nullptr : packedWithoutContexts(*model);
  const int64_t startNs = nowNs();
  CUTAWAY_TRY(ResolveReport resolved,
              resolve::resolve(*model,
                               {.dims = m_source.model != nullptr ? dimsFor(*model, m_options.dims) : m_options.dims,
                                .strictShapes = config.strictShapes,
                                .strictOpsets = config.strictOpsets},
                               m_progress));
  logPhases(resolved.phases, startNs);
  snapshot.loadedGraphs = described(*model, snapshot.loadedGraphs);
  snapshot.loadedCosts = costed(*model, *snapshot.loadedGraphs);
  if (loaded != nullptr && hasOpenFigures(snapshot)) {
    loadedModel = std::move(loaded);
    snapshot.loadedModel = loadedModel;
  }
  snapshot.resolve = std::make_shared<const ResolveReport>(std::move(resolved));
  fixDefaults();
  return {};
}

// Not in models that are written or walked again, which keep all their inputs; nor where what it asks for counts, as
// there may be two sessions in the end.
void Walk::fixDefaults() {
  Graph& graph = model->graph;
  if (!m_mayFixDefaults || !graph.overridableInitializers || exports() || m_options.keepOptimized) return;
  if (m_options.lastStage < Stage::kPattern || m_options.optimizationLevel == 0 || m_options.memoryLimitBytes > 0)
    return;
  std::vector<ValueId> withoutDefault;
  for (const ValueId id : graph.inputs()) {
    if (!graph.value(id).initializer) withoutDefault.push_back(id);
  }
  if (withoutDefault.size() == graph.inputs().size()) return;
  inputsWithDefaults = namedInputs(graph);
  modelWithDefaults = packedWithoutContexts(*model);
  log::event(log::kInfo, log::Category::kStages, "inputs with a default are constants until a run feeds one",
             {{"count", graph.inputs().size() - withoutDefault.size()}});
  graph.setInputs(withoutDefault);
}

// Auto and all become a list of names, with the model as it was loaded in hand.
Result<void> Walk::settleProviders() {
  CUTAWAY_TRY(const std::string word, listWord(m_options, m_table));
  if (word.empty()) return {};
  const SpanScope span("choose providers");
  const bool looksUp = word == kAuto && !m_options.tuned.folder.empty();
  AutoChoice chosen = chooseProviders(word, m_options, m_table, looksUp ? modelKey(*model) : "");
  m_listWord = word;
  m_choice = std::move(chosen.choice);
  m_options.providers = m_choice->providers;
  if (!chosen.warning.empty()) log::warn(log::Category::kStages, "{}", chosen.warning);
  m_choiceWarning = std::move(chosen.warning);
  return {};
}

// What auto chose is not what the user asked for by name: where it cannot be made, the rest is taken as always.
Result<void> Walk::makeProviders() {
  if (!providers.empty()) return {};
  const SpanScope span("make providers");
  auto made = createProviders(m_options, m_table);
  if (!made && m_choice && m_choice->providers.size() > 1) {
    m_choice = fallBack(*m_choice, m_table, made.error());
    m_options.providers = m_choice->providers;
    made = createProviders(m_options, m_table);
  }
  if (!made) return fail(std::move(made).error());
  providers = *std::move(made);
  for (const auto& provider : providers)
    log::event(log::kInfo, log::Category::kProviders, "made",
               {{"provider", provider->name()}, {"device", provider->device().name}});
  return {};
}

Result<void> Walk::optimize(WalkReport& snapshot) {
  CUTAWAY_CHECK(makeProviders());
  optimize::OptimizeOptions options;
  options.level = m_options.optimizationLevel;
  options.disabled = config.disabledPasses;
  options.kernels = providers.back()->kernels();
  options.foldingLimitBytes = config.foldingLimitBytes;
  CUTAWAY_TRY(OptimizeReport optimized, optimize::optimize(*model, options, m_progress));
  if (m_progress.cancelled()) return fail(cancelledError());
  snapshot.optimizedGraphs = described(*model, snapshot.loadedGraphs);
  snapshot.optimizedCosts = costed(*model, *snapshot.optimizedGraphs);
  snapshot.optimize = std::make_shared<const OptimizeReport>(std::move(optimized));
  return {};
}

Result<void> Walk::partition(WalkReport& snapshot) {
  if (m_options.keepOptimized) optimizedModel = packedWithoutContexts(*model);
  Result<void> done = later(Stage::kPartition, snapshot);
  if (!done) {
    m_contextFailed = concernsContext(done.error(), m_contextNodes);
    done.error().message += whoRestores(done.error(), m_contextNodes, m_table, providers);
  }
  if (done) noteWhoOnlyLooks(snapshot);
  if (done && !exports()) snapshot.stages[static_cast<size_t>(Stage::kContext)].state = StageState::kDone;
  return done;
}

// A provider that plans without its hardware claims as if it were here; people are told that it is not.
void Walk::noteWhoOnlyLooks(WalkReport& snapshot) const {
  if (snapshot.partition == nullptr) return;
  std::shared_ptr<PartitionReport> changed;
  for (const ProviderEntry& entry : m_table) {
    if (!entry.plansWithout || entry.probe == nullptr) continue;
    const auto provider = std::ranges::find_if(providers, [&](const auto& each) { return each->name() == entry.name; });
    if (provider == providers.end() || (*provider)->canRun()) continue;
    if (changed == nullptr) changed = std::make_shared<PartitionReport>(*snapshot.partition);
    for (ProviderSummary& summary : changed->providers) {
      if (summary.name != entry.name) continue;
      summary.usable = false;
      summary.reason = "cannot run here: " + entry.probe().reason;
    }
  }
  if (changed != nullptr) snapshot.partition = std::move(changed);
}

Result<void> Walk::exportContext(WalkReport& snapshot) {
  const std::shared_ptr<const partition::CapturedGroups> captured = std::exchange(m_captured, nullptr);
  if (captured == nullptr) return fail(ErrorCode::kFail, "the partition stage kept nothing to export");
  const SpanScope span("write context model");
  CUTAWAY_TRY(ContextWritten written,
              context::writeContextModel(
                  {*captured, compiled, providers, m_source.fromBytes ? std::filesystem::path() : m_source.path},
                  config.context, m_progress));
  auto context = std::make_shared<ContextReport>(*snapshot.context);
  for (const std::string& warning : written.warnings)
    log::warn(log::Category::kStages, "{}", warning);
  context->written.push_back(std::move(written));
  snapshot.context = std::move(context);
  return {};
}

namespace {

void addWarning(WalkReport& snapshot, const std::string& warning) {
  PartitionReport changed = *snapshot.partition;
  changed.warnings.push_back(warning);
  snapshot.partition = std::make_shared<const PartitionReport>(std::move(changed));
}

}  // namespace

Result<void> Walk::later(Stage which, WalkReport& snapshot) {
  const int64_t startNs = nowNs();
  const LaterStages stages{.model = *model,
                           .providers = providers,
                           .options = m_options,
                           .config = config,
                           .progress = m_progress,
                           .compiled = compiled,
                           .plans = plans,
                           .choice = m_choice ? &*m_choice : nullptr,
                           .compile = !m_choice || m_choice->basis == ChoiceBasis::kAll ||
                                      m_choice->providers.size() == 1 || m_options.prepareRun || exports(),
                           .captured = exports() ? &m_captured : nullptr};
  CUTAWAY_CHECK(stages.run(which, snapshot));
  if (which == Stage::kPartition && !m_choiceWarning.empty()) addWarning(snapshot, m_choiceWarning);
  if (which == Stage::kPattern && snapshot.pattern) logStrategies(*snapshot.pattern, startNs);
  return {};
}

Result<void> Walk::prepare() {
  m_progress.begin("Run", "making kernels");
  // Kernels are made for the threads that one worker will have.
  executor = execute::chooseExecutor(model->graph, {m_options.executor, config.interThreads, config.threads});
  const ThreadShare share(executor.threadsPerWorker(config.threads));
  const SpanScope span("make kernels");
  CUTAWAY_TRY(execute::Program made, execute::buildProgram({plans->graphs(), providers, &compiled, usesPattern(),
                                                            config.arena, config.patternCapacity},
                                                           m_progress));
  program = std::make_unique<execute::Program>(std::move(made));
  // A run's work of a device is enqueued by one thread.
  if (executor.workers > 1 && !program->graphs.front()->runs.empty())
    executor = {1, fmt::format("sequential: {} runs asynchronously, and one thread enqueues its work",
                               program->graphs.front()->runs.front().provider->device().name)};
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
  std::ranges::stable_sort(*spans, [](const TraceSpan& a, const TraceSpan& b) {
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.depth < b.depth;
  });
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
    if (!done && m_original) {
      startAgain(done.error());
      done = walkStages();
    }
  }
  if (done && m_options.prepareRun && (m_options.lastStage >= Stage::kPattern || config.context.compileOnly))
    publishCreation();
  return done;
}

// A context model failed: says where its original is, or notes that the walk begins again there.
Error Walk::explainContext(Error error) {
  if (!std::exchange(m_contextFailed, false) || config.context.disableCompile || !m_options.prepareRun) return error;
  if (m_context != nullptr && !m_context->recompiledFrom.empty())
    return error;  // the original is a context model that cannot be used either
  Result<std::optional<std::filesystem::path>> original =
      originalOf(m_contextNodes, m_source.fromBytes ? std::filesystem::path() : m_source.path, config.context);
  if (!original) {
    // The key's file is asked for only by who wants to recompile.
    if (config.context.recompile) return std::move(original).error();
    return error;
  }
  if (config.context.recompile) {
    m_original = *std::move(original);
    if (!m_original)
      error.message += "; ep.context_recompile=1 found no original: name it with ep.context_source_model_path";
  } else if (*original) {
    error.message += fmt::format("; set ep.context_recompile=1 to open and compile the original in its place: {}",
                                 (*original)->string());
  }
  return error;
}

// From the original: nothing of the first walk is left but what it found out.
void Walk::startAgain(const Error& cause) {
  auto context = std::make_shared<ContextReport>();
  context->recompiledFrom = m_original->string();
  context->warnings.push_back(
      fmt::format("the context model could not be used ({}); its original {} was opened and compiled in its place",
                  describe(cause), m_original->string()));
  log::warn(log::Category::kStages, "{}", context->warnings.back());
  m_context = std::move(context);
  const std::filesystem::path externalFolder = m_source.externalFolder;
  m_source = load::ModelSource::file(*std::exchange(m_original, std::nullopt));
  m_source.externalFolder = externalFolder;
  if (std::exchange(m_choice, std::nullopt)) m_options.providers = {m_listWord};
  compiled.clear();
  inputsWithDefaults.clear();
  modelWithDefaults.reset();
  plans.reset();
  optimizedModel.reset();
  disposeProviders(std::move(providers));
  providers.clear();
  model.reset();
  report = std::make_shared<const WalkReport>();
}

Result<void> Walk::walkStages() {
  for (std::optional<Stage> which = Stage::kLoad; which; which = next(*which)) {
    CUTAWAY_CHECK(stage(*which, [&](WalkReport& snapshot) { return work(*which, snapshot); }));
  }
  if (m_options.lastStage < Stage::kPattern || config.context.compileOnly) return {};
  if (!m_options.prepareRun) return {};
  // Kernels are made once, now that the plans stand. Only a failure is published: the next good snapshot comes with a
  // run.
  Result<void> prepared;
  try {
    prepared = heedShortMemory([&] { return prepare(); });
  } catch (const std::exception& exception) {
    prepared = fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
  }
  if (prepared) return {};
  Error error = place(std::move(prepared).error());
  auto snapshot = std::make_shared<WalkReport>(*report);
  snapshot->stages[static_cast<size_t>(Stage::kRun)].state =
      error.code == ErrorCode::kModelLoadCanceled ? StageState::kCancelled : StageState::kFailed;
  snapshot->error = error;
  publish(std::move(snapshot));
  return fail(std::move(error));
}

}  // namespace cutaway::session

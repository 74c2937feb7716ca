#include "engine/session/walk/later_stages.h"

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/context/preview.h"
#include "engine/execute/dataflow/dataflow_choice.h"
#include "engine/execute/memory/arena_forecast.h"
#include "engine/plan/graph_costs.h"
#include "engine/plan/graph_sizes.h"
#include "engine/provider/provider_calls.h"
#include "engine/session/choice/list_notes.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/describe_again.h"

namespace cutaway::session {

namespace {

// Context nodes of the partition in terms of the graphs as loaded, which may have had other nodes around them.
std::vector<ContextNodeReport> inLoadedGraphs(std::vector<ContextNodeReport> nodes, const ModelGraphs& asked,
                                              const ModelGraphs* loaded) {
  if (loaded == nullptr) return nodes;
  for (ContextNodeReport& node : nodes) {
    const IndexList& origins =
        asked.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)].origins;
    if (origins.empty()) continue;
    for (size_t graph = 0; graph < loaded->graphs.size(); ++graph) {
      const std::vector<NodeReport>& all = loaded->graphs[graph].nodes;
      const auto found = std::ranges::find_if(all, [&](const NodeReport& each) {
        return !each.origins.empty() && each.origins.front() == origins.front();
      });
      if (found == all.end()) continue;
      node.graph = static_cast<int32_t>(graph);
      node.node = static_cast<int32_t>(found - all.begin());
      break;
    }
  }
  return nodes;
}

// Runs without a pattern take their memory from arenas: what those would hold stands in place of a peak that nobody
// plans. What lives at each step, and the bound, do not depend on where it lies, and stay.
void describeArenas(std::span<const plan::PlannedGraph> graphs, const std::map<std::string, int64_t>& dims,
                    const execute::ArenaOptions& options, PatternReport& report) {
  constexpr const char* kName = "arena, simulated";
  report.peakBytes = 0;
  report.strategy = kName;
  std::vector<std::string> words;
  for (GraphPattern& pattern : report.graphs) {
    pattern.blocks.clear();
    pattern.strategies.clear();
    pattern.peakBytes = 0;
    pattern.fragmentation = 0;
    const auto planned = std::ranges::find(graphs, pattern.graph, &plan::PlannedGraph::graphIndex);
    if (planned == graphs.end()) continue;
    const std::vector<int64_t> sizes = plan::GraphSizes(*planned->graph).under(dims);
    for (const execute::ArenaForecast& forecast : execute::forecastArenas(*planned, sizes, options)) {
      if (forecast.device != pattern.device) continue;
      pattern.peakBytes = forecast.heldBytes;
      pattern.fragmentation = forecast.heldBytes == 0
                                  ? 0
                                  : 1 - static_cast<double>(pattern.lowerBoundBytes) /
                                            static_cast<double>(std::max(forecast.heldBytes, pattern.lowerBoundBytes));
      pattern.strategies.push_back({.name = kName, .peakBytes = forecast.heldBytes, .chosen = true});
      if (planned->parent != nullptr) continue;
      report.peakBytes += forecast.heldBytes;
      words.push_back(execute::forecastText(forecast));
    }
  }
  if (!words.empty())
    report.reason +=
        fmt::format("; buffers come from arenas, which would hold (simulated): {}", fmt::join(words, "; "));
}

}  // namespace

partition::PartitionOptions LaterStages::partitionOptions(const WalkReport& snapshot) const {
  partition::PartitionOptions wanted;
  wanted.optimizationLevel = options.optimizationLevel;
  wanted.disableCpuFallback = config.disableCpuFallback;
  wanted.disableCompile = config.context.disableCompile;
  wanted.runnable = options.prepareRun;
  wanted.compile = compile;
  wanted.pins = options.pins;
  wanted.contextSources = config.contextSources;
  wanted.minimumGroupNodes = options.minimumGroupNodes;
  wanted.rules = config.partitionRules;
  wanted.behindLast = namedBehind(options.providers, providers.back()->name());
  wanted.askAboutTaken = !options.prepareRun;  // an answer for people who look; a run pays nothing for it
  wanted.weighIslands = choice != nullptr && choice->basis == ChoiceBasis::kModelled;
  wanted.threads = config.threads > 0 ? config.threads : availableThreads();
  if (snapshot.load) wanted.layerOfOrigin = snapshot.load->layerOfOrigin;
  wanted.describedBefore = snapshot.loadedGraphs.get();
  const context::ContextOptions& context = config.context;
  // A model from bytes has no folder: that of ep.context_file_path stands for it, as onnxruntime's providers have it.
  wanted.contextPlace.folder = !model.path.empty()     ? model.path.parent_path()
                               : !context.file.empty() ? context.file.parent_path()
                                                       : context.externalFolder;
  // Who opens the original in the place of a damaged context has to know of the damage before anything runs.
  wanted.contextPlace.checkLater = options.prepareRun && !context.recompile;
  // A plan-only walk leaves the contexts of others alone.
  if (compile && options.prepareRun) {
    wanted.contextPlace.share = context.share;
    wanted.contextPlace.stopShare = context.stopShare;
    wanted.contextPlace.shareGroup = context.shareGroup;
  }
  wanted.captureGroups = captured != nullptr;
  if (captured != nullptr) wanted.contextPrefix = context.prefix;
  return wanted;
}

Result<void> LaterStages::partition(WalkReport& snapshot) const {
  Result<partition::Partition> made = partition::partitionModel(model, providers, partitionOptions(snapshot), progress);
  if (!made) {
    disposeProviders(std::move(providers));  // one of them may hang in a call still
    return fail(std::move(made).error());
  }
  auto told =
      std::make_shared<ProviderChoice>(choice != nullptr ? *choice : ProviderChoice{.providers = options.providers});
  told->notes = listNotes(options.providers, providers.back()->name(), choice);
  snapshot.choice = std::move(told);
  compiled = std::move(made->compiled);
  if (captured != nullptr) *captured = std::move(made->captured);
  auto context = std::make_shared<ContextReport>();
  if (snapshot.context != nullptr) {
    context->warnings = snapshot.context->warnings;
    context->recompiledFrom = snapshot.context->recompiledFrom;
  }
  context->groups = context::previewContexts(made->report, made->askedGraphs, providers);
  context->nodes = inLoadedGraphs(std::move(made->contextNodes), made->askedGraphs, snapshot.loadedGraphs.get());
  snapshot.context = std::move(context);
  snapshot.optimizedGraphs = std::make_shared<const ModelGraphs>(std::move(made->askedGraphs));
  snapshot.partitionedGraphs =
      std::make_shared<const ModelGraphs>(resolve::describeAgain(model, *snapshot.optimizedGraphs));
  snapshot.partition = std::make_shared<const PartitionReport>(std::move(made->report));
  snapshot.optimizedCosts =
      std::make_shared<const CostReport>(plan::costsOfAsked(*snapshot.optimizedGraphs, *snapshot.partition));
  snapshot.partitionedCosts = std::make_shared<const CostReport>(plan::costsOfPartitioned(
      model, *snapshot.partitionedGraphs, *snapshot.optimizedGraphs, *snapshot.optimizedCosts, *snapshot.partition));
  plans = std::make_unique<plan::PlanWalk>(model);
  return {};
}

Result<plan::PlanOptions> LaterStages::planOptions() const {
  plan::PlanOptions wanted;
  wanted.order = options.order;
  CUTAWAY_CHECK(wanted.followRules(options.planRules));
  wanted.memoryReuse = config.memoryReuse;
  wanted.inPlace = options.inPlace;
  wanted.memoryPattern = config.memoryPattern;
  wanted.dims = options.dims;
  wanted.workers =
      execute::chooseExecutor(model.graph, {options.executor, config.interThreads, config.threads}).workers;
  // ONNX Runtime plans for its parallel mode whenever that is asked for with more than one thread, whether or not there
  // is anything to overlap.
  if (wanted.rules == allocate::AllocRules::kOnnxruntime && options.executor == "dataflow" && config.interThreads != 1)
    wanted.workers = std::max(wanted.workers, 2);
  return wanted;
}

Result<void> LaterStages::run(Stage which, WalkReport& snapshot) const {
  if (which == Stage::kPartition) return partition(snapshot);
  CUTAWAY_TRY(const plan::PlanOptions wanted, planOptions());
  if (which == Stage::kSchedule) {
    CUTAWAY_TRY(ScheduleReport made, plans->schedule(wanted, providers, compiled, progress));
    snapshot.schedule = std::make_shared<const ScheduleReport>(std::move(made));
  } else if (which == Stage::kAllocate) {
    CUTAWAY_TRY(AllocateReport made, plans->allocate(wanted, progress));
    snapshot.allocate = std::make_shared<const AllocateReport>(std::move(made));
  } else if (which == Stage::kPattern) {
    CUTAWAY_TRY(PatternReport made, plans->pattern(wanted, progress));
    if (!made.eligible) describeArenas(plans->graphs(), wanted.dims, config.arena, made);
    snapshot.pattern = std::make_shared<const PatternReport>(std::move(made));
  }
  return {};
}

}  // namespace cutaway::session

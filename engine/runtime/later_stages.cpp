#include "engine/runtime/later_stages.h"

#include <algorithm>

#include "engine/provider/provider_calls.h"
#include "engine/runtime/dataflow_choice.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway {

Result<void> LaterStages::partition(WalkReport& snapshot) const {
  PartitionOptions wanted;
  wanted.optimizationLevel = options.optimizationLevel;
  wanted.disableCpuFallback = config.disableCpuFallback;
  wanted.disableCompile = config.disableCompile;
  wanted.runnable = options.prepareRun;
  wanted.compile = compile;
  wanted.pins = options.pins;
  wanted.minimumGroupNodes = options.minimumGroupNodes;
  wanted.rules = config.partitionRules;
  if (snapshot.load) wanted.layerOfOrigin = snapshot.load->layerOfOrigin;
  Result<Partition> made = partitionModel(model, providers, wanted, progress);
  if (!made) {
    disposeProviders(std::move(providers));  // one of them may hang in a call still
    return fail(std::move(made).error());
  }
  compiled = std::move(made->compiled);
  snapshot.optimizedGraphs = std::make_shared<const ModelGraphs>(std::move(made->askedGraphs));
  snapshot.partitionedGraphs = std::make_shared<const ModelGraphs>(describeGraphs(model));
  snapshot.partition = std::make_shared<const PartitionReport>(std::move(made->report));
  plans = std::make_unique<PlanWalk>(model);
  return {};
}

PlanOptions LaterStages::planOptions() const {
  PlanOptions wanted;
  wanted.order = options.order;
  wanted.rules = options.planRules == "reference" ? AllocRules::kReference : AllocRules::kCutaway;
  wanted.memoryReuse = config.memoryReuse;
  wanted.inPlace = options.inPlace;
  wanted.memoryPattern = config.memoryPattern;
  wanted.dims = options.dims;
  wanted.workers = chooseExecutor(model.graph, {options.executor, config.interThreads, config.threads}).workers;
  return wanted;
}

Result<void> LaterStages::run(Stage which, WalkReport& snapshot) const {
  if (which == Stage::kPartition) return partition(snapshot);
  if (which == Stage::kSchedule) {
    CUTAWAY_TRY(ScheduleReport made, plans->schedule(planOptions(), providers, compiled, progress));
    snapshot.schedule = std::make_shared<const ScheduleReport>(std::move(made));
  } else if (which == Stage::kAllocate) {
    CUTAWAY_TRY(AllocateReport made, plans->allocate(planOptions(), providers, compiled, progress));
    snapshot.allocate = std::make_shared<const AllocateReport>(std::move(made));
  } else if (which == Stage::kPattern) {
    CUTAWAY_TRY(PatternReport made, plans->pattern(planOptions(), progress));
    snapshot.pattern = std::make_shared<const PatternReport>(std::move(made));
  }
  return {};
}

}  // namespace cutaway

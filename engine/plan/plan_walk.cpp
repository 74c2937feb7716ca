#include "engine/plan/plan_walk.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/base/format.h"
#include "engine/plan/graph_hints.h"
#include "engine/plan/shape_plan.h"
#include "engine/report/walk_report.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::plan {
namespace {

// Open symbols count as this much while variants are compared; before a run the real values are used for the offsets.
constexpr int64_t kStandIn = 16;

void countKinds(const Graph& graph, const allocate::AllocationPlan& plan, AllocateReport& report) {
  for (ValueId id : graph.valueIds()) {
    const allocate::AllocPlanPerValue& value = plan.values[id.index()];
    switch (value.kind) {
      case AllocKind::kAllocate:
        ++report.allocated;
        break;
      case AllocKind::kReuse:
      case AllocKind::kShare:
        ++report.reused;
        break;
      case AllocKind::kPreExisting:
        ++report.preExisting;
        break;
      case AllocKind::kAllocateStatically:
        ++report.statically;
        break;
      case AllocKind::kAllocateOutput:
        ++report.outputs;
        break;
      default:
        break;
    }
    if (value.inPlace) ++report.inPlace;
    if (value.rule == AllocRule::kPart || value.rule == AllocRule::kSplitPart) ++report.parts;
    if (graph.value(id).initializer) report.weightsBytes += graph.value(id).initializer->sizeBytes();
  }
}

// Looking a node's kernel up takes longer than using what it says, and variants ask again and again.
MemoryHints rememberedHints(const Graph& graph, const MemoryHints& hints) {
  auto known = std::make_shared<std::vector<NodeMemoryHints>>(graph.nodeSlots());
  for (const NodeId id : graph.nodeIds())
    (*known)[id.index()] = hints(id);
  return [known](NodeId id) { return (*known)[id.index()]; };
}

std::string strategySentence(const PatternReport& report) {
  const GraphPattern* main = report.graphs.empty() ? nullptr : &report.graphs.front();
  if (main == nullptr || main->strategies.empty()) return {};
  const auto chosen = std::find_if(main->strategies.begin(), main->strategies.end(),
                                   [](const StrategyResult& each) { return each.chosen; });
  if (chosen == main->strategies.end()) return {};
  const bool atBound = chosen->peakBytes <= main->lowerBoundBytes;
  if (main->strategies.size() == 1) return chosen->name + (atBound ? ", which reaches the lower bound" : "");
  return fmt::format("{}, the smallest of {} tried{}; best fit by time would need {}", chosen->name,
                     main->strategies.size(), atBound ? ", which reaches the lower bound" : "",
                     formatBytes(main->strategies.front().peakBytes));
}

}  // namespace

Result<void> PlanOptions::followRules(std::string_view name) {
  programCounters = name == "onnxruntime-counters";
  const bool byOnnxruntime = programCounters || name == "onnxruntime" || name == "reference";
  if (!byOnnxruntime && name != "cutaway")
    return fail(ErrorCode::kInvalidArgument,
                "unknown planning rules '{}': they are one of cutaway, onnxruntime, onnxruntime-counters", name);
  rules = byOnnxruntime ? allocate::AllocRules::kOnnxruntime : allocate::AllocRules::kCutaway;
  return {};
}

std::string_view PlanOptions::orderMeant() const {
  if (!order.empty() && order != "default") return order;
  return rules == allocate::AllocRules::kOnnxruntime ? "onnxruntime" : "default";
}

pattern::PatternRules PlanOptions::patternRules() const {
  if (rules != allocate::AllocRules::kOnnxruntime) return pattern::PatternRules::kCutaway;
  return programCounters ? pattern::PatternRules::kOnnxruntimeCounters : pattern::PatternRules::kOnnxruntime;
}

std::string PlanWalk::describeTrial(const OrderTrial& trial, bool hasStandIns) {
  const std::string openDims = hasStandIns ? fmt::format(", open dimensions counted as {}", kStandIn) : std::string();
  if (trial.memoryTaken)
    return fmt::format("the memory order needs {}, the default order {}{}", formatBytes(trial.memoryBytes),
                       formatBytes(trial.defaultBytes), openDims);
  return fmt::format("the memory order ({}) would not be smaller than the default order ({}), which is used{}",
                     formatBytes(trial.memoryBytes), formatBytes(trial.defaultBytes), openDims);
}

PlanWalk::PlanWalk(const Model& model) {
  struct Parent {
    const Graph* graph = nullptr;
    NodeId node;
  };
  std::unordered_map<const Graph*, Parent> parents;
  forEachGraph(model.graph, [&](const Graph& graph) {
    parents.try_emplace(&graph);
    for (NodeId id : graph.nodeIds())
      forEachBody(graph.node(id), [&](const std::string&, const Graph& body) { parents[&body] = {&graph, id}; });
  });
  const std::vector<const Graph*> all = resolve::graphsInReportOrder(model);
  std::unordered_map<const Graph*, size_t> placeOf;
  for (size_t index = 0; index < all.size(); ++index) {
    const auto found = parents.find(all[index]);
    if (found == parents.end()) continue;  // a function's body: called nodes were inlined
    PlannedGraph planned;
    planned.graph = all[index];
    planned.graphIndex = static_cast<int32_t>(index);
    planned.parent = found->second.graph;
    planned.parentNode = found->second.node;
    placeOf.emplace(planned.graph, m_graphs.size());
    m_graphs.push_back(std::move(planned));
  }
  m_families.resize(m_graphs.size());
  for (size_t i = 0; i < m_graphs.size(); ++i) {
    const auto parent = placeOf.find(m_graphs[i].parent);
    if (parent == placeOf.end()) continue;
    m_families[i].parent = parent->second;
    Family& above = m_families[parent->second];
    above.firstBody = std::min(above.firstBody, i);
    above.endOfBodies = i + 1;
  }
}

Result<void> PlanWalk::prepare(const PlanOptions& options,
                               std::span<const std::unique_ptr<ExecutionProvider>> providers,
                               const std::map<std::string, CompiledNode>& compiled, const Progress& progress) {
  m_work.clear();
  m_work.resize(m_graphs.size());
  m_allocateNs = m_patternNs = 0;
  for (size_t i = 0; i < m_graphs.size(); ++i) {
    if (progress.cancelled()) return fail(cancelledError());
    Work& work = m_work[i];
    work.formulas.emplace(*m_graphs[i].graph);
    work.sizes = work.formulas->under(options.dims);
    work.plannedSizes = work.sizes;
    if (work.formulas->hasSymbols()) {
      const std::vector<int64_t> standIns = work.formulas->underAll(kStandIn);
      // One stand-in for all, or the given values for all: a mixture would compare sizes that do not belong together.
      const bool allGiven = std::equal(standIns.begin(), standIns.end(), work.sizes.begin(),
                                       [](int64_t standIn, int64_t given) { return standIn < 0 || given >= 0; });
      work.hasStandIns = !allGiven;
      if (work.hasStandIns) work.plannedSizes = standIns;
    }
    work.hints = rememberedHints(*m_graphs[i].graph, memoryHintsOf(*m_graphs[i].graph, providers, compiled));
  }
  return {};
}

pattern::PatternOptions PlanWalk::patternOptions(size_t index, const schedule::SequentialExecutionPlan& order,
                                                 const PlanOptions& options, const Progress& progress) const {
  pattern::PatternOptions wanted;
  wanted.rules = options.patternRules();
  const Family& family = m_families[index];
  if (family.endOfBodies > 0 && wanted.rules == pattern::PatternRules::kCutaway)
    wanted.bodyNeeds =
        bodyNeedsOf(*m_graphs[index].graph, order,
                    std::span(m_graphs).subspan(family.firstBody, family.endOfBodies - family.firstBody));
  wanted.progress = &progress;
  return wanted;
}

Result<VariantPlan> PlanWalk::planVariants(size_t index, const schedule::SequentialExecutionPlan& order,
                                           const PlanOptions& options, const Progress& progress) {
  const PlannedGraph& planned = m_graphs[index];
  const bool byOnnxruntime = options.rules == allocate::AllocRules::kOnnxruntime;
  allocate::AllocateOptions allocate;
  allocate.rules = options.rules;
  allocate.memoryReuse = options.memoryReuse;
  allocate.inPlace = options.inPlace;
  // Joins and splits in place, values made in outputs: not for several workers, because memory edges do not know that a
  // buffer can hold several values at once.
  allocate.parts = allocate.intoOutputs = !byOnnxruntime && options.workers <= 1;
  allocate.progress = &progress;
  allocate.isLoopBody = planned.parent != nullptr && planned.parent->node(planned.parentNode).opType == "Loop";
  const pattern::PatternOptions pattern = patternOptions(index, order, options, progress);
  CUTAWAY_TRY(VariantPlan plan, planBestVariant({*planned.graph, order, m_work[index].hints, allocate, pattern,
                                                 m_work[index].plannedSizes, !byOnnxruntime && options.memoryPattern}));
  m_allocateNs += plan.allocateNs;
  m_patternNs += plan.patternNs;
  return plan;
}

void PlanWalk::keep(size_t index, VariantPlan plan) {
  PlannedGraph& planned = m_graphs[index];
  planned.allocation = std::move(plan.allocation);
  planned.pattern = std::make_shared<const pattern::MemoryPatternGroup>(std::move(plan.pattern));
  m_work[index].trials = std::move(plan.trials);
  m_work[index].isAllocated = true;
}

// The memory order beside the default order: the smaller peak is taken, the default order on a tie.
Result<void> PlanWalk::chooseOrder(size_t index, schedule::ScheduleOptions wanted, const PlanOptions& options,
                                   const Progress& progress, OrderTrial& trial) {
  PlannedGraph& planned = m_graphs[index];
  wanted.policy = schedule::OrderPolicy::kDefault;
  CUTAWAY_TRY(schedule::SequentialExecutionPlan byDefault, schedule::schedule(*planned.graph, wanted));
  CUTAWAY_TRY(VariantPlan defaultPlan, planVariants(index, byDefault, options, progress));
  CUTAWAY_TRY(VariantPlan memoryPlan, planVariants(index, planned.order, options, progress));
  trial = {memoryPlan.peakBytes, defaultPlan.peakBytes, memoryPlan.peakBytes < defaultPlan.peakBytes};
  if (!trial.memoryTaken) planned.order = std::move(byDefault);
  keep(index, trial.memoryTaken ? std::move(memoryPlan) : std::move(defaultPlan));
  return {};
}

Result<ScheduleReport> PlanWalk::schedule(const PlanOptions& options,
                                          std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                          const std::map<std::string, CompiledNode>& compiled,
                                          const Progress& progress) {
  const Stopwatch watch;
  ScheduleReport report;
  report.order = options.orderMeant();
  CUTAWAY_TRY(const schedule::OrderPolicy policy, schedule::orderPolicyFromName(report.order));
  CUTAWAY_CHECK(prepare(options, providers, compiled, progress));
  report.graphs.resize(m_graphs.size());
  for (size_t i = m_graphs.size(); i-- > 0;) {  // bodies before the graphs around them
    if (progress.cancelled()) return fail(cancelledError());
    PlannedGraph& planned = m_graphs[i];
    schedule::ScheduleOptions wanted;
    wanted.policy = policy;
    wanted.hints = m_work[i].hints;
    wanted.sizes = m_work[i].plannedSizes;
    wanted.workers = planned.parent == nullptr ? options.workers : 1;
    wanted.progress = &progress;
    CUTAWAY_TRY(planned.order, schedule::schedule(*planned.graph, wanted));
    OrderTrial trial;
    if (policy == schedule::OrderPolicy::kMemory && options.rules != allocate::AllocRules::kOnnxruntime) {
      CUTAWAY_CHECK(chooseOrder(i, wanted, options, progress, trial));
      if (planned.parent == nullptr) report.note = describeTrial(trial, m_work[i].hasStandIns);
    }
    wanted.sizes = m_work[i].sizes;
    report.graphs[i] = schedule::describeSchedule(*planned.graph, planned.order, planned.graphIndex, wanted);
  }
  report.timeNs = watch.elapsedNs() - m_allocateNs - m_patternNs;
  return report;
}

Result<AllocateReport> PlanWalk::allocate(const PlanOptions& options, const Progress& progress) {
  const Stopwatch watch;
  const int64_t earlierNs = m_allocateNs, patternBeforeNs = m_patternNs;
  AllocateReport report;
  report.rules = options.rules != allocate::AllocRules::kOnnxruntime ? "cutaway"
                 : options.programCounters                           ? "onnxruntime-counters"
                                                                     : "onnxruntime";
  report.graphs.resize(m_graphs.size());
  for (size_t i = m_graphs.size(); i-- > 0;) {
    if (progress.cancelled()) return fail(cancelledError());
    PlannedGraph& planned = m_graphs[i];
    if (!m_work[i].isAllocated) {
      CUTAWAY_TRY(VariantPlan plan, planVariants(i, planned.order, options, progress));
      keep(i, std::move(plan));
    }
    report.graphs[i] = allocate::describeAllocation(*planned.graph, planned.allocation, planned.graphIndex);
    countKinds(*planned.graph, planned.allocation, report);
    // The plan stays as long as its session; what people read of it, the report has.
    for (allocate::AllocPlanPerValue& value : planned.allocation.values)
      value.reason.clear();
    if (planned.parent == nullptr) report.note = describeTrials(m_work[i].trials);
  }
  if (!report.note.empty() && m_work.front().hasStandIns)
    report.note += fmt::format("; assumed: every open dimension is {}", kStandIn);
  report.timeNs = watch.elapsedNs() + earlierNs - (m_patternNs - patternBeforeNs);
  return report;
}

// Again with the sizes that are known now, where variants were compared with stand-ins, and where that changed what a
// body needs.
Result<bool> PlanWalk::planKnownSizes(size_t index, const PlanOptions& options, bool bodyChanged,
                                      const Progress& progress) {
  PlannedGraph& planned = m_graphs[index];
  if (!m_work[index].hasStandIns && !bodyChanged) return false;
  const pattern::PatternOptions wanted = patternOptions(index, planned.order, options, progress);
  CUTAWAY_TRY(pattern::MemoryPatternGroup group,
              pattern::planPattern(*planned.graph, planned.order, planned.allocation, m_work[index].sizes, wanted));
  planned.pattern = std::make_shared<const pattern::MemoryPatternGroup>(std::move(group));
  return true;
}

Result<PatternReport> PlanWalk::pattern(const PlanOptions& options, const Progress& progress) {
  const Stopwatch watch;
  PatternReport report;
  report.eligible = options.makesPattern();
  if (!options.memoryPattern) {
    report.reason = "the memory pattern is switched off (session.enable_mem_pattern)";
  } else if (!report.eligible) {
    report.reason = "onnxruntime makes no memory pattern for parallel execution";
  }
  std::vector<bool> bodyChanged(m_graphs.size(), false);
  for (size_t i = m_graphs.size(); i-- > 0;) {
    if (progress.cancelled()) return fail(cancelledError());
    CUTAWAY_TRY(const bool changed, planKnownSizes(i, options, bodyChanged[i], progress));
    if (changed && m_families[i].parent < m_graphs.size()) bodyChanged[m_families[i].parent] = true;
  }
  size_t unplanned = 0;
  for (const PlannedGraph& planned : m_graphs) {
    for (GraphPattern& each : pattern::describePattern(*planned.graph, planned.order, planned.allocation,
                                                       *planned.pattern, planned.graphIndex)) {
      unplanned += each.unplanned.size();
      if (planned.parent == nullptr) {
        report.peakBytes += each.peakBytes;
        report.lowerBoundBytes += each.lowerBoundBytes;
        report.naiveBytes += each.naiveBytes;
      }
      report.graphs.push_back(std::move(each));
    }
  }
  report.strategy = strategySentence(report);
  if (report.eligible && unplanned > 0) {
    report.reason = fmt::format(
        "{} {} a size that is not known before running: left out here, planned when the shapes of the feeds are known",
        unplanned, unplanned == 1 ? "buffer has" : "buffers have");
  }
  for (Work& work : m_work) {  // done; the plan stays
    work.formulas.reset();
    work.hints = {};
  }
  report.timeNs = watch.elapsedNs() + m_patternNs;
  return report;
}

}  // namespace cutaway::plan

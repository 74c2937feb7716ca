// Planning again and again on one partition: variants differ in order, rules or sizes only.

#include "engine/study/what_if/compare_plans.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/session/walk/later_stages.h"
#include "engine/session/walk/session_providers.h"

namespace cutaway::study {
namespace {

// One partition of the optimised model, planned as often as asked.
class Planner {
 public:
  Planner(const Model& optimized, const session::SessionOptions& options, const ProviderTable& table,
          Progress& progress)
      : m_model(optimized), m_options(options), m_table(table), m_progress(progress) {
    m_options.prepareRun = false;
  }

  Result<void> partition() {
    CUTAWAY_TRY(m_config, session::readSessionConfig(m_options, m_table));
    CUTAWAY_TRY(m_held.providers, session::createProviders(m_options, m_table));
    WalkReport partitioned;
    CUTAWAY_CHECK(stages(m_options).run(Stage::kPartition, partitioned));
    m_partitioned = std::move(partitioned);
    return {};
  }

  // A plan with these options. What keeps a variant from being planned is its problem; only Cancel ends the whole.
  Result<PlanFigures> figures(const session::SessionOptions& options, const std::string& title) {
    WalkReport walk = m_partitioned;
    m_plans = std::make_unique<plan::PlanWalk>(m_model);
    for (const Stage which : {Stage::kSchedule, Stage::kAllocate, Stage::kPattern}) {
      if (m_progress.cancelled()) return fail(cancelledError());
      m_progress.begin(stageTitle(which), title);
      const Result<void> done = stages(options).run(which, walk);
      if (done) continue;
      if (done.error().code == ErrorCode::kModelLoadCanceled) return fail(done.error());
      PlanFigures failed = planFigures(walk, title);
      failed.problem = describe(done.error());
      return failed;
    }
    return planFigures(walk, title);
  }
  const session::SessionOptions& options() const { return m_options; }

 private:
  session::LaterStages stages(const session::SessionOptions& options) {
    return session::LaterStages{.model = m_model,
                                .providers = m_held.providers,
                                .options = options,
                                .config = m_config,
                                .progress = m_progress,
                                .compiled = m_compiled,
                                .plans = m_plans,
                                .compile = false};
  }

  Model m_model;
  session::SessionOptions m_options;
  const ProviderTable& m_table;
  Progress& m_progress;
  session::SessionConfig m_config;
  session::HeldProviders m_held;
  std::map<std::string, CompiledNode> m_compiled;
  std::unique_ptr<plan::PlanWalk> m_plans;
  WalkReport m_partitioned;
};

std::set<std::string> symbolsOf(const Model& model) {
  std::set<std::string> symbols;
  for (ValueId input : model.graph.inputs()) {
    const ValueType& type = model.graph.value(input).type;
    if (!type.isTensor() || !type.shape) continue;
    for (const Dim& dim : type.shape->dims()) {
      if (dim.isSymbol()) symbols.insert(dim.symbol());
    }
  }
  return symbols;
}

const GraphAllocation* mainAllocation(const WalkReport& walk) {
  return walk.allocate && !walk.allocate->graphs.empty() ? &walk.allocate->graphs.front() : nullptr;
}
const GraphReport* mainGraph(const WalkReport& walk) {
  return walk.partitionedGraphs && !walk.partitionedGraphs->graphs.empty() ? &walk.partitionedGraphs->graphs.front()
                                                                           : nullptr;
}

// Where the pattern puts a value: that of its buffer, plus its part in it.
std::vector<int64_t> offsetsOf(const WalkReport& walk, const GraphAllocation& allocation) {
  std::vector<int64_t> ofRoot(allocation.values.size(), -1);
  if (walk.pattern) {
    for (const GraphPattern& pattern : walk.pattern->graphs) {
      if (pattern.graph != allocation.graph) continue;
      for (const PatternBlock& block : pattern.blocks) {
        if (block.value != kNone && static_cast<size_t>(block.value) < ofRoot.size())
          ofRoot[static_cast<size_t>(block.value)] = block.offset;
      }
    }
  }
  std::vector<int64_t> offsets(allocation.values.size(), -1);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const ValueAllocation& value = allocation.values[i];
    if (value.rootValue == kNone || ofRoot[static_cast<size_t>(value.rootValue)] < 0) continue;
    offsets[i] = ofRoot[static_cast<size_t>(value.rootValue)] + std::max<int64_t>(0, value.partOffset);
  }
  return offsets;
}

// The value of the other side with the same name; most often the same index.
std::vector<int32_t> matchValues(const GraphReport& a, const GraphReport& b) {
  std::vector<int32_t> matches(a.values.size(), kNone);
  std::unordered_map<std::string_view, int32_t> byName;
  for (size_t i = 0; i < a.values.size(); ++i) {
    if (i < b.values.size() && a.values[i].name == b.values[i].name) {
      matches[i] = static_cast<int32_t>(i);
      continue;
    }
    if (byName.empty()) {
      for (size_t other = 0; other < b.values.size(); ++other)
        byName.emplace(b.values[other].name, static_cast<int32_t>(other));
    }
    if (const auto found = byName.find(a.values[i].name); found != byName.end()) matches[i] = found->second;
  }
  return matches;
}

int64_t movedSteps(const WalkReport& a, const WalkReport& b) {
  if (!a.schedule || !b.schedule || a.schedule->graphs.empty() || b.schedule->graphs.empty()) return 0;
  const auto& stepsA = a.schedule->graphs.front().steps;
  const auto& stepsB = b.schedule->graphs.front().steps;
  int64_t moved = 0;
  for (size_t i = 0; i < std::min(stepsA.size(), stepsB.size()); ++i)
    moved += stepsA[i].node != stepsB[i].node ? 1 : 0;
  return moved + static_cast<int64_t>(std::max(stepsA.size(), stepsB.size()) - std::min(stepsA.size(), stepsB.size()));
}

struct PlanSide {
  const GraphReport& graph;
  const GraphAllocation& allocation;
  std::vector<int64_t> offsets;
  std::string bufferOf(const ValueAllocation& value) const {
    return value.rootValue == kNone ? SharedText() : graph.values[static_cast<size_t>(value.rootValue)].name;
  }
};

bool livesDiffer(const ValueAllocation& a, const ValueAllocation& b, bool sameOrder) {
  if (sameOrder) return a.starts != b.starts || a.ends != b.ends;
  // Under another order every step moves: how long a value lives is what matters.
  const auto length = [](const ValueAllocation& value) {
    return value.starts.empty() ? 0 : value.ends.back() - value.starts.front();
  };
  return length(a) != length(b);
}

ValueDifference differenceOf(const PlanSide& a, const PlanSide& b, size_t indexA, size_t indexB) {
  const ValueAllocation& valueA = a.allocation.values[indexA];
  const ValueAllocation& valueB = b.allocation.values[indexB];
  ValueDifference each;
  each.value = static_cast<int32_t>(indexA);
  each.name = a.graph.values[indexA].name;
  each.kindA = valueA.kind, each.kindB = valueB.kind;
  each.ruleA = valueA.rule, each.ruleB = valueB.rule;
  each.bufferA = a.bufferOf(valueA), each.bufferB = b.bufferOf(valueB);
  each.offsetA = a.offsets[indexA], each.offsetB = b.offsets[indexB];
  each.sizeA = valueA.sizeBytes, each.sizeB = valueB.sizeBytes;
  if (!valueA.starts.empty()) each.firstA = valueA.starts.front(), each.lastA = valueA.ends.back();
  if (!valueB.starts.empty()) each.firstB = valueB.starts.front(), each.lastB = valueB.ends.back();
  each.reasonA = valueA.reason, each.reasonB = valueB.reason;
  return each;
}

}  // namespace

PlanFigures planFigures(const WalkReport& walk, std::string title) {
  PlanFigures figures;
  figures.title = std::move(title);
  if (walk.schedule) {
    figures.order = walk.schedule->order;
    figures.planNs += walk.schedule->timeNs;
    if (!walk.schedule->graphs.empty()) {
      figures.criticalPathCost = walk.schedule->graphs.front().criticalPathCost;
      figures.costUnit = walk.schedule->graphs.front().costUnit;
    }
  }
  if (walk.allocate) {
    figures.rules = walk.allocate->rules;
    figures.planNs += walk.allocate->timeNs;
    figures.allocated = walk.allocate->allocated, figures.reused = walk.allocate->reused,
    figures.inPlace = walk.allocate->inPlace, figures.parts = walk.allocate->parts;
    figures.weightsBytes = walk.allocate->weightsBytes;
  }
  if (const GraphAllocation* main = mainAllocation(walk)) {
    for (const ValueAllocation& value : main->values) {
      if (value.kind == AllocKind::kAllocateOutput) figures.outputBytes += std::max<int64_t>(0, value.sizeBytes);
    }
  }
  if (!walk.pattern) return figures;
  figures.planNs += walk.pattern->timeNs;
  figures.peakBytes = walk.pattern->peakBytes, figures.lowerBoundBytes = walk.pattern->lowerBoundBytes,
  figures.naiveBytes = walk.pattern->naiveBytes;
  for (const GraphPattern& pattern : walk.pattern->graphs) {
    figures.unplannedValues += static_cast<int64_t>(pattern.unplanned.size());
    if (walk.schedule == nullptr || walk.schedule->graphs.empty() ||
        pattern.graph != walk.schedule->graphs.front().graph)
      continue;
    figures.liveBytes.resize(std::max(figures.liveBytes.size(), pattern.liveBytes.size()), 0);
    for (size_t step = 0; step < pattern.liveBytes.size(); ++step)
      figures.liveBytes[step] += pattern.liveBytes[step];
  }
  return figures;
}

PlanComparison comparePlans(const WalkReport& a, const WalkReport& b) {
  PlanComparison comparison;
  comparison.a = planFigures(a, "now");
  comparison.b = planFigures(b, "what if");
  comparison.movedSteps = movedSteps(a, b);
  for (const WalkReport* side : {&a, &b}) {
    if (side->pattern && !side->pattern->eligible)
      comparison.warnings.push_back(
          fmt::format("{}: {}", side == &a ? comparison.a.title : comparison.b.title, side->pattern->reason));
  }
  if (!mainAllocation(a) || !mainAllocation(b) || !mainGraph(a) || !mainGraph(b)) {
    comparison.warnings.emplace_back("one side has no allocation plan, so values are not compared");
    return comparison;
  }
  const PlanSide sideA{*mainGraph(a), *mainAllocation(a), offsetsOf(a, *mainAllocation(a))};
  const PlanSide sideB{*mainGraph(b), *mainAllocation(b), offsetsOf(b, *mainAllocation(b))};
  int64_t unmatched = 0;
  const std::vector<int32_t> matches = matchValues(sideA.graph, sideB.graph);
  for (size_t i = 0; i < matches.size() && i < sideA.allocation.values.size(); ++i) {
    const ValueAllocation& valueA = sideA.allocation.values[i];
    if (valueA.kind == AllocKind::kNotSet) continue;
    if (matches[i] == kNone) {
      ++unmatched;
      continue;
    }
    const auto other = static_cast<size_t>(matches[i]);
    const ValueAllocation& valueB = sideB.allocation.values[other];
    const bool same = valueA.kind == valueB.kind && valueA.rule == valueB.rule &&
                      valueA.sizeBytes == valueB.sizeBytes && sideA.bufferOf(valueA) == sideB.bufferOf(valueB) &&
                      !livesDiffer(valueA, valueB, comparison.movedSteps == 0);
    if (same)
      ++comparison.sameValues;
    else
      comparison.values.push_back(differenceOf(sideA, sideB, i, other));
  }
  std::stable_sort(comparison.values.begin(), comparison.values.end(),
                   [](const ValueDifference& x, const ValueDifference& y) {
                     return std::max(x.sizeA, x.sizeB) > std::max(y.sizeA, y.sizeB);
                   });
  if (unmatched > 0)
    comparison.warnings.push_back(
        fmt::format("{} values of one side are not in the other, because the partitions differ", unmatched));
  return comparison;
}

Result<PlanTable> compareOrders(const Model& optimized, const session::SessionOptions& options,
                                const ProviderTable& table, Progress& progress) {
  Planner planner(optimized, options, table, progress);
  CUTAWAY_CHECK(planner.partition());
  PlanTable result;
  result.parameter = "order";
  for (const char* order : {"default", "priority", "fifo", "memory", "onnxruntime"}) {
    session::SessionOptions changed = planner.options();
    if (std::string_view(order) == "default" && changed.planRules != "cutaway") continue;  // onnxruntime's is another
    changed.order = order;
    CUTAWAY_TRY(PlanFigures figures, planner.figures(changed, order));
    figures.order = order;
    result.values.emplace_back(order);
    result.rows.push_back(std::move(figures));
  }
  return result;
}

Result<PlanTable> sweepDimension(const Model& optimized, const session::SessionOptions& options,
                                 const ProviderTable& table, const std::string& dimension,
                                 std::span<const int64_t> values, Progress& progress) {
  const std::set<std::string> symbols = symbolsOf(optimized);
  if (!symbols.contains(dimension)) {
    const bool bound = options.dims.contains(dimension);
    const std::string why = bound             ? "it is bound to one size; leave that away"
                            : symbols.empty() ? "its inputs have no symbolic dimension"
                                              : fmt::format("its inputs have {}", fmt::join(symbols, ", "));
    return fail(ErrorCode::kInvalidArgument, "the model has no open dimension '{}': {}", dimension, why);
  }
  Planner planner(optimized, options, table, progress);
  PlanTable result;
  result.parameter = dimension;
  for (int64_t value : values) {
    if (value < 1) return fail(ErrorCode::kInvalidArgument, "dimension '{}' is 1 or more, not {}", dimension, value);
  }
  CUTAWAY_CHECK(planner.partition());
  for (int64_t value : values) {
    session::SessionOptions changed = planner.options();
    changed.dims[dimension] = value;
    CUTAWAY_TRY(PlanFigures figures, planner.figures(changed, fmt::format("{}={}", dimension, value)));
    result.values.push_back(std::to_string(value));
    result.rows.push_back(std::move(figures));
  }
  return result;
}

}  // namespace cutaway::study

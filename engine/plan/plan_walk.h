#pragma once
// The planning part of the walk: orders, allocations and patterns of the main graph and every body, with their reports.
//
// Bodies are planned before the graphs around them, so that what they need is part of the outer pattern. Allocations
// are made in several variants (plan_variants.h) and the smallest is kept; the memory order is planned beside the
// default order in the same way. The rules of onnxruntime are followed as they are: its own default order, one plan,
// placed by best fit by time, bodies apart, and no pattern for several workers.
// Thread rule: one thread. Example: PlanWalk plans(model);  CUTAWAY_TRY(ScheduleReport report, plans.schedule(options,
// providers, compiled, progress));

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/graph_sizes.h"
#include "engine/plan/plan_variants.h"
#include "engine/plan/planned_graph.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::plan {

struct PlanOptions {
  std::string order = "default";
  allocate::AllocRules rules = allocate::AllocRules::kCutaway;
  bool programCounters = false;  // of the rules of onnxruntime: those of its builds for training
  bool memoryReuse = true;
  bool inPlace = true;
  bool memoryPattern = true;
  int workers = 1;                      // > 1: plans for the dataflow executor
  std::map<std::string, int64_t> dims;  // values for symbols, for sizes only; types keep their symbols

  // "cutaway", "onnxruntime", "onnxruntime-counters"; "reference" is an older name of "onnxruntime".
  // INVALID_ARGUMENT otherwise.
  Result<void> followRules(std::string_view name);
  // The name of an order that is meant: by the rules of onnxruntime its default order is another one.
  std::string_view orderMeant() const;
  pattern::PatternRules patternRules() const;
  bool makesPattern() const { return memoryPattern && !(rules == allocate::AllocRules::kOnnxruntime && workers > 1); }
};

class PlanWalk {
 public:
  // Graphs that run: the main graph and all bodies below it, indexes as in describeGraphs.
  explicit PlanWalk(const Model& model);

  // The three stages, in this order, with the same options. Each report's timeNs is the time of that stage's own work,
  // wherever it was done: comparing variants places blocks while allocating.
  Result<ScheduleReport> schedule(const PlanOptions& options,
                                  std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                  const std::map<std::string, CompiledNode>& compiled, const Progress& progress);
  Result<AllocateReport> allocate(const PlanOptions& options, const Progress& progress);
  Result<PatternReport> pattern(const PlanOptions& options, const Progress& progress);
  const std::vector<PlannedGraph>& graphs() const { return m_graphs; }

 private:
  struct Work {
    std::optional<GraphSizes> formulas;
    std::vector<int64_t> sizes;         // with the values given for symbols, -1: not known
    std::vector<int64_t> plannedSizes;  // what variants are compared with: the same, or with a stand-in for each symbol
                                        // where some have no value
    bool hasStandIns = false;
    MemoryHints hints;
    std::vector<VariantTrial> trials;
    bool isAllocated = false;  // already, because orders were compared
  };
  // Where a graph stands among the others: its bodies lie within firstBody..endOfBodies.
  struct Family {
    size_t parent = SIZE_MAX;
    size_t firstBody = SIZE_MAX;
    size_t endOfBodies = 0;  // 0: none
  };
  struct OrderTrial {
    int64_t memoryBytes = 0;
    int64_t defaultBytes = 0;
    bool memoryTaken = false;
  };
  static std::string describeTrial(const OrderTrial& trial, bool hasStandIns);
  Result<void> prepare(const PlanOptions& options, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                       const std::map<std::string, CompiledNode>& compiled, const Progress& progress);
  pattern::PatternOptions patternOptions(size_t index, const schedule::SequentialExecutionPlan& order,
                                         const PlanOptions& options, const Progress& progress) const;
  Result<VariantPlan> planVariants(size_t index, const schedule::SequentialExecutionPlan& order,
                                   const PlanOptions& options, const Progress& progress);
  void keep(size_t index, VariantPlan plan);
  Result<void> chooseOrder(size_t index, schedule::ScheduleOptions wanted, const PlanOptions& options,
                           const Progress& progress, OrderTrial& trial);
  Result<bool> planKnownSizes(size_t index, const PlanOptions& options, bool bodyChanged, const Progress& progress);

  std::vector<PlannedGraph> m_graphs;
  std::vector<Family> m_families;  // as m_graphs
  std::vector<Work> m_work;        // as m_graphs
  int64_t m_allocateNs = 0;        // spent on allocations before allocate() was called, and so on
  int64_t m_patternNs = 0;
};

}  // namespace cutaway::plan

#pragma once
// The planning part of the walk: orders, allocations and patterns of the main graph and every body, with their reports.
//
// Thread rule: pure. Example: PlanWalk plans(model);  CUTAWAY_TRY(ScheduleReport report, plans.schedule("default", progress));

#include <map>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/runtime/graph_program.h"

namespace cutaway {

struct PlanOptions {
  std::string order = "default";
  AllocRules rules = AllocRules::kCutaway;
  bool memoryReuse = true;
  bool inPlace = true;
  bool memoryPattern = true;
  int workers = 1;                             // > 1: plans for the dataflow executor
  std::map<std::string, int64_t> dims;         // values for symbols, for sizes only; types keep their symbols
};

class PlanWalk {
 public:
  // Graphs that run: the main graph and all bodies below it, indexes as in describeGraphs.
  explicit PlanWalk(const Model& model);

  // The three stages, in this order. The memory order is planned beside the default order, and the smaller peak is taken.
  Result<ScheduleReport> schedule(const PlanOptions& options, std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::map<std::string, CompiledNode>& compiled, const Progress& progress);
  Result<AllocateReport> allocate(const PlanOptions& options, std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::map<std::string, CompiledNode>& compiled, const Progress& progress);
  Result<PatternReport> pattern(const PlanOptions& options, const Progress& progress);
  const std::vector<PlannedGraph>& graphs() const { return m_graphs; }

 private:
  std::vector<PlannedGraph> m_graphs;
};

}  // namespace cutaway

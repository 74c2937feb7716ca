#pragma once
// The planning part of the walk: orders, allocations and patterns of the main graph and every body, with their reports.
//
// Thread rule: pure. Example: PlanWalk plans(model);  CUTAWAY_TRY(ScheduleReport report, plans.schedule("default", progress));

#include <map>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "engine/runtime/graph_program.h"

namespace cutaway {

class PlanWalk {
 public:
  // Graphs that run: the main graph and all bodies below it, indexes as in describeGraphs.
  explicit PlanWalk(const Model& model);

  Result<ScheduleReport> schedule(const std::string& order, const Progress& progress);
  Result<AllocateReport> allocate(std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::map<std::string, CompiledNode>& compiled, bool memoryReuse, const Progress& progress);
  Result<PatternReport> pattern(bool enabled, const Progress& progress);
  const std::vector<PlannedGraph>& graphs() const { return m_graphs; }

 private:
  std::vector<PlannedGraph> m_graphs;
};

}  // namespace cutaway

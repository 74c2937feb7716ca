#include "engine/study/formulas/plan_formulas.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace cutaway::study {
namespace {

constexpr size_t kMostSteps = 5'000, kMostBounds = 3;

CostFormula negated(CostFormula formula) {
  for (auto& [symbols, coefficient] : formula.terms)
    coefficient = -coefficient;
  return formula;
}

// As much or more whatever the dimensions are.
bool atLeast(const CostFormula& a, const CostFormula& b) {
  CostFormula difference = a;
  return difference.add(negated(b)) &&
         std::ranges::all_of(difference.terms, [](const auto& term) { return term.second >= 0; });
}

// The values in each buffer, by its root.
using Occupants = std::unordered_map<int32_t, std::vector<const ValueAllocation*>>;

// Steps in which something in the buffer is needed; its values may take turns.
std::set<int32_t> stepsOf(const Occupants& occupants, int32_t root) {
  std::set<int32_t> steps;
  for (const ValueAllocation* value : occupants.at(root)) {
    for (size_t i = 0; i < value->starts.size(); ++i)
      for (int32_t step = value->starts[i]; step <= value->ends[i]; ++step)
        steps.insert(step);
  }
  return steps;
}

class DevicePlan {
 public:
  DevicePlan(std::string device, size_t steps) : m_live(steps) { m_made.device = std::move(device); }

  void add(const std::optional<CostFormula>& size, const Occupants& occupants, int32_t root) {
    if (!size || !m_made.naive.add(*size)) {
      ++m_made.buffersWithout;
      return;
    }
    for (const int32_t step : stepsOf(occupants, root))
      if (step >= 0 && static_cast<size_t>(step) < m_live.size() && !m_live[static_cast<size_t>(step)].add(*size))
        ++m_made.buffersWithout;
  }

  PlanFormulas finish() && {
    if (m_made.buffersWithout > 0) return std::move(m_made);
    for (const CostFormula& live : m_live) {
      const auto covers = [&](const CostFormula& bound) { return atLeast(bound, live); };
      if (std::ranges::any_of(m_made.bounds, covers)) continue;
      std::erase_if(m_made.bounds, [&](const CostFormula& bound) { return atLeast(live, bound); });
      m_made.bounds.push_back(live);
    }
    if (m_made.bounds.size() > kMostBounds) m_made.bounds.clear();
    return std::move(m_made);
  }

 private:
  PlanFormulas m_made;
  std::vector<CostFormula> m_live;  // by step
};

}  // namespace

std::optional<CostFormula> sizeFormula(const ValueAllocation& value, const std::string& name,
                                       const std::map<std::string, CostFormula>& sizes) {
  if (value.sizeBytes >= 0) return CostFormula::constant(static_cast<double>(value.sizeBytes));
  if (const auto known = sizes.find(name); known != sizes.end()) return known->second;
  return CostFormula::read(value.sizeText);
}

std::vector<PlanFormulas> planFormulas(const WalkReport& walk, const std::map<std::string, CostFormula>& sizes) {
  std::vector<PlanFormulas> made;
  if (!walk.allocate || walk.allocate->graphs.empty() || !walk.partitionedGraphs || !walk.schedule ||
      walk.schedule->graphs.empty() || walk.schedule->graphs.front().steps.size() > kMostSteps)
    return made;
  const GraphAllocation& plan = walk.allocate->graphs.front();
  const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(plan.graph)];
  Occupants occupants;
  for (const ValueAllocation& value : plan.values)
    occupants[value.rootValue].push_back(&value);
  std::map<std::string, DevicePlan> devices;
  for (const ValueAllocation& value : plan.values) {
    if (value.kind != AllocKind::kAllocate || value.rootValue != value.value) continue;
    const auto device =
        devices.try_emplace(value.device, value.device, walk.schedule->graphs.front().steps.size()).first;
    device->second.add(sizeFormula(value, graph.values[static_cast<size_t>(value.value)].name, sizes), occupants,
                       value.value);
  }
  for (auto& [name, device] : devices) {
    PlanFormulas formulas = std::move(device).finish();
    if (formulas.naive.isOpen()) made.push_back(std::move(formulas));
  }
  return made;
}

}  // namespace cutaway::study

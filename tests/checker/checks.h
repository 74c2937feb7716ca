#pragma once
// The parts of the plan checker.
//
// Thread rule: pure. Example: checkStructure(plan, complaints);

#include "tests/checker/plan_checker.h"

namespace cutaway {

class Complaints {
 public:
  template <typename... Args>
  void add(PlanRule rule, fmt::format_string<Args...> format, Args&&... args) {
    if (m_list.size() < kMost) m_list.push_back({rule, fmt::format(format, std::forward<Args>(args)...)});
  }
  bool empty() const { return m_list.empty(); }
  std::vector<PlanViolation> take() { return std::move(m_list); }

 private:
  static constexpr size_t kMost = 50;
  std::vector<PlanViolation> m_list;
};

// Each value's last step at which its content is needed; found from the graph and the order alone. -1: never live.
struct NeededUntil {
  std::vector<int32_t> firstStep;
  std::vector<int32_t> lastStep;
};
NeededUntil neededUntil(const Graph& graph, const SequentialExecutionPlan& order);

bool checkOrder(const PlanToCheck& plan, Complaints& complaints);      // false: nothing else can be checked
bool checkStructure(const PlanToCheck& plan, Complaints& complaints);  // false: roots are broken
void checkContents(const PlanToCheck& plan, Complaints& complaints);
void checkSpace(const PlanToCheck& plan, Complaints& complaints);

}  // namespace cutaway

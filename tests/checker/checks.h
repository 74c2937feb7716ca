#pragma once
// The parts of the plan checker.
//
// Thread rule: pure. Example: const PlanFacts facts(plan);  checkStructure(facts, complaints);

#include "tests/checker/plan_checker.h"
#include "tests/checker/value_places.h"

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

// What all checks look at, found once per plan.
struct PlanFacts {
  explicit PlanFacts(const PlanToCheck& subject);
  const std::string& name(size_t value) const { return plan.graph.value(ValueId{value}).name; }
  const allocate::AllocPlanPerValue& planned(size_t value) const { return plan.allocation.values[value]; }
  const ValueType& type(size_t value) const { return plan.graph.value(ValueId{value}).type; }
  bool isPlaced(size_t value) const {
    return !plan.graph.value(ValueId{value}).removed && planned(value).kind != AllocKind::kNotSet;
  }
  const NodeMemoryHints& hintsOf(NodeId node) const { return hints[node.index()]; }
  int32_t stepOf(NodeId node) const { return plan.order.stepOfNode[node.index()]; }

  void keepUnreadBuffers(int32_t last);

  const PlanToCheck& plan;
  std::vector<NodeMemoryHints> hints;  // by node
  std::vector<int32_t> firstStep;      // by value: when its content begins to be needed; -1: never
  std::vector<int32_t> lastStep;       // by value: the last step that may start while it is needed
  ValueSizes sizes;
  ValuePlaces places;
};

// Does a hint of this kind lead from an input of the producer of `value` to it, the input being `input`?
bool hintLeads(const PlanFacts& facts, size_t value, AliasKind kind, ValueId input);
// The producer of `value` writes bytes (it does not just look at bytes that are there).
bool isWritten(const PlanFacts& facts, size_t value);

bool checkOrder(const PlanToCheck& plan, Complaints& complaints);  // false: nothing else can be checked
bool checkRoots(const PlanToCheck& plan,
                Complaints& complaints);  // false: chains of reused buffers are broken, nothing else can be checked
void checkStructure(const PlanFacts& facts, Complaints& complaints);
void checkLives(const PlanFacts& facts, Complaints& complaints);  // counters and releases
void checkParts(const PlanFacts& facts, Complaints& complaints);
void checkOnnxruntimeRules(const PlanFacts& facts, Complaints& complaints);
void checkContents(const PlanFacts& facts, Complaints& complaints);
void checkSpace(const PlanFacts& facts, Complaints& complaints);

// `later` is `value`, or made from it in the same place by views and in-place steps alone.
bool seenAs(const PlanFacts& facts, size_t value, size_t later);
// What lies in the place of `value` in the end (the graph output, or the input of the join) is made from it there.
bool becomesPlace(const PlanFacts& facts, size_t value);
// Shared by the walk over steps and the proof by edges.
// The node of `written` reads `read`, whose place is exactly where `written` goes, through one slot with a hint that
// allows it.
bool mayOverwrite(const PlanFacts& facts, size_t written, size_t read);
// `part` lies in an input's place inside `joined`, or deeper inside of one: the join that produces `joined` leaves it
// where it is.
bool isPartOfJoin(const PlanFacts& facts, size_t joined, size_t part);

}  // namespace cutaway

#include "engine/execute/program/fetch_plan.h"

#include <algorithm>
#include <set>

#include "engine/base/name_hint.h"

namespace cutaway::execute {
namespace {

// Every value that a step reads: its inputs, and what its bodies take from around them.
template <typename Visit>
void forEachRead(const StepProgram& step, Visit&& visit) {
  for (const int32_t input : step.inputs) {
    if (input != kAbsent) visit(static_cast<uint32_t>(input));
  }
  for (const BodyProgram& body : step.bodies) {
    for (const CapturedValue& captured : body.captured)
      visit(captured.inParent);
  }
}

bool isPooled(AllocKind kind) {
  return kind == AllocKind::kAllocate || kind == AllocKind::kAllocatedExternally;
}

}  // namespace

Result<std::shared_ptr<const FetchPlan>> FetchPlans::find(const std::vector<std::string>& outputs,
                                                          const std::vector<std::string>& keep,
                                                          const std::shared_ptr<const FetchPlan>& recent) {
  const auto isIt = [&](const std::shared_ptr<const FetchPlan>& plan) {
    return plan->outputs == outputs && plan->keep == keep;
  };
  if (recent != nullptr && isIt(recent)) return recent;
  {
    const std::scoped_lock lock(m_mutex);
    const auto found = std::ranges::find_if(m_plans, isIt);
    if (found != m_plans.end()) {
      m_plans.splice(m_plans.begin(), m_plans, found);
      return m_plans.front();
    }
  }
  CUTAWAY_TRY(auto made, make(outputs, keep));
  const std::scoped_lock lock(m_mutex);
  m_plans.push_front(made);
  if (m_plans.size() > kCapacity) m_plans.pop_back();
  return made;
}

Result<std::shared_ptr<const FetchPlan>> FetchPlans::make(const std::vector<std::string>& outputs,
                                                          const std::vector<std::string>& keep) const {
  auto plan = std::make_shared<FetchPlan>();
  plan->outputs = outputs;
  plan->keep = keep;
  CUTAWAY_CHECK(placeOutputs(*plan));
  CUTAWAY_CHECK(selectKept(*plan));
  if (!outputs.empty()) selectSteps(*plan);
  return plan;
}

Result<void> FetchPlans::placeOutputs(FetchPlan& plan) const {
  const Graph& graph = *m_program.graph;
  const auto nameAt = [&](uint32_t place) -> const std::string& {
    return graph.value(ValueId{m_program.outputs[place]}).name;
  };
  const auto count = static_cast<uint32_t>(m_program.outputs.size());
  if (plan.outputs.empty()) {
    for (uint32_t place = 0; place < count; ++place)
      plan.places.push_back(place);
    return {};
  }
  std::set<std::string> seen;
  for (const std::string& name : plan.outputs) {
    if (!seen.insert(name).second)
      return fail(
          atValue(Error{ErrorCode::kInvalidArgument, fmt::format("output '{}' is asked for twice", name), {}}, name));
    uint32_t place = 0;
    while (place < count && nameAt(place) != name)
      ++place;
    if (place == count) {
      std::vector<std::string> names;
      for (uint32_t each = 0; each < count; ++each)
        names.push_back(nameAt(each));
      return fail(
          atValue(Error{ErrorCode::kInvalidArgument,
                        fmt::format("the model has no output '{}'; {}", name, nameHint("its outputs are", name, names)),
                        {}},
                  name));
    }
    plan.places.push_back(place);
  }
  return {};
}

Result<void> FetchPlans::selectKept(FetchPlan& plan) const {
  if (plan.keep.empty()) return {};
  const Graph& graph = *m_program.graph;
  plan.kept.assign(graph.valueSlots(), false);
  for (const std::string& name : plan.keep) {
    if (name == "all") {
      plan.kept.assign(graph.valueSlots(), true);
      continue;
    }
    const ValueId id = graph.findValue(name);
    if (!id.valid() || !graph.value(id).producer.valid()) {
      std::vector<std::string> names;
      for (ValueId each : graph.valueIds()) {
        if (graph.value(each).producer.valid()) names.push_back(graph.value(each).name);
      }
      return fail(atValue(Error{ErrorCode::kInvalidArgument,
                                fmt::format("value '{}' cannot be kept: no node of the graph that runs makes it (it "
                                            "may have been fused or folded away); {}",
                                            name, nameHint("its values are", name, names)),
                                {}},
                          name));
    }
    plan.kept[id.index()] = true;
  }
  return {};
}

void FetchPlans::selectSteps(FetchPlan& plan) const {
  std::vector<bool> wanted(m_program.values.size(), false);
  for (const uint32_t place : plan.places)
    wanted[m_program.outputs[place]] = true;
  // "all" keeps what runs anyway; values named one by one must run.
  const bool all = std::ranges::find(plan.keep, "all") != plan.keep.end();
  for (size_t value = 0; !all && value < plan.kept.size(); ++value) {
    if (plan.kept[value]) wanted[value] = true;
  }
  std::vector<bool> runs(m_program.steps.size(), false);
  for (size_t index = m_program.steps.size(); index-- > 0;) {
    const StepProgram& step = m_program.steps[index];
    runs[index] = std::ranges::any_of(
        step.outputs, [&](int32_t output) { return output != kAbsent && wanted[static_cast<size_t>(output)]; });
    if (runs[index]) forEachRead(step, [&](uint32_t value) { wanted[value] = true; });
  }
  plan.everything = std::ranges::find(runs, false) == runs.end();
  if (plan.everything) return;
  std::vector<int32_t> lastStep(m_program.values.size(), -1);  // by root
  const auto touch = [&](uint32_t value, size_t at) {
    lastStep[m_program.values[value].root] = static_cast<int32_t>(at);
  };
  for (size_t index = 0; index < runs.size(); ++index) {
    if (!runs[index]) continue;
    const size_t at = plan.list.steps.size();
    plan.list.steps.push_back(static_cast<uint32_t>(index));
    forEachRead(m_program.steps[index], [&](uint32_t value) { touch(value, at); });
    for (const int32_t output : m_program.steps[index].outputs) {
      if (output != kAbsent) touch(static_cast<uint32_t>(output), at);
    }
  }
  std::vector<std::vector<uint32_t>> released(plan.list.steps.size());
  size_t count = 0;
  for (uint32_t root = 0; root < lastStep.size(); ++root) {
    if (lastStep[root] < 0 || !isPooled(m_program.values[root].kind)) continue;
    released[static_cast<size_t>(lastStep[root])].push_back(root);
    ++count;
  }
  plan.list.releasedIndexes.reserve(count);  // spans point into it
  for (const std::vector<uint32_t>& each : released) {
    const size_t first = plan.list.releasedIndexes.size();
    plan.list.releasedIndexes.insert(plan.list.releasedIndexes.end(), each.begin(), each.end());
    plan.list.released.push_back({plan.list.releasedIndexes.data() + first, each.size()});
  }
}

}  // namespace cutaway::execute

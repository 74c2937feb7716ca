#pragma once
// Partial fetches: which steps the wanted outputs and kept values need, and what is released after which of them.
//
// A value is released after its last reader that runs. Plans are cached by the names asked for, the least recently used
// dropped first; a run that asks for the same as the run before it on its frame looks nothing up and takes no lock.
// Thread rule: FetchPlans from any thread; plans are immutable.
// Example: CUTAWAY_TRY(auto plan, plans.find(options.outputs, options.keepValues, held.fetch));
// frame.useSteps(plan->steps());

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/execute/program/graph_program.h"

namespace cutaway::execute {

struct FetchPlan {
  std::vector<std::string> outputs;  // as asked; empty: all, in model order
  std::vector<std::string> keep;
  std::vector<uint32_t> places;  // of the wanted outputs, among the program's
  std::vector<bool> kept;        // by value; empty: none
  StepList list;                 // when not everything runs
  bool everything = true;

  const StepList* steps() const { return everything ? nullptr : &list; }
};

class FetchPlans {
 public:
  static constexpr size_t kCapacity = 8;
  explicit FetchPlans(const GraphProgram& program) : m_program(program) {}

  // INVALID_ARGUMENT for an output or value that is not there (the nearest names are told) or is named twice. recent:
  // the plan of the frame's run before; may be null.
  Result<std::shared_ptr<const FetchPlan>> find(const std::vector<std::string>& outputs,
                                                const std::vector<std::string>& keep,
                                                const std::shared_ptr<const FetchPlan>& recent);

 private:
  Result<std::shared_ptr<const FetchPlan>> make(const std::vector<std::string>& outputs,
                                                const std::vector<std::string>& keep) const;
  Result<void> placeOutputs(FetchPlan& plan) const;
  Result<void> selectKept(FetchPlan& plan) const;
  void selectSteps(FetchPlan& plan) const;

  const GraphProgram& m_program;
  std::mutex m_mutex;
  std::list<std::shared_ptr<const FetchPlan>> m_plans;  // most recently used first
};

}  // namespace cutaway::execute

#pragma once
// The stages from partition to pattern on an optimised model in hand: what the walk and what-if share.
//
// Thread rule: one thread. Example: CUTAWAY_CHECK(LaterStages{...}.run(Stage::kPartition, snapshot));

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/plan_walk.h"
#include "engine/report/provider_choice.h"
#include "engine/session/configuration/session_config.h"
#include "engine/session/session.h"

namespace cutaway::session {

struct LaterStages {
  Model& model;
  std::vector<std::unique_ptr<ExecutionProvider>>& providers;  // given up when partition fails
  const SessionOptions& options;
  const SessionConfig& config;
  Progress& progress;
  std::map<std::string, CompiledNode>& compiled;  // filled by partition
  std::unique_ptr<plan::PlanWalk>& plans;         // made by partition, used by the stages behind it
  const ProviderChoice* choice = nullptr;         // of a list that says auto; nullptr: the user named the providers
  bool compile = true;                            // false: groups are formed and nothing is compiled
  std::shared_ptr<const partition::CapturedGroups>* captured =
      nullptr;  // gets what an export needs; nullptr: there will be none

  // which: kPartition to kPattern, in this order. Adds the stage's report to the snapshot.
  Result<void> run(Stage which, WalkReport& snapshot) const;

 private:
  Result<plan::PlanOptions> planOptions() const;
  partition::PartitionOptions partitionOptions(const WalkReport& snapshot) const;
  Result<void> partition(WalkReport& snapshot) const;
};

}  // namespace cutaway::session

#pragma once
// Everything one walk found out, stage by stage; what the windows and the command line read.
//
// A WalkReport grows as stages finish: each step publishes a new WalkReport that shares the finished parts.
// Thread rule: immutable once published.
// Example: if (walk->optimize) showHeadline(stageHeadline(*walk, Stage::kOptimize));

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/report/context_report.h"
#include "engine/report/cost_report.h"
#include "engine/report/graph_report.h"
#include "engine/report/partition_report.h"
#include "engine/report/plan_reports.h"
#include "engine/report/provider_choice.h"
#include "engine/report/run_report.h"
#include "engine/report/stage_reports.h"

namespace cutaway {

class PackedModel;

enum class Stage : uint8_t { kLoad, kResolve, kOptimize, kPartition, kSchedule, kAllocate, kPattern, kRun, kContext };
inline constexpr int kStageCount = 9;
const char* stageId(
    Stage stage);  // "load", "resolve", "optimize", "partition", "schedule", "allocate", "pattern", "run", "context"
const char* stageTitle(Stage stage);  // "Load", "Inputs & outputs", "Optimize", "Partition", "Order", "Allocation",
                                      // "Pattern", "Run", "Context"

enum class StageState : uint8_t { kWaiting, kRunning, kDone, kFailed, kCancelled };

struct StageStatus {
  StageState state = StageState::kWaiting;
  int64_t timeNs = 0;
};

struct WalkReport {
  std::array<StageStatus, kStageCount> stages{};
  std::optional<Error> error;  // of the stage that failed

  std::shared_ptr<const LoadReport> load;
  std::shared_ptr<const ModelGraphs>
      loadedGraphs;  // set by load (types as declared), replaced by resolve (types inferred)
  std::shared_ptr<const ResolveReport> resolve;
  std::shared_ptr<const OptimizeReport> optimize;
  std::shared_ptr<const ModelGraphs> optimizedGraphs;  // before partitioning
  std::shared_ptr<const CostReport> loadedCosts;       // of loadedGraphs, once resolved; of the other graphs below
  // The model as it was loaded, for who studies it without reading the file again; weights are shared, binaries of
  // context nodes left out; packed, whoever needs it unpacks it. Where loadedCosts are open and the session was made to
  // be looked at, while that lives.
  std::weak_ptr<const PackedModel> loadedModel;
  std::shared_ptr<const CostReport> optimizedCosts;
  std::shared_ptr<const CostReport> partitionedCosts;
  std::shared_ptr<const PartitionReport> partition;
  std::shared_ptr<const ProviderChoice> choice;          // set with partition: its list of providers
  std::shared_ptr<const ModelGraphs> partitionedGraphs;  // with providers, fused nodes and copies; plans refer to these
  std::shared_ptr<const ScheduleReport> schedule;
  std::shared_ptr<const AllocateReport> allocate;
  std::shared_ptr<const PatternReport> pattern;
  std::shared_ptr<const RunReport> run;
  std::shared_ptr<const ContextReport> context;  // set with partition: what could be kept, what the model's context
                                                 // nodes are; written files after an export
  std::shared_ptr<const std::vector<TraceSpan>> creation;  // spans of making the session, from the start of load:
                                                           // stages, passes, providers, kernels; set when it is ready
};

// The ribbon's figure for a stage: "187 -> 92 nodes", "2 providers, 5 groups", "peak 3.1 MB, bound 3.0 MB"; empty while
// it is not done.
std::string stageHeadline(const WalkReport& walk, Stage stage);

}  // namespace cutaway

#pragma once
// Report of schedule: the order of the nodes, what runs on which stream, what waits for what, and how long the longest
// chain is.
//
// Thread rule: immutable once published. Node indexes are those of the partitioned graphs; steps count from 0 in
// execution order. Example: const GraphSchedule& main = report.graphs[0];  for (int32_t node : main.criticalPath)
// mark(node);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct ScheduleStep {
  int32_t node = 0;
  int32_t stream = 0;
  int64_t cost = 1;     // in GraphSchedule::costUnit
  int64_t slack = 0;    // how much later the node may end before the whole takes longer; 0 on the critical path
  int32_t worker = 0;   // lane it was planned for; 0 in sequential plans
  int32_t endStep = 0;  // the last step that may start before this one has ended: the step itself in sequential plans
};

// What a stream does, in its order (onnxruntime/core/framework/allocation_planner.cc, BuildExecutionPlan).
enum class StreamCommandKind : uint8_t {
  kLaunchKernel,
  kBarrier,
  kWaitOnEp,
  kActivateNotification,
  kTriggerDownstream
};
const char* streamCommandName(StreamCommandKind kind);  // "LaunchKernel", "Barrier", ...
struct StreamCommand {
  StreamCommandKind kind = StreamCommandKind::kLaunchKernel;
  int32_t step = kNone;  // LaunchKernel: which; ActivateNotification, TriggerDownstream: the step they follow; Barrier,
                         // WaitOnEP: the step they hold back
  int32_t notification = kNone;  // WaitOnEP, ActivateNotification; Barrier and TriggerDownstream: number of the barrier
};
struct StreamReport {
  std::string name;  // provider and device: "cuda:0"
  std::string device;
  std::vector<StreamCommand> commands;
};

struct GraphSchedule {
  int32_t graph = 0;
  std::vector<ScheduleStep> steps;
  std::vector<std::string> streams;       // name of each stream
  std::vector<StreamReport> streamPlans;  // one per stream
  std::vector<int32_t> criticalPath;      // node indexes, first to last
  std::string costUnit = "nodes";         // "nodes", "work" (max(FLOP, 8 x bytes)), "ns" (measured)
  int64_t criticalPathCost = 0;
  int64_t totalCost = 0;
  int32_t width = 1;  // most nodes that could run at once (by level)
  std::vector<int64_t>
      liveBytes;           // per step, activations alive after in-place use, unrounded; empty where sizes are open
  int64_t peakBytes = -1;  // largest of them; -1: sizes are open
};
struct ScheduleReport {
  std::string order;  // "default", "fifo", "priority", "memory", "onnxruntime"
  std::string
      note;  // what there is to say: "the memory order would not be smaller than the default order, which is used"
  std::vector<GraphSchedule> graphs;
  int64_t timeNs = 0;
};

}  // namespace cutaway

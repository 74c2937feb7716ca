#pragma once
// Streams: one per device, and what each does in its order: launches, and the waits between streams
// (onnxruntime/core/framework/allocation_planner.cc, BuildExecutionPlan).
//
// A node that reads what another stream made waits for it: a Barrier that the producer's stream trips
// (TriggerDownstream), and, when the producer's device works on its own (not the CPU), a notification
// (ActivateNotification, WaitOnEP) as well. Shape and Size read no data and need no notification. Of several producers
// in one stream the last is waited for, once. Thread rule: pure. Linear in nodes + edges. Example: const
// std::vector<StreamReport> streams = streamPlans(graph, plan, devices);

#include "engine/stages/schedule/schedule.h"

namespace cutaway::schedule {

// By node index.
std::vector<Device> nodeDevices(const Graph& graph, const MemoryHints& hints);
// Fills ExecutionStep::stream and SequentialExecutionPlan::streams. Without hints streams go by provider.
void assignStreams(const Graph& graph, const MemoryHints& hints, SequentialExecutionPlan& plan);
std::vector<StreamReport> streamPlans(const Graph& graph, const MemoryHints& hints,
                                      const SequentialExecutionPlan& plan);

}  // namespace cutaway::schedule

#pragma once
// What the user's policies say about a finished assignment (onnxruntime/core/framework/graph_partitioner.cc and
// onnxruntime_session_options_config_keys.h).
//
// Thread rule: pure over the report in hand. Example: CUTAWAY_CHECK(checkCpuFallback(report, askedGraphs, "cpu"));

#include <string>

#include "engine/base/result.h"
#include "engine/report/partition_report.h"

namespace cutaway::partition {

// session.disable_cpu_ep_fallback: FAIL by policy when any node is on the CPU or on nobody, with their number and the
// first of them with everybody's reasons.
// last: the provider that takes the rest.
Result<void> checkCpuFallback(const PartitionReport& report, const ModelGraphs& askedGraphs, const std::string& last);

// "7 of 40 nodes are not on npu, the preferred provider: gpu 3, cpu 4"; empty when all are, or when there is no choice.
std::string placementWarning(const PartitionReport& report);

// "; npu: no kernel for Resize; cpu: ..." of everybody who did not take the node.
std::string reasonsAgainst(const NodePlacement& node);

}  // namespace cutaway::partition

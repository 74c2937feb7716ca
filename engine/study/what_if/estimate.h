#pragma once
// Estimated time of a partition by the roofline model: a node takes what its operations or its bytes take, whichever is
// longer, and something to start it.
//
// Roofline: S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore
// architectures", 2009. Nodes, launches (one per node, or one per compiled group) and copies follow one another; what
// devices do at the same time is not credited. Thread rule: pure. Example: estimateTimes(walk, {.cpu = speed,
// .providers = declared}, comparison.a);

#include <map>
#include <optional>

#include "engine/provider/execution_provider.h"
#include "engine/report/partition_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::study {

struct SpeedTable {
  DeviceSpeed cpu;
  // By provider name: what it declares; nullopt: it computes on this CPU. A simulated provider without speeds has no
  // estimate.
  std::map<std::string, std::optional<DeviceSpeed>> providers;
};

// Time of one node on a device, without its launch; -1: its sizes are open or the device's speeds unknown. Operators
// that only move data read no more weights than they write.
double nodeTimeNs(const NodePlacement& node, const DeviceSpeed& speed);

// Fills estimatedNs of the figures and of their providers, and estimatedCopyNs. Up to a tenth of the nodes may be
// without known sizes (a warning counts them); beyond that the estimate is -1.
void estimateTimes(const WalkReport& walk, const SpeedTable& speeds, PartitionFigures& figures);

}  // namespace cutaway::study

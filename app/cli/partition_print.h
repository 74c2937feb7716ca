#pragma once
// The partition report as text: order of priority, refusals by cause, groups, the copy ledger, one node's answers, and
// two partitions side by side.
//
// Thread rule: the main thread. Example: printPartition(*walk);  CUTAWAY_CHECK(printRefusalInspector(*walk, "conv1"));

#include <string>

#include "engine/report/partition_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {

// "2.3 GFLOP"; -1: "unknown".
std::string formatFlops(int64_t flops);

void printPartition(const WalkReport& walk);
// Every node with every answer.
void printPlacements(const WalkReport& walk);
// Every provider's answer about one node, in order of priority. INVALID_ARGUMENT when no node of that name was asked
// about.
Result<void> printRefusalInspector(const WalkReport& walk, const std::string& name);

void printComparison(const PartitionComparison& comparison);

}  // namespace cutaway::cli

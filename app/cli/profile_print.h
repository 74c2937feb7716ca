#pragma once
// Profiles as text: the run in a few lines, operators and nodes in tables, two profiles compared.
//
// Thread rule: the main thread. Example: printProfile(*walk);

#include "engine/report/run_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {

// walk.run and walk.partitionedGraphs are there.
void printProfile(const WalkReport& walk);
// isSimulated: one of the two ran on simulated hardware, so nothing is said about which was faster.
void printComparison(const RunComparison& comparison, bool isSimulated);

}  // namespace cutaway::cli

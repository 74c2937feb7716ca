#pragma once
// Devices that work on their own, as text: memory, copies with their bandwidth, and what is replayed.
//
// Thread rule: the main thread. Example: printDevices(report);  printSegmentBreaks(walk);

#include "engine/report/walk_report.h"

namespace cutaway::cli {

// One line: whose times are those of a simulator. Nothing without names.
void putSimulated(const std::vector<std::string>& providers);
// Nothing where there is none.
void printDevices(const RunReport& run);
// The nodes that end captured segments, with the reason, by reason.
void printSegmentBreaks(const WalkReport& walk);

}  // namespace cutaway::cli

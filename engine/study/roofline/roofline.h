#pragma once
// The roofline of a run: what processor and memory allow beside what its nodes took, and what the rest was spent on.
//
// Roofs are bounds from below: bytes are counted once and at the speed of the cache they would fit into, operations at
// the speed of a large matrix product. Winograd's convolutions need fewer multiplications than are counted and may come
// out above it. Thread rule: rateRun is pure; the first measurement of a thread count takes about 150 ms. Example:
//   const RooflineReport report = study::rooflineOf(*walk, table);

#include "engine/provider/execution_provider.h"
#include "engine/report/roofline_report.h"
#include "engine/report/walk_report.h"

namespace cutaway::study {

// Once per process and thread count. table: cpu is in it.
RooflineBasis measureRoofline(const ProviderTable& table, int threads);
RooflineReport rateRun(const RunReport& run, const RooflineBasis& basis);
// Of the walk's run, measuring what is needed. There is none for a run read from a file, or with simulated providers.
RooflineReport rooflineOf(const WalkReport& walk, const ProviderTable& table);

}  // namespace cutaway::study

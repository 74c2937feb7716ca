#pragma once
// Profiles beyond one run: traces of the reference engine read back, and two profiles compared.
//
// Thread rule: pure. Example: CUTAWAY_TRY(RunReport run, readTrace(bytes, "profile.json", *walk));  auto painted = withRun(*walk, std::move(run));

#include <string>
#include <string_view>

#include "engine/report/run_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway {

// A Chrome trace written by onnxruntime (engine-behavior 6.6) or by Cutaway, laid on the graph of `walk`: events find their node by name ("conv1_kernel_time"), then by operator and node_index. Several runs in one file give
// means. Unmatched events stay as spans without a node, and are counted in executorReason. INVALID_ARGUMENT, naming the line or event, when it is no such trace.
Result<RunReport> readTrace(std::string_view json, const std::string& file, const WalkReport& walk);

// graphs: those the reports refer to (partitioned graphs; may be the same).
RunComparison compareRuns(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b, const ModelGraphs& graphsB);

}  // namespace cutaway

#pragma once
// Profiles beyond one run: traces of onnxruntime read back, and two profiles compared.
//
// Thread rule: pure. Example: CUTAWAY_TRY(RunReport run, readTrace(bytes, "profile.json", *walk));  auto painted =
// withRun(*walk, std::move(run));

#include <iosfwd>
#include <string>
#include <string_view>

#include "engine/report/run_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::profile {

// A Chrome trace written by onnxruntime (onnxruntime/core/common/profiler.cc) or by Cutaway, laid on the graph of
// `walk`: events find their node by name ("conv1_kernel_time"), then by operator and node_index. Several runs in one
// file give means. Unmatched events stay as spans without a node, and are counted in executorReason. INVALID_ARGUMENT,
// naming the line or event, when it is no such trace.
Result<RunReport> readTrace(std::string_view json, const std::string& file, const WalkReport& walk);

// graphs: those the reports refer to (partitioned graphs; may be the same).
RunComparison compareRuns(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b,
                          const ModelGraphs& graphsB);

// A profile on its own, without the model: the report, and graphs that hold no more than the names and operators of the
// nodes it times.
struct SavedProfile {
  std::string model;
  RunReport run;
  ModelGraphs graphs;
  std::vector<std::string> simulated{};  // providers that computed on hardware that is not here
};
// Where a side has such providers no difference counts as significant, and a warning says why.
void leaveSimulatedOut(RunComparison& comparison, const SavedProfile& a, const SavedProfile& b);
// As JSON ("kind": "cutaway profile"); the timeline is left out.
std::string saveProfile(const WalkReport& walk);
// INVALID_ARGUMENT naming the file when it is no such text.
Result<SavedProfile> readProfile(std::string_view text, const std::string& file);

// A Chrome trace with onnxruntime's keys (onnxruntime/core/common/profiler.cc), written event by event; names escaped.
// Session creation first, then the fastest profiled run with lanes, bodies, parts of kernels and memory counters.
void writeChromeTrace(const WalkReport& walk, std::ostream& out);
std::string chromeTrace(const WalkReport& walk);

}  // namespace cutaway::profile

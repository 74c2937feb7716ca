#pragma once
// Groups are compiled, and run once on zeros, in the process that asks OpenVINO before the program compiles them: a
// fault of OpenVINO ends that process and not the program.
//
// Constants beyond what is sent are zeros there. A trial says nothing where no such process can be had, where it runs
// short of memory, and of groups that are too large for it. Thread rule: any thread. Example:
//   const std::string problem = trialProblem(asker, triedGroups(), {graph, opsets, settings, machine}, progress);

#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/tried_groups.h"

namespace cutaway::openvino {

struct GroupToTry {
  const Graph& graph;
  const std::vector<OpsetImport>& opsets;
  CompileSettings settings;
  std::string machine;  // build, device and processor, in words
};

// Constants and values of known size of a group that is tried.
inline constexpr int64_t kMostTriedBytes = int64_t{1} << 30;

// What OpenVINO died of; empty: it came through, or the trial says nothing. `progress` was cancelled: of no use.
std::string trialProblem(SeparateAsker& asker, TriedGroups& tried, const GroupToTry& group, const Progress& progress);

}  // namespace cutaway::openvino

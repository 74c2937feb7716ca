#pragma once
// Two profiles of one model: which nodes became faster or slower, and whether that is more than noise.
//
// Thread rule: immutable once made. Nodes are matched by graph and name, or by index where names are missing.
// Example: const RunComparison comparison = compareRuns(before, beforeGraphs, after, afterGraphs);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct NodeTimeDifference {
  std::string name;
  std::string opType;
  int32_t graph = 0;
  int32_t nodeA = kNone, nodeB = kNone;  // kNone: not on that side
  int64_t aNs = 0, bNs = 0;              // median of the runs
  double lowNs = 0, highNs = 0;          // 95 % confidence interval of b - a (Welch)
  bool significant = false;              // the interval does not contain 0
};
struct RunComparison {
  std::string titleA, titleB;
  double medianAMs = 0, medianBMs = 0;
  double lowMs = 0, highMs = 0;           // 95 % confidence interval of the difference of the medians' runs (b - a)
  double pValue = 1;                      // Mann-Whitney U, two-sided: the runs come from the same distribution
  bool significant = false;               // p < 0.05
  std::vector<NodeTimeDifference> nodes;  // largest absolute difference first
  int64_t onlyA = 0, onlyB = 0;
  std::vector<std::string> warnings;
};

}  // namespace cutaway

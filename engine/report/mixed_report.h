#pragma once
// Which nodes of a quantised model must stay float for its results to come close enough to the float model's.
//
// Thread rule: immutable once made. Example: for (const MixedNode& node : report.nodes) if (node.together >= 0) ...

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway {

// Errors are those of the worst output: root mean square of the difference over root mean square of the float model's.
struct MixedNode {
  std::string node, opType;
  double alone = 0;      // error with this node alone kept float
  double together = -1;  // with it and those kept before it; -1: it is not kept
};

struct MixedReport {
  double goal = 0;
  double quantisedError = 0;     // nothing kept
  double mixedError = 0;         // of the mixed model
  std::vector<MixedNode> nodes;  // quantised nodes that were tried, the least error alone first
  int64_t kept = 0;
  int64_t runs = 0;  // of changed models
  std::vector<std::string> warnings;
  bool reached() const { return mixedError <= goal; }
};

}  // namespace cutaway

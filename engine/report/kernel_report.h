#pragma once
// Which kernel every node runs by, chosen before anything runs, and what the rows of the table that were asked before
// it said.
//
// Thread rule: immutable once published.
// Example: for (const NodeKernel& node : report.nodes) show(node.variant, node.refused);

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway {

// A row of the provider's table of kernels that did not make one. Rows stand in the order of preference.
struct RowRefusal {
  std::string fastPath;  // the best it has: "onednn", "highway", "threads"; empty: the reference loop
  std::string reason;
};

struct NodeKernel {
  int32_t graph = 0;  // of the partitioned graphs
  int32_t node = 0;
  std::string name;
  std::string opType;
  std::string provider;
  std::string variant;              // "onednn:brgconv_avx512", "highway", "reference"
  std::string fastPath;             // the best its row has, as above
  std::vector<RowRefusal> refused;  // asked before, in order
  int64_t packedBytes = 0;          // constants it holds in a layout of its own
  bool compiled = false;            // its provider compiled it or copies with it: there is no table of kernels

  // The row has a faster loop than the one that this node gets.
  bool missesFastPath() const { return !fastPath.empty() && variant == "reference"; }
};

struct KernelReport {
  std::vector<NodeKernel> nodes;  // in the order of making: main graph first
};

}  // namespace cutaway

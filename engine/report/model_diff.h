#pragma once
// Two models compared: which nodes and values are the same, changed, or only on one side, found by names and by
// structure.
//
// Thread rule: immutable once published. Example: for (const NodeDiff& node : diff.nodes) if (node.kind ==
// DiffKind::kChanged) show(node.changes);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

enum class DiffKind : uint8_t { kSame, kChanged, kOnlyA, kOnlyB };
const char* diffKindName(DiffKind kind);  // "same", "changed", "only in A", "only in B"

struct NodeDiff {
  DiffKind kind = DiffKind::kSame;
  int32_t graphA = kNone, nodeA = kNone;
  int32_t graphB = kNone, nodeB = kNone;
  std::string matchedBy;             // "name", "structure", "" for nodes of one side
  std::vector<std::string> changes;  // "name conv1 -> conv_a", "attribute pads [0,0] -> [1,1]", "weights of 'w'
                                     // differ", "input 1 comes from another node"
};

struct ValueDiff {  // inputs, outputs and initializers
  DiffKind kind = DiffKind::kSame;
  std::string what;  // "input", "output", "initializer"
  std::string nameA, nameB;
  std::vector<std::string> changes;
};

struct ModelDiff {
  std::vector<NodeDiff> nodes;  // in the order of A, then what only B has
  std::vector<ValueDiff> values;
  std::vector<std::string> facts;                       // "opset ai.onnx 13 -> 17", "producer ..."
  int64_t same = 0, changed = 0, onlyA = 0, onlyB = 0;  // nodes
  bool weightsCompared = false;
  bool identical() const { return changed == 0 && onlyA == 0 && onlyB == 0 && facts.empty() && valuesDiffer == 0; }
  int64_t valuesDiffer = 0;
};

}  // namespace cutaway

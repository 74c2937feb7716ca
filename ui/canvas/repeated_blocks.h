#pragma once
// Repeated blocks found by structure: the twelve layers of a transformer or the stages of a convolutional network, when
// names do not tell.
//
// Thread rule: pure function over an immutable report; near-linear in nodes and lines.
// Example: for (const BlockRun& run : repeatedBlocks(graph)) show(run.first, run.period, run.count);   // nodes first
// .. first + period * count - 1

#include <vector>

#include "engine/report/graph_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

// Nodes in stored order, which is a topological one: block b holds the nodes first + b * period up to the next block.
struct BlockRun {
  int first = 0;
  int period = 0;
  int count = 0;
  int end() const { return first + period * count; }
};

std::vector<BlockRun> repeatedBlocks(const GraphReport& graph);  // outermost ones, ascending, never overlapping
// As scopes: a run of alike blocks, the blocks in it, and runs inside the blocks.
ScopeTree blocksOf(const GraphReport& graph);

}  // namespace cutaway::ui

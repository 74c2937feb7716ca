#pragma once
// What every stage knows about the nodes of one graph, in columns: what search, style rules and the table of nodes
// read.
//
// Thread rule: immutable once made; makeNodeFacts() is pure and may run on any thread.
// Example: auto facts = makeNodeFacts(*walk, GraphVersion::kPartitioned, 0);  facts->timeNs[12]

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/report/accuracy_report.h"
#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

// One entry per node of the graph; -1 or an empty text: not known, or not so far.
struct NodeFacts {
  GraphVersion version = GraphVersion::kLoaded;
  int graph = 0;
  std::shared_ptr<const ModelGraphs> graphs;
  // Provider that runs it, or will: also told of loaded and optimised nodes, through their originals.
  std::vector<SharedText> provider;
  std::vector<SharedText> refusal;  // cause and sentence of the provider asked first, "type: ..."; empty: it took it
  std::vector<SharedText> rewrite;  // pass that made or changed it; of a loaded node: what was done with it
  std::vector<SharedText> group;    // compiled group it is part of
  std::vector<int64_t> step;        // in the order
  std::vector<int64_t> timeNs;      // median of the runs as measured; of nodes fused into one step the first has it
  std::vector<int64_t> outputBytes;
  std::vector<int64_t> flops;
  std::vector<int64_t> parameters;
  std::vector<int64_t> weightBytes;
  std::vector<int64_t> movedBytes;
  std::vector<int32_t> ortValueIndex;  // by value of the graph: of the value of that name in the graph that runs
  std::vector<double> error;           // relative, of the latest accuracy comparison; negative: none
};

// Some milliseconds at 50,000 nodes. accuracy: of the latest comparison, may be null.
std::shared_ptr<const NodeFacts> makeNodeFacts(const WalkReport& walk, GraphVersion version, int graph,
                                               const AccuracyReport* accuracy = nullptr);

}  // namespace cutaway::ui

#pragma once
// What the search for a cure found: changes of a model that free the nodes which a provider refuses.
//
// Thread rule: immutable once published.
// Example: for (const CureProposal& each : report.proposals) show(each.title, each.nodesGained(), each.proof.agrees);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/partition_report.h"

namespace cutaway {

// What the provider took of a model, exactly as it answered. Counted in the optimised graphs, which a change may shrink
// or grow.
struct CureFigures {
  int64_t nodes = 0;         // of the whole model
  int64_t taken = 0;         // by the provider
  int64_t flops = 0;         // of all nodes whose sizes are known
  int64_t takenFlops = 0;    // of those it took
  int64_t unsizedNodes = 0;  // whose sizes are open: their operations are in neither figure
  int64_t groups = 0;        // of the provider
  int64_t copies = 0;        // between devices, casts included
  int64_t left() const { return nodes - taken; }
};

// Original and changed model on the same random inputs, on the provider that takes the rest.
struct CureProof {
  bool ran = false;
  bool agrees = false;      // every output within tolerance; false where it was not run
  double maxAbsolute = 0;   // largest |changed - original| over all outputs
  double maxRelative = 0;   // the same over |original|
  int64_t elements = 0;     // compared
  int64_t outside = 0;      // of them beyond the tolerance
  std::string worstOutput;  // that has maxAbsolute
  std::string note;         // why it was not run or does not agree, one sentence; empty: it agrees
};

// One change that was asked about.
struct CureProposal {
  std::string variant;      // "fix dimensions", "make constant" ...
  std::string title;        // what is done, "batch = 1"
  std::string consequence;  // what the model can no longer do, or what it costs; empty: nothing
  bool assumed = false;     // a size in it is a guess of ours
  int64_t parts = 0;        // inputs, dimensions or nodes of the model that it touches
  CureFigures before, after;
  std::vector<std::string> freed;       // original nodes that were left before and are not any more, by name
  std::vector<int32_t> freedOrigins{};  // the same as indexes into LoadReport::origins
  CureProof proof;
  int64_t nodesGained() const { return before.left() - after.left(); }
  int64_t flopsGained() const { return after.takenFlops - before.takenFlops; }
};

// A change that freed nothing, or about which nothing could be learnt.
struct CureAttempt {
  std::string variant;
  std::string title;
  std::string outcome;  // "nothing gained: 3 of 9 nodes", "asking failed: ..."
};

// An original node that was refused, and which proposals free it.
struct CureNode {
  std::string name;
  std::string opType;
  RefusalCause cause = RefusalCause::kOther;
  std::string reason;
  std::vector<int32_t> proposals;  // indexes, the smallest change first; empty: none was found
};

struct CureReport {
  std::string provider;  // that was asked
  bool simulated = false;
  CureFigures before;
  std::vector<CureNode> refused;
  std::vector<CureProposal> proposals;  // each by itself on the model as it is; most nodes first, then most FLOPs
  std::vector<CureAttempt> attempts;
  std::vector<CureProposal> steps;  // the proposals one on top of the other, best first, until nothing is gained
  CureFigures after;                // with all steps
  std::vector<CureNode> stillRefused;
  bool compiled = false;  // with all steps the provider has compiled its groups, too
  CureFigures afterCompile;
  double relativeTolerance = 0;
  double absoluteTolerance = 0;
  uint64_t seed = 0;    // of the inputs
  int64_t askings = 0;  // questions to the provider
  int64_t proofs = 0;   // pairs of runs
  int64_t timeNs = 0;
  std::vector<std::string> warnings;
};

}  // namespace cutaway

#pragma once
// What another engine makes of the same model, stage by stage, beside what this one does.
//
// Every difference names the rule that explains it, or none: the number of unexplained ones is a figure of ours.
// Figures say what they are: "exact", or "measured" with how often and how they spread. Thread rule: immutable once
// published. Example: for (const StageOpinion& stage : opinion.stages) show(stage);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/accuracy_report.h"
#include "engine/report/graph_report.h"

namespace cutaway {

enum class OpinionStage : uint8_t { kModel, kOptimize, kPartition, kOrder, kMemory, kSession, kRun, kOutputs };
inline constexpr int kOpinionStageCount = 8;
const char* opinionStageId(OpinionStage stage);  // "model", "optimize", "partition", "order", "memory", "session" ...
const char* opinionStageTitle(
    OpinionStage stage);  // "Inputs & outputs", "Optimize", "Partition", "Order", "Memory" ...
// Times are figures of two programs, measured; they are no answers that could be the same.
bool isMeasured(OpinionStage stage);

// One figure of both.
struct OpinionRow {
  std::string what;
  std::string ours;
  std::string theirs;
  std::string figure = "exact";  // what kind of figure: "exact", "measured once", "measured, median of 20 runs" ...
};

struct OpinionDifference {
  std::string what;
  std::string ours;
  std::string theirs;
  std::string rule;         // one name of opinionRules(); empty: unexplained
  std::string explanation;  // that rule in a sentence, with this case's figures
  // Where to look at it: values that its nodes make, or the nearest ones that the model knows by name.
  std::vector<std::string> values = {};
};

struct StageOpinion {
  OpinionStage stage = OpinionStage::kModel;
  std::string ours;     // headline of this engine: "19 -> 15 nodes"
  std::string theirs;   // of the other: "19 -> 14 nodes"
  std::string problem;  // why there is nothing to compare; empty: there is
  std::vector<OpinionRow> rows;
  std::vector<OpinionDifference> differences;

  bool same() const { return problem.empty() && differences.empty() && !isMeasured(stage); }
  int64_t unexplained() const;
};

// Over the runs of a profile; -1: not measured.
struct NodeSpread {
  int64_t medianNs = -1;
  int64_t minNs = -1;
  int64_t maxNs = -1;
};

// A node of the graph that both run as it is, which is the other engine's optimised model.
struct NodeOpinion {
  std::string node;  // its name there: n17
  std::string opType;
  std::string output;          // its first output, which keeps the name that the model gives it
  int32_t stepOurs = kNone;    // in the order of execution
  int32_t stepTheirs = kNone;  // kNone: the other engine replaced it when it opened the graph
  NodeSpread timeOurs;
  NodeSpread timeTheirs;
  int64_t bytesTheirs = -1;  // of the other's arena in use behind it, in the first run; -1: not told
};

struct SecondOpinion {
  std::string engine;   // "onnxruntime"
  std::string version;  // "1.31.1"
  std::string library;  // where it was found
  std::string verdict;  // its own message where it refuses the model; empty: it opens
  std::string model;    // file
  std::string threads;  // "1 thread"
  std::vector<StageOpinion> stages;
  std::vector<NodeOpinion> nodes;  // in the order of the other engine
  int64_t nodeRunsOurs = 0;        // that the times of nodes are taken from
  int64_t nodeRunsTheirs = 0;
  std::vector<ValueAccuracy> outputs;  // A: ours, B: theirs
  int64_t timeNs = 0;                  // of the whole comparison

  int64_t differences() const;
  int64_t unexplained() const;
};

// The rules by which differences are explained: name, and what it says.
struct OpinionRule {
  const char* name;
  const char* explanation;
};
const std::vector<OpinionRule>& opinionRules();

}  // namespace cutaway

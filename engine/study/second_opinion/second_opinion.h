#pragma once
// Another engine's account of a model beside ours, stage by stage: what is the same, what differs, and by which rule.
//
// The other engine is asked elsewhere (app/second_opinion); here its answers are plain facts. Two graphs matter: the
// model as it is, which both optimise in their own way, and "the same graph", the other engine's optimised model with
// names n0, n1 ..., which both run as it is, ours by the other's rules of planning.
// Thread rule: pure. Example: SecondOpinion opinion = compareEngines(ours, theirs, {});

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/execute/run_types.h"
#include "engine/report/opinion_report.h"
#include "engine/report/walk_report.h"
#include "engine/study/accuracy/value_error.h"

namespace cutaway::study {

struct OtherValue {
  std::string name;
  std::string type;  // "float[batch,3]"
};
struct OtherNode {  // as the other engine recorded who takes it
  std::string name;
  std::string opType;
  std::string provider;
  std::vector<std::string> values = {};  // that it makes; empty: not told
};
struct OtherEvent {  // of a node of the same graph, in the order of execution
  std::string node;
  NodeSpread time;          // over the runs but the first
  int64_t bytesInUse = -1;  // of the arena behind it, in the first run
};

// A pass of the other engine's optimiser that changed the graph: operators that it is known to take away, and those
// that it writes or changes in place. Among `takes`, "*": any whose results are constant or that stands twice; in both
// lists, "half": any over half floats in the model.
struct OtherPass {
  std::string name;
  std::vector<std::string> takes;
  std::vector<std::string> writes;
};

struct OtherEngine {
  std::string name;
  std::string version;
  std::string library;
  std::string verdict;  // why it refuses the model; the rest is empty then
  std::vector<OtherValue> inputs;
  std::vector<OtherValue> outputs;
  std::vector<std::string> passes;  // that changed the model, in order, each once
  int64_t passRuns = 0;             // how often it tried one
  std::vector<std::string> copies;  // values copied between devices, as it says them
  std::vector<OtherNode> assignment;
  std::vector<std::string> providers;                         // of the session, in order of priority
  std::shared_ptr<const ModelGraphs> optimized;               // of the same graph: its own optimised model
  std::vector<OtherPass> graphPasses;                         // that made it, in order, each once
  std::string inlinedPrefix;                                  // of names that it gives to nodes of an expanded operator
  std::string graphProblem;                                   // why there is none
  std::vector<OtherEvent> events;                             // of the main graph of the same graph
  int64_t eventRuns = 0;                                      // that their times are taken from
  int64_t blockBytes = -1;                                    // that its memory pattern plans; 0: none; -1: not told
  std::vector<std::pair<std::string, std::string>> inferred;  // values of the same graph: "float[?,3]" before running;
                                                              // only where the blocks differ
  std::vector<std::pair<std::string, std::string>> memory;    // statistics of its arena after the runs
  int64_t createNs = 0;
  std::vector<int64_t> runNs;
  std::vector<execute::Feed> results;
  // The same results once more, with inputs and weights moved by their last bit and without optimisation: how far
  // rounding carries.
  std::vector<std::vector<execute::Feed>> retries;
  std::vector<execute::Feed> exactProducts;  // without products of bytes that saturate
  std::vector<execute::Feed> plainResults;   // without optimisation
  std::string runProblem;                    // why it did not run
};

struct OurEngine {
  std::shared_ptr<const WalkReport> walk;                      // of the model as it is
  std::map<std::string, std::vector<std::string>> otherNames;  // provider -> what the other engine calls it
  int64_t createNs = 0;
  std::vector<int64_t> runNs;
  std::vector<execute::Feed> results;
  std::vector<std::vector<execute::Feed>> retries;  // moved by the last bit alone: our fusions excuse nothing
  // Outputs behind operators that round to integers, and their steps (quantised_outputs.h): moving the last bit takes
  // such an output over a step anywhere, so that it excuses nothing there.
  std::map<std::string, double> quantised;
  std::vector<execute::Feed> plainResults;   // without optimisation
  std::vector<execute::Feed> doubleResults;  // of the model in doubles, not optimised; empty: it has no such form
  // Where providers whose hardware is not here have nodes: these, and the results of the model on the CPU alone, whose
  // retries, plain results and others are what is above then; and of the model in half precision, not optimised.
  std::vector<std::string> simulated;
  std::vector<execute::Feed> cpuResults;
  std::vector<execute::Feed> halfResults;       // empty: it has no such form
  std::vector<execute::Feed> sameGraphResults;  // of the other engine's optimised model as it is
  std::string runProblem;
  std::shared_ptr<const WalkReport> sameGraph;  // with a run of it; nullptr: see sameGraphProblem
  std::string sameGraphProblem;
};

// The block of the memory pattern of the main graph, for the sizes of the run where they are not known before; 0: none.
int64_t plannedBlock(const WalkReport& walk);
// Nodes of the recorded assignment that are found nowhere in this engine's graph, neither by name nor by what they
// make.
int64_t unmatchedNodes(const OurEngine& ours, const OtherEngine& theirs);
// Shortest, median and longest; -1 each where there is none.
NodeSpread nodeSpread(const std::vector<int64_t>& timesNs);
// Whether some output is outside the tolerance, so that `retries` are worth their time.
bool resultsDiffer(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance);

SecondOpinion compareEngines(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance);

// The stages one by one; each fills its headlines, rows and differences.
StageOpinion compareModels(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareOptimized(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareAssignment(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareOrder(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareMemory(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareCreation(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareRuns(const OurEngine& ours, const OtherEngine& theirs);
StageOpinion compareResults(const OurEngine& ours, const OtherEngine& theirs, const ErrorTolerance& tolerance,
                            std::vector<ValueAccuracy>& values);

}  // namespace cutaway::study

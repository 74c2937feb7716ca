#pragma once
// Advice: changes of settings or model that make the walk of a model better, each tried before it is given.
//
// Thread rule: immutable once published.
// Example: for (const Advice& each : report.advice) show(each.title, each.gains, each.costs);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/cure_report.h"

namespace cutaway {

// What is compared before and after a change, all taken from the reports of a walk. Smaller is better for each of them.
enum class AdviceMeasure : uint8_t {
  kLeftNodes,         // nodes that only the provider of last resort takes, although others were asked before it
  kPeakBytes,         // planned peak of the activations; known only where every buffer has a size
  kUnplannedBuffers,  // buffers whose size is not known before running
  kCopies,            // between devices, casts included
  kCopiedBytes,       // of the copies whose size is known
  kGroups,            // of all providers
  kNodes,             // after optimisation
};
inline constexpr int kAdviceMeasureCount = 7;
// "nodes left to the last provider", "planned peak", "buffers without a size", "copies", "copied bytes", "groups",
// "nodes after optimisation"
const char* adviceMeasureName(AdviceMeasure measure);
bool isBytes(AdviceMeasure measure);  // otherwise a count

struct AdviceFigure {
  AdviceMeasure measure = AdviceMeasure::kNodes;
  int64_t before = -1;  // -1: not known
  int64_t after = -1;
};

struct Advice {
  std::string advisor;      // "order", "open dimensions", "refused nodes" ...
  std::string title;        // what to do, "order = memory"
  std::string reason;       // what it answers, one sentence
  std::string consequence;  // what the model can no longer do, or what else it means; empty: nothing
  std::string settings;     // the change as a configuration line; empty: the model is changed
  int32_t proposal = -1;    // of a change of the model: its number in Adviser's cure; -1: a change of settings
  bool allSteps = false;    // of a change of the model: all steps of the cure, one on top of the other
  bool assumed = false;     // a size in it is a guess
  bool simulated = false;   // some hardware of the list is not here: answers are its profile's or its simulator's
  std::vector<AdviceFigure> gains;  // the largest share first
  std::vector<AdviceFigure> costs;  // what becomes more by it
  double share = 0;                 // of the largest gain: what becomes less, over what it was
  std::string proof;                // how it was tried, one sentence
};

struct AdviceAttempt {
  std::string advisor;
  std::string title;
  std::string outcome;  // why it is no advice
};

struct AdviceReport {
  std::string settings;               // of the walk that is advised on, as a configuration line
  std::vector<AdviceFigure> figures;  // of it: before only
  std::vector<Advice> advice;         // the largest share first
  std::vector<AdviceAttempt> attempts;
  int64_t walks = 0;  // changes that were walked
  int64_t timeNs = 0;
  std::vector<std::string> warnings;
};

// One model against one provider.
struct SupportRow {
  std::string provider;  // as --providers takes it: "declared(TensorRT)", "openvino"
  std::string title;     // for people
  bool usable = true;    // false: problem says why there is no answer
  bool simulated = false;
  bool runsHere = true;  // false: it answers, and its hardware is not here
  CureFigures figures;
  std::vector<std::pair<std::string, int64_t>> refusals;  // reason and nodes, most nodes first
  std::string problem;
};

struct SupportReport {
  std::vector<SupportRow> rows;  // in the order they were asked
  int64_t timeNs = 0;
};

}  // namespace cutaway

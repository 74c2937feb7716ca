#pragma once
// Two plans of one model side by side, several orders in a table, and one plan over a range of sizes.
//
// Thread rule: immutable once made. Value and step indexes are those of the partitioned main graph, which both sides
// share. Example: const PlanComparison comparison = comparePlans(walkA, walkB);  for (const ValueDifference& each :
// comparison.values) row(each);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/plan_reports.h"

namespace cutaway {

// One plan in figures.
struct PlanFigures {
  std::string title;  // "order memory", "batch 8", "onnxruntime's rules"
  std::string order;
  std::string rules;
  int64_t peakBytes = 0, lowerBoundBytes = 0, naiveBytes = 0;  // -1: sizes are open
  int64_t outputBytes = 0;                                     // graph outputs, which the caller gets
  int64_t weightsBytes = 0;
  int64_t unplannedValues = 0;  // of unknown size
  int64_t allocated = 0, reused = 0, inPlace = 0, parts = 0;
  int64_t planNs = 0;  // schedule, allocate and pattern together
  int64_t criticalPathCost = 0;
  std::string costUnit;
  std::vector<int64_t> liveBytes;  // per step, main graph, all devices
  std::string problem;             // why there are no figures
};

struct ValueDifference {
  int32_t value = 0;
  std::string name;
  AllocKind kindA = AllocKind::kNotSet, kindB = AllocKind::kNotSet;
  AllocRule ruleA = AllocRule::kNone, ruleB = AllocRule::kNone;
  std::string bufferA, bufferB;        // name of the root value
  int64_t offsetA = -1, offsetB = -1;  // in the pattern of its device; -1: none
  int64_t sizeA = -1, sizeB = -1;
  int32_t firstA = kNone, lastA = kNone, firstB = kNone, lastB = kNone;  // steps
  std::string reasonA, reasonB;
};

struct PlanComparison {
  PlanFigures a, b;
  std::vector<ValueDifference> values;  // those that differ in kind, rule, buffer, size or life; largest size first.
                                        // Offsets alone make no difference
  int64_t sameValues = 0;
  int64_t movedSteps = 0;  // nodes at another step
  std::vector<std::string> warnings;
};

// The same model under each order, or over a range of one dimension.
struct PlanTable {
  std::string parameter;            // "order", or the name of the dimension
  std::vector<std::string> values;  // "default", ...; "1", "2", "4"
  std::vector<PlanFigures> rows;
};

}  // namespace cutaway

#pragma once
// Two configurations of one model compared value by value: where they first differ, and by how much.
//
// Thread rule: immutable once published. Example: if (report.firstDivergence != kNone)
// show(report.values[report.firstDivergence]);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct ValueAccuracy {
  std::string value;
  std::string node;  // that makes it, in A; in B where A has a group
  std::string opType;
  std::string providerA;
  std::string providerB;
  std::string elementType;
  std::string shape;
  int64_t elements = 0;
  double maxAbsolute = 0;  // largest |a - b|
  double maxRelative = 0;  // largest |a - b| / max(|b|, absolute / relative tolerance)
  double rootMeanSquare = 0;
  double cosine = 1;                // of the two as vectors
  int64_t nonFiniteMismatches = 0;  // NaN or infinity on one side only
  int64_t outsideTolerance = 0;     // elements beyond absolute + relative * |b|
  bool isOutput = false;
  std::string problem;  // types or shapes differ, one side lacks it; empty when numbers could be compared
};

struct AccuracyReport {
  std::string configurationA;
  std::string configurationB;
  double relativeTolerance = 0;
  double absoluteTolerance = 0;
  std::vector<ValueAccuracy> values;  // in execution order of A
  int32_t firstDivergence = kNone;    // index into values: the first beyond tolerance
  int32_t worst = kNone;              // largest error relative to its tolerance
  int64_t notComparable = 0;          // values that only one side has (fused away)
  std::string failingModel;           // the smallest failing submodel, when it was saved
  std::vector<std::string> failingNodes;
  std::vector<std::string> warnings;
};

}  // namespace cutaway

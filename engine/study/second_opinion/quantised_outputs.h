#pragma once
// Outputs of a quantised graph: a value that two engines round to neighbouring integers is whole steps apart behind it,
// and nothing else may be put down to that.
//
// Thread rule: pure. Example: quantisedOutputs(model.graph).at("scores") == 0.153

#include <map>
#include <string>

#include "engine/graph/graph.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::study {

// Outputs behind an operator that rounds activations to integers, and the step between values that neighbouring
// integers become: the scale of the DequantizeLinear that makes the output, 1 for an output of integers; 0: there is no
// such step (other operators follow, or the scale is not one constant number). Other outputs are not listed.
std::map<std::string, double> quantisedOutputs(const Graph& graph);

struct StepDifference {
  int64_t differing = 0;  // elements
  int64_t notWhole = 0;   // of them, by no whole number of steps; all of them where the types or shapes differ
  double most = 0;        // steps
};
StepDifference countSteps(const RuntimeValue& a, const RuntimeValue& b, double step);

}  // namespace cutaway::study

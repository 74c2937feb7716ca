#pragma once
// Activations as fused operators carry them: the attribute `activation` names an operator, `activation_params` lists
// its parameters; or `activation_alpha`, `activation_beta`, `activation_gamma`, `activation_min` and `activation_max`
// give them one by one. What is not given is as in the operator of that name.
//
// Example: const FusedActivation fused = readFusedActivation(node);  switch (fused.function) { ... }

#include <limits>
#include <string>
#include <vector>

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::operators {

struct FusedActivation {
  std::string name;                                   // empty: none
  ElementFunction function = ElementFunction::kNone;  // kNone: none, or a name that no elementwise operator has
  float first = 0;                                    // the function's a; of kClip the lower bound
  float second = 0;                                   // its b; of kClip the upper bound
};

FusedActivation readFusedActivation(const Node& node);

// Parameters a and b of an elementwise node, as its attributes give them; as many as its function has.
std::vector<float> elementParameters(const Node& node, const OperatorTraits& traits);

}  // namespace cutaway::operators

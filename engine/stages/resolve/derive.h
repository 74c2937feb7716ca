#pragma once
// A model read as if its graph had been built in memory: the inputs-and-outputs rule over the nodes alone, beside what
// the file lists.
//
// Thread rule: pure over the model in hand. Near-linear.
// Example: CUTAWAY_TRY(DerivedInputsOutputs derived, deriveInputsOutputs(model));  show(derived.differences);

#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/report/stage_reports.h"

namespace cutaway::resolve {

// Names, in the order of the list. The field's words: inputs including and excluding initializers, overridable
// initializers, outputs, value_info.
struct InputOutputLists {
  std::vector<std::string> inputs, requiredInputs, overridable, outputs, intermediates;
};

struct ListDifference {
  std::string list;   // "inputs", "overridable", "outputs"
  std::string value;  // empty: the whole list
  std::string text;   // one sentence for people
};

struct DerivedInputsOutputs {
  InputOutputLists declared;  // as the file lists them; intermediates: what its nodes hand on to each other
  InputOutputLists derived;
  std::vector<ListDifference> differences;
  std::vector<ResolveStep> steps;  // of the rule; node and value as in describeGraphs(model)
};

// Of the main graph of a model as loaded. The model's own lists are replaced by the derived ones. Errors as
// setGraphInputsOutputs().
Result<DerivedInputsOutputs> deriveInputsOutputs(Model& model);

}  // namespace cutaway::resolve

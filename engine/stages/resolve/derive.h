#pragma once
// A model read as if its graph and the bodies in it had been built in memory: the inputs-and-outputs rule over the
// nodes alone, beside what the file lists.
//
// Thread rule: pure over the model in hand. Near-linear.
// Example: CUTAWAY_TRY(DerivedInputsOutputs derived, deriveInputsOutputs(model));  show(derived.differences);

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/report/derived_report.h"

namespace cutaway::resolve {

// Lists that the code which builds the graph sets (SetInputs, SetOutputs), by name; none: found by the rule.
struct ManualLists {
  std::optional<std::vector<std::string>> inputs, outputs;
};

// Of a model as loaded: the main graph, whose lists may be set by hand, then every body, which captures what the graphs
// around it know. The model's own lists are replaced by the derived ones. INVALID_ARGUMENT: a name that the main graph
// does not have, or that cannot be an input or output; else errors as setGraphInputsOutputs().
Result<DerivedInputsOutputs> deriveInputsOutputs(Model& model, const ManualLists& manual = {});

}  // namespace cutaway::resolve

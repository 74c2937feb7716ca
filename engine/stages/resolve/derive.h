#pragma once
// A model read as if its graph had been built in memory: the inputs-and-outputs rule over the nodes alone, beside what
// the file lists.
//
// Thread rule: pure over the model in hand. Near-linear.
// Example: CUTAWAY_TRY(DerivedInputsOutputs derived, deriveInputsOutputs(model));  show(derived.differences);

#include "engine/graph/model.h"
#include "engine/report/derived_report.h"

namespace cutaway::resolve {

// Of the main graph of a model as loaded. The model's own lists are replaced by the derived ones. Errors as
// setGraphInputsOutputs().
Result<DerivedInputsOutputs> deriveInputsOutputs(Model& model);

}  // namespace cutaway::resolve

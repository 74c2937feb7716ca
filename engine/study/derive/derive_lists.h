#pragma once
// A model's inputs and outputs as its nodes alone give them, as if its graph had been built in memory.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(const DerivedInputsOutputs derived, deriveLists(source, {}, progress));

#include "engine/base/progress.h"
#include "engine/report/derived_report.h"
#include "engine/stages/load/load.h"
#include "engine/stages/resolve/derive.h"

namespace cutaway::study {

// External data may be missing. Errors: those of loading, and of the rule (resolve/derive.h).
Result<DerivedInputsOutputs> deriveLists(const load::ModelSource& source, const resolve::ManualLists& manual,
                                         Progress& progress);

}  // namespace cutaway::study

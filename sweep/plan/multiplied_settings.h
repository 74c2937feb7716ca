#pragma once
// A table [[configurations]] becomes one configuration for every combination of its lists.
//
// Members are those of a configuration file (`--config`). One that takes a single value may be given a list of values;
// a list of lists is that for members which are lists themselves. Thread rule: pure. Example: opt_level = [0, 3] and
// providers = [["cpu"], ["onednn", "cpu"]] give four.

#include <string>
#include <vector>

#include "sweep/plan/located_value.h"
#include "sweep/plan/plan.h"

namespace cutaway::sweep {

// `check` judges each; what it says is added to `errors` at the table's place. 'name' and 'limits' are not settings.
std::vector<PlannedConfiguration> multipliedSettings(const LocatedValue& table, const std::string& name,
                                                     const CheckSettings& check, PlanErrors& errors);

}  // namespace cutaway::sweep

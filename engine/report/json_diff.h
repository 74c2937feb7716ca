#pragma once
// Differences of two models as JSON. Thread rule: pure. Example: fmt::print("{}", dumpJson(diffToJson(diff), 2));

#include <nlohmann/json_fwd.hpp>

#include "engine/report/model_diff.h"

namespace cutaway {

// Keys: `identical`, `same`, `changed`, `only_a`, `only_b`, `values_differ`, `weights_compared`, `facts`, `nodes` and
// `values` (what is the same is left out of both unless `whole`).
nlohmann::json diffToJson(const ModelDiff& diff, bool whole);

}  // namespace cutaway

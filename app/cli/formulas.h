#pragma once
// Costs and plans over open dimensions, as text and as JSON.
//
// Thread rule: the main thread. Example: const auto formulas = formulasOf(walk, shared, cancel);
// if (!formulas) return warnOf(formulas.error());   if (*formulas) printCostFormulas(**formulas);

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/shared_options.h"
#include "engine/report/walk_report.h"
#include "engine/study/formulas/model_formulas.h"

namespace cutaway::cli {

// Of the model as the walk's session keeps it, else of the file, with the sizes that the options give; nullopt: no cost
// is open.
Result<std::optional<study::ModelFormulas>> formulasOf(const WalkReport& walk, const SharedOptions& shared,
                                                       const CancelToken& cancel);
// "warning: ..."; what was cancelled stays an error.
Result<void> warnOfFormulas(const Error& error);

// Operations and bytes of the main graph as the model stands.
void printCostFormulas(const study::ModelFormulas& formulas);
// What the buffers of the main graph need; nothing where every size is known.
void printPlanFormulas(const WalkReport& walk, const study::ModelFormulas& formulas);

nlohmann::json formulasToJson(const WalkReport& walk, const study::ModelFormulas& formulas);

}  // namespace cutaway::cli

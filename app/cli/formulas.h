#pragma once
// Costs and plans over open dimensions, as text and as JSON.
//
// Thread rule: the main thread. Example: CUTAWAY_TRY(const study::ModelFormulas formulas, formulasOf(shared, cancel));
// printCostFormulas(formulas);  printPlanFormulas(*walk, formulas);

#include <nlohmann/json_fwd.hpp>

#include "app/cli/shared_options.h"
#include "engine/report/walk_report.h"
#include "engine/study/formulas/model_formulas.h"

namespace cutaway::cli {

// Of the model file, which is loaded for it, with the sizes that the options give.
Result<study::ModelFormulas> formulasOf(const SharedOptions& shared, const CancelToken& cancel);

// Operations and bytes of the main graph as the model stands.
void printCostFormulas(const study::ModelFormulas& formulas);
// What the buffers of the main graph need; nothing where every size is known.
void printPlanFormulas(const WalkReport& walk, const study::ModelFormulas& formulas);

nlohmann::json formulasToJson(const WalkReport& walk, const study::ModelFormulas& formulas);

}  // namespace cutaway::cli

#pragma once
// What a report says of a model with open dimensions: its costs and buffers as formulas, and those of its nodes.
//
// Thread rule: pure. Example: addFormulaTables(walk, formulas, tables);

#include <vector>

#include "engine/study/formulas/model_formulas.h"
#include "ui/report/report_tables.h"

namespace cutaway::ui {

void addFormulaTables(const WalkReport& walk, const study::ModelFormulas& formulas, std::vector<ReportTable>& tables);

}  // namespace cutaway::ui

#pragma once
// The load stage's figures about a model.
//
// Thread rule: pure. Example: fillLoadReport(model, report);

#include "engine/graph/model.h"
#include "engine/report/stage_reports.h"

namespace cutaway::load {

// Everything the report says about the model itself; files, phases and times are left alone.
void fillLoadReport(const Model& model, LoadReport& report);

}  // namespace cutaway::load

#pragma once
// One self-contained HTML file about one walk: the graph to move in, plans, profile and tables that sort and filter. No
// network; without script a still picture and the tables remain.
//
// Thread rule: pure, any thread; the picture is drawn with fonts, so a QGuiApplication must exist (offscreen will do).
// Example: CUTAWAY_TRY(const std::string page, htmlReport(*walk, cancel));

#include <string>

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/report/walk_report.h"
#include "engine/study/formulas/model_formulas.h"

namespace cutaway::ui {

// formulas: of the model's open dimensions; may be null. MODEL_LOAD_CANCELED.
Result<std::string> htmlReport(const WalkReport& walk, const CancelToken& cancel,
                               const study::ModelFormulas* formulas = nullptr);

}  // namespace cutaway::ui

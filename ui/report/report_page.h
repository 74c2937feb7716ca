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

namespace cutaway::ui {

// MODEL_LOAD_CANCELED.
Result<std::string> htmlReport(const WalkReport& walk, const CancelToken& cancel);

}  // namespace cutaway::ui

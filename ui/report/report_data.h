#pragma once
// What the page's script draws from: graphs in columns, plans, profile and tables, with every text once in a list that
// the rest points into.
//
// Thread rule: pure over an immutable walk.
// Example: const nlohmann::json data = reportData(*walk, reportTables(*walk), cancel);
//
// {strings, versions: [{id, title, graphs: [{title, name[], op[], ...}]}], stages, tables, partition, schedule,
// allocate, pattern, run, themes}; page/model.js is its reader.

#include <nlohmann/json_fwd.hpp>

#include "engine/base/progress.h"
#include "ui/report/report_tables.h"

namespace cutaway::ui {

// null: cancelled.
nlohmann::json reportData(const WalkReport& walk, const std::vector<ReportTable>& tables, const CancelToken& cancel);

}  // namespace cutaway::ui

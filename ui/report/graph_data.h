#pragma once
// A version of the model's graphs in columns, as page/model.js reads them.
//
// Thread rule: pure. Example: data["versions"].push_back(versionData("loaded", *walk.loadedGraphs,
// walk.loadedCosts.get(), pool, cancel));

#include "engine/base/progress.h"
#include "engine/report/walk_report.h"
#include "ui/report/string_pool.h"

namespace cutaway::ui {

nlohmann::json versionData(const char* id, const ModelGraphs& graphs, const CostReport* costs, StringPool& pool,
                           const CancelToken& cancel);

}  // namespace cutaway::ui

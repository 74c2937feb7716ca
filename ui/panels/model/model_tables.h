#pragma once
// Rows of the model's tables.
//
// Thread rule: pure; the rows keep their snapshot alive. Example: model->present(signatureRows(walk->loadedGraphs));

#include <memory>

#include "engine/report/walk_report.h"
#include "ui/panels/model/model_rollup.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

ReportRows signatureRows(std::shared_ptr<const ModelGraphs> graphs);    // inputs and outputs of the main graph
ReportRows initializerRows(std::shared_ptr<const ModelGraphs> graphs);  // of all graphs
ReportRows rollupRows(std::shared_ptr<const ModelRollup> sums, bool scopes);
ReportRows fileRows(std::shared_ptr<const LoadReport> load);
ReportRows functionRows(std::shared_ptr<const ModelGraphs> graphs);
ReportRows opsetRows(std::shared_ptr<const LoadReport> load);
ReportRows warningRows(std::shared_ptr<const LoadReport> load, std::shared_ptr<const ResolveReport> resolve,
                       std::shared_ptr<const ModelGraphs> graphs);

// The node or value of a name, in any graph; the first found. Invalid: none.
RowTarget targetNamed(const ModelGraphs& graphs, const std::string& node, const std::string& value,
                      GraphVersion version = GraphVersion::kLoaded);

}  // namespace cutaway::ui

#pragma once
// The support matrix as a sentence and rows.
//
// Thread rule: pure; rows keep the report alive. Example: model.present(supportRows(job->result<SupportReport>()));

#include <memory>

#include "engine/report/advice_report.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

// "TensorRT takes most: 126 of 161 nodes. All nodes: openvino, onednn." of the providers that answered.
QString supportSentence(const SupportReport& report);
ReportRows supportRows(const std::shared_ptr<const SupportReport>& report);

}  // namespace cutaway::ui

#pragma once
// The tables of the partition panel: what each row says, sorts by and stands for. Cells are made when they are looked
// at.
//
// Thread rule: GUI thread; the functions keep the snapshot alive.
// Example: model->present(refusalRows(view, mark));

#include <functional>
#include <string>

#include "ui/panels/partition/partition_view.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

// The coloured, lettered square of a provider.
using MarkOf = std::function<QVariant(const std::string& provider)>;

ReportRows nodeRows(std::shared_ptr<const PartitionView> view, MarkOf mark);
ReportRows refusalRows(std::shared_ptr<const PartitionView> view, MarkOf mark);
ReportRows groupRows(std::shared_ptr<const PartitionView> view, MarkOf mark);
ReportRows copyRows(std::shared_ptr<const PartitionView> view);
// choice: of the walk the report is of; nullptr: nothing is said of its list of providers.
ReportRows noteRows(const PartitionReport& report, const ProviderChoice* choice);

QString refusalTitle(const RefusalSummary& refusal);          // "onnxruntime refuses Resize: mode cubic"
QString copyHeadline(const std::vector<CopyReport>& copies);  // "12 copies, 3.4 MB; 2 casts, 64 kB"

}  // namespace cutaway::ui

#pragma once
// The tables of a comparison: nodes that move, copies that come and go.
//
// Thread rule: GUI thread; the functions keep the report alive.
// Example: model->present(movedRows(comparison, mark));

#include "ui/panels/partition/comparison_model.h"
#include "ui/panels/partition/partition_tables.h"

namespace cutaway::ui {

ReportRows movedRows(std::shared_ptr<const PartitionComparison> comparison, MarkOf mark);
ReportRows changedCopyRows(std::shared_ptr<const PartitionComparison> comparison);

}  // namespace cutaway::ui

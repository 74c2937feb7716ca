#pragma once
// Lists derived from nodes beside those of the file, in words and rows.
//
// Thread rule: pure. Example: table->present(deriveRows(derived));

#include "engine/report/derived_report.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

QString deriveSentence(const DerivedInputsOutputs& derived);

// Differences first, then every entry of the five lists, then the steps of the rule. Rows that name a value of the main
// graph are about it.
ReportRows deriveRows(const std::shared_ptr<const DerivedInputsOutputs>& derived);

}  // namespace cutaway::ui

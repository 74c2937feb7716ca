#pragma once
// Messages of the log as rows of a table and as lines of text.
//
// Thread rule: pure. Example: model->present(logRows(records, icons));

#include <QIcon>

#include "engine/base/log_recent.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

struct LogIcons {
  QIcon error, warning;  // of messages of these levels; others have none
};

ReportRows logRows(const RowList<log::Record>& records, const LogIcons& icons);
// "2026-11-28T14:10:03.123 warning stages the list of outputs is empty", as lines of a log file.
QString logLine(const log::Record& record);

}  // namespace cutaway::ui

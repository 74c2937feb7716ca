#pragma once
// The tables of single stages; reportTables() puts them together.
//
// Thread rule: pure over an immutable walk. Example: addLoadTables(walk, tables);

#include <limits>

#include "ui/report/report_tables.h"

namespace cutaway::ui {

// A figure of a report, where negative means: not known.
inline double figure(int64_t known) {
  return known < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(known);
}

void addLoadTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addResolveTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addOptimizeTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addPartitionTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addScheduleTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addAllocateTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addPatternTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addRunTables(const WalkReport& walk, std::vector<ReportTable>& tables);
void addContextTables(const WalkReport& walk, std::vector<ReportTable>& tables);

}  // namespace cutaway::ui

#pragma once
// The tables of single stages; reportTables() puts them together.
//
// Thread rule: pure over an immutable walk. Example: addLoadTables(walk, tables);

#include <functional>

#include "ui/report/report_tables.h"

namespace cutaway::ui {

// A column over the rows of a report: its title, its unit, and what stands in it.
template <typename Row>
struct ReportColumnOf {
  std::string title;
  ColumnKind kind = ColumnKind::kText;
  std::function<ReportCell(const Row&)> cell;
};

// Fills a table whose head is given. `nodeOf` says which node of table.graph a row is about; empty: rows are no nodes.
template <typename Row>
ReportTable tableOf(ReportTable table, const std::vector<Row>& rows, const std::vector<ReportColumnOf<Row>>& columns,
                    const std::function<int32_t(const Row&)>& nodeOf = {}) {
  for (const ReportColumnOf<Row>& column : columns)
    table.columns.push_back({column.title, column.kind});
  for (const Row& row : rows) {
    std::vector<ReportCell>& cells = table.rows.emplace_back();
    for (const ReportColumnOf<Row>& column : columns)
      cells.push_back(column.cell(row));
    if (nodeOf) table.nodes.push_back(nodeOf(row));
  }
  return table;
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

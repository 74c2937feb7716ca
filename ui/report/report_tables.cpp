// Cells, texts and CSV of tables; what stands in them is gathered in stage_tables and plan_tables.
#include "ui/report/report_tables.h"

#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "engine/base/format.h"
#include "engine/base/node_name.h"
#include "ui/report/table_parts.h"

namespace cutaway::ui {

const char* columnKindId(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kText:
      return "text";
    case ColumnKind::kCount:
      return "count";
    case ColumnKind::kBytes:
      return "bytes";
    case ColumnKind::kTime:
      return "time";
    case ColumnKind::kPercent:
      return "percent";
    case ColumnKind::kReal:
      return "real";
  }
  return "text";
}

std::vector<ReportTable> reportTables(const WalkReport& walk) {
  std::vector<ReportTable> tables;
  addLoadTables(walk, tables);
  addResolveTables(walk, tables);
  addOptimizeTables(walk, tables);
  addPartitionTables(walk, tables);
  addScheduleTables(walk, tables);
  addAllocateTables(walk, tables);
  addPatternTables(walk, tables);
  addRunTables(walk, tables);
  addContextTables(walk, tables);
  std::erase_if(tables, [](const ReportTable& table) { return table.rows.empty(); });
  return tables;
}

std::string cellText(const ReportTable& table, size_t row, size_t column) {
  const ReportCell& cell = table.rows[row][column];
  const ColumnKind kind = table.columns[column].kind;
  if (kind == ColumnKind::kText) return cell.text;
  if (std::isnan(cell.number)) return cell.text;
  switch (kind) {
    case ColumnKind::kBytes:
      return formatBytes(static_cast<int64_t>(cell.number));
    case ColumnKind::kTime:
      return formatTime(static_cast<int64_t>(cell.number));
    case ColumnKind::kPercent:
      return fmt::format("{:.1f} %", cell.number);
    case ColumnKind::kReal:
      return fmt::format("{:.4g}", cell.number);
    default:
      return formatCount(static_cast<int64_t>(cell.number));
  }
}

namespace {

void appendField(std::string& csv, std::string_view field, bool isFigure) {
  const bool isFormula =
      !isFigure && !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  if (!isFormula && field.find_first_of("\",\r\n") == std::string_view::npos) {
    csv += field;
    return;
  }
  csv += '"';
  if (isFormula) csv += '\'';
  for (const char c : field) {
    if (c == '"') csv += '"';
    csv += c;
  }
  csv += '"';
}

std::string unitOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kBytes:
      return " (bytes)";
    case ColumnKind::kTime:
      return " (ns)";
    case ColumnKind::kPercent:
      return " (%)";
    default:
      return "";
  }
}

}  // namespace

std::string tableCsv(const ReportTable& table) {
  std::string csv;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (column > 0) csv += ',';
    appendField(csv, table.columns[column].title + unitOf(table.columns[column].kind), false);
  }
  csv += "\r\n";
  for (const std::vector<ReportCell>& row : table.rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      if (column > 0) csv += ',';
      const bool isFigure = table.columns[column].kind != ColumnKind::kText;
      if (!isFigure)
        appendField(csv, row[column].text, false);
      else if (!std::isnan(row[column].number))
        appendField(csv, fmt::format("{}", row[column].number), true);
    }
    csv += "\r\n";
  }
  return csv;
}

std::string reportNodeLabel(const GraphReport& graph, int32_t node) {
  if (node < 0 || static_cast<size_t>(node) >= graph.nodes.size()) return "-";
  const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
  return nodeName(report.name, report.opType, static_cast<size_t>(node));
}

std::string reportValueName(const GraphReport& graph, int32_t value) {
  return value < 0 || static_cast<size_t>(value) >= graph.values.size() ? "-"
                                                                        : graph.values[static_cast<size_t>(value)].name;
}

}  // namespace cutaway::ui

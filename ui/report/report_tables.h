#pragma once
// Every table of a walk as plain rows: the HTML report shows them, exports write them as CSV.
//
// Thread rule: pure over an immutable walk.
// Example: for (const ReportTable& table : reportTables(*walk)) save(table.id + ".csv", tableCsv(table));

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

enum class ColumnKind : uint8_t { kText, kCount, kBytes, kTime, kPercent, kReal };
const char* columnKindId(ColumnKind kind);  // "text", "count", "bytes", "time", "percent", "real"

struct ReportColumn {
  std::string title;
  ColumnKind kind = ColumnKind::kText;
};

// A word, or a figure in the column's unit (bytes, nanoseconds, percent); a figure that is not known is NaN.
struct ReportCell {
  ReportCell(std::string words) : text(std::move(words)) {}  // NOLINT: rows are written as lists of words and figures
  ReportCell(const char* words) : text(words) {}             // NOLINT
  ReportCell(const SharedText& words) : text(words.string()) {}  // NOLINT
  ReportCell(double figure) : number(figure) {}                  // NOLINT
  template <typename Count, std::enable_if_t<std::is_integral_v<Count>, int> = 0>
  ReportCell(Count count)  // NOLINT: a count of a report is not known where it is negative
      : number(std::cmp_less(count, 0) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(count)) {}
  std::string text;
  double number = 0;
};

struct ReportTable {
  std::string id;  // "refusals", "order-0": a file name
  Stage stage = Stage::kLoad;
  std::string title;
  std::vector<ReportColumn> columns;
  std::vector<std::vector<ReportCell>> rows;
  std::string
      version{};  // of the graph that `nodes` refers to: "loaded", "optimized", "partitioned"; empty: rows are no nodes
  int32_t graph = 0;
  std::vector<int32_t> nodes{};  // one per row, kNone: none
};

// In the order of the walk; stages that did not run have none.
std::vector<ReportTable> reportTables(const WalkReport& walk);

// RFC 4180, with titles; figures as plain numbers, so that spreadsheets can add them. Cells that a spreadsheet would
// take for a formula are quoted with an apostrophe.
std::string tableCsv(const ReportTable& table);

// As people read it: "3.1 MB", "1.25 ms", "12,345"; "" for what is not known.
std::string cellText(const ReportTable& table, size_t row, size_t column);

// "relu_3" or, for nodes without a name, "Relu #3".
std::string reportNodeLabel(const GraphReport& graph, int32_t node);
std::string reportValueName(const GraphReport& graph, int32_t value);

}  // namespace cutaway::ui

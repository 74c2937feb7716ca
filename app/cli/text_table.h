#pragma once
// Aligned tables on standard output.
//
// Where rows are of one type, a column is written once, with what stands in it:
//   TableOf<CopyReport> table({{"value", &CopyReport::value}, {">bytes", bytesOf}});
//   for (const CopyReport& copy : copies) table.add(copy);
//   table.print();

#include <functional>
#include <string>
#include <vector>

namespace cutaway::cli {

class TextTable {
 public:
  // A title that starts with '>' is aligned to the right.
  explicit TextTable(std::vector<std::string> titles);
  void add(std::vector<std::string> cells);
  // Cells longer than `widest` are cut with "..."; rows after `most` are counted instead of shown (0: all).
  void print(size_t most = 0, size_t widest = 72) const;
  bool empty() const { return m_rows.empty(); }
  // A row of its own that goes on with the last column of the row above.
  void addBelow(std::string lastCell);

 private:
  std::vector<std::string> m_titles;
  std::vector<bool> m_right;
  std::vector<std::vector<std::string>> m_rows;
};

template <typename Row>
struct TextColumn {
  std::string title;  // as in TextTable
  std::function<std::string(const Row&)> text;
};

template <typename Row>
class TableOf {
 public:
  explicit TableOf(std::vector<TextColumn<Row>> columns) : m_columns(std::move(columns)), m_table(titles(m_columns)) {}
  TableOf(std::vector<TextColumn<Row>> columns, const std::vector<Row>& rows) : TableOf(std::move(columns)) {
    for (const Row& row : rows)
      add(row);
  }
  void add(const Row& row) {
    std::vector<std::string> cells;
    for (const TextColumn<Row>& column : m_columns)
      cells.push_back(column.text(row));
    m_table.add(std::move(cells));
  }
  void addBelow(std::string lastCell) { m_table.addBelow(std::move(lastCell)); }
  void print(size_t most = 0, size_t widest = 72) const { m_table.print(most, widest); }
  bool empty() const { return m_table.empty(); }

 private:
  static std::vector<std::string> titles(const std::vector<TextColumn<Row>>& columns) {
    std::vector<std::string> titles;
    for (const TextColumn<Row>& column : columns)
      titles.push_back(column.title);
    return titles;
  }

  std::vector<TextColumn<Row>> m_columns;
  TextTable m_table;
};

// A figure of a row, written by one of the report's functions: formatBytes, formatCount, formatTime.
template <typename Row, typename Figure>
std::function<std::string(const Row&)> written(Figure Row::* figure, std::string (*write)(int64_t)) {
  return [=](const Row& row) { return write(row.*figure); };
}

}  // namespace cutaway::cli

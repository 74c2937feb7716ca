#pragma once
// Aligned tables on standard output.
//
// Thread rule: plain value. Example: TextTable table({"node", "time"});  table.add({"conv1", "1.2 ms"}); table.print();

#include <string>
#include <vector>

namespace cutaway::cli {

// Control characters of hostile names must not reach the terminal: each becomes '?'. UTF-8 passes.
std::string printable(const std::string& text);

class TextTable {
 public:
  // A title that starts with '>' is aligned to the right.
  explicit TextTable(std::vector<std::string> titles);
  void add(std::vector<std::string> cells);
  // Cells longer than `widest` are cut with "..."; rows after `most` are counted instead of shown (0: all).
  void print(size_t most = 0, size_t widest = 72) const;
  bool empty() const { return m_rows.empty(); }

 private:
  std::vector<std::string> m_titles;
  std::vector<bool> m_right;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace cutaway::cli

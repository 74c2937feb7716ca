#include "app/cli/text_table.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "app/cli/output.h"
#include "engine/base/printable.h"

namespace cutaway::cli {

namespace {

// Columns count code points.
size_t width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string cut(std::string text, size_t widest) {
  if (width(text) <= widest) return text;
  size_t at = 0;
  for (size_t points = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && points++ == widest - 3) break;
  }
  return text.substr(0, at) + "...";
}

}  // namespace

TextTable::TextTable(std::vector<std::string> titles) : m_titles(std::move(titles)) {
  for (std::string& title : m_titles) {
    m_right.push_back(!title.empty() && title.front() == '>');
    if (m_right.back()) title.erase(0, 1);
  }
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(m_titles.size());
  for (std::string& cell : cells)
    cell = printable(cell);
  m_rows.push_back(std::move(cells));
}

void TextTable::addBelow(std::string lastCell) {
  std::vector<std::string> cells(m_titles.size() - 1);
  cells.push_back(std::move(lastCell));
  add(std::move(cells));
}

void TextTable::print(size_t most, size_t widest) const {
  const size_t shown = most == 0 ? m_rows.size() : std::min(most, m_rows.size());
  std::vector<size_t> widths;
  for (const std::string& title : m_titles)
    widths.push_back(width(title));
  for (size_t row = 0; row < shown; ++row) {
    for (size_t column = 0; column < widths.size(); ++column)
      widths[column] = std::max(widths[column], std::min(widest, width(m_rows[row][column])));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = " ";
    for (size_t column = 0; column < widths.size(); ++column) {
      const std::string cell = cut(cells[column], widest);
      const std::string padding(widths[column] - width(cell), ' ');
      text += " " + (m_right[column] ? padding + cell : cell + padding) + " ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    put("{}\n", text);
  };
  line(m_titles);
  for (size_t row = 0; row < shown; ++row)
    line(m_rows[row]);
  if (shown < m_rows.size()) put("  ... and {} more\n", m_rows.size() - shown);
}

}  // namespace cutaway::cli

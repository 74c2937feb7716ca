#include <algorithm>

#include "sweep/answers/matrix.h"

#include "engine/base/format.h"
#include "engine/base/printable.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kWidestModel = 48, kWidestCell = 26;

std::string padded(const std::string& text, size_t width, bool toTheRight) {
  const size_t length = static_cast<size_t>(
      std::ranges::count_if(text, [](char each) { return (static_cast<unsigned char>(each) & 0xC0) != 0x80; }));
  const std::string space(width > length ? width - length : 0, ' ');
  return toTheRight ? space + text : text + space;
}

// The end of a path says more than its beginning.
std::string shortened(const std::string& text, size_t widest, bool keepEnd) {
  if (text.size() <= widest) return text;
  size_t begin = keepEnd ? text.size() - widest + 3 : 0;
  size_t end = keepEnd ? text.size() : widest - 3;
  const auto isInside = [&](size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (isInside(begin))
    ++begin;
  while (end > 0 && isInside(end))
    --end;
  return keepEnd ? "..." + text.substr(begin) : text.substr(0, end) + "...";
}

}  // namespace

std::string matrixText(const Matrix& matrix) {
  std::vector<std::vector<std::string>> rows(1 + matrix.models.size());
  rows[0].push_back("model");
  for (const std::string& configuration : matrix.configurations)
    rows[0].push_back(shortened(printable(configuration), kWidestCell, false));
  for (size_t m = 0; m < matrix.models.size(); ++m) {
    rows[m + 1].push_back(shortened(printable(matrix.models[m]), kWidestModel, true));
    for (size_t c = 0; c < matrix.configurations.size(); ++c)
      rows[m + 1].push_back(shortened(printable(cellText(matrix.at(m, c))), kWidestCell, false));
  }
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += (i > 0 ? "  " : "") + padded(row[i], widths[i], i > 0);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : matrix.outcomes)
    counts.push_back(fmt::format("{} {}", count, outcomeName(outcome)));
  if (matrix.open > 0) counts.push_back(fmt::format("{} open", matrix.open));
  return text + fmt::format("\n{} jobs: {}\n", formatCount(matrix.jobs), fmt::join(counts, ", "));
}

}  // namespace cutaway::sweep

#include "app/cli/html_writer.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace cutaway::cli {

namespace {

// Length of a well-formed UTF-8 sequence at the start of text, 0 when there is none.
size_t utf8Length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

const char* entityOf(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return nullptr;
  }
}

}  // namespace

std::string escapeHtml(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8Length(text);
    const char c = text.front();
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')) {
      escaped += "\xef\xbf\xbd";  // U+FFFD, the replacement character
    } else if (const char* entity = length == 1 ? entityOf(c) : nullptr) {
      escaped += entity;
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return escaped;
}

void HtmlWriter::section(std::string_view id, std::string_view title, std::string_view summary) {
  m_html += fmt::format("<section id=\"{}\"><h2>{}</h2><p class=\"summary\">{}</p>\n", id, escapeHtml(title), escapeHtml(summary));
}

void HtmlWriter::paragraph(std::string_view text) { m_html += "<p>" + escapeHtml(text) + "</p>\n"; }

void HtmlWriter::heading(std::string_view text) { m_html += "<h3>" + escapeHtml(text) + "</h3>\n"; }

void HtmlWriter::table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows, size_t most) {
  if (rows.empty()) {
    m_html += "<p class=\"empty\">None.</p>\n";
    return;
  }
  const auto isRight = [&](size_t column) { return !titles[column].empty() && titles[column].front() == '>'; };
  m_html += "<div class=\"scroll\"><table><thead><tr>";
  for (size_t column = 0; column < titles.size(); ++column) {
    m_html += fmt::format("<th{}>{}</th>", isRight(column) ? " class=\"right\"" : "", escapeHtml(isRight(column) ? std::string_view(titles[column]).substr(1) : std::string_view(titles[column])));
  }
  m_html += "</tr></thead><tbody>\n";
  for (size_t row = 0; row < std::min(most, rows.size()); ++row) {
    m_html += "<tr>";
    for (size_t column = 0; column < rows[row].size() && column < titles.size(); ++column) m_html += fmt::format("<td{}>{}</td>", isRight(column) ? " class=\"right\"" : "", escapeHtml(rows[row][column]));
    m_html += "</tr>\n";
  }
  m_html += "</tbody></table></div>\n";
  if (rows.size() > most) m_html += fmt::format("<p class=\"empty\">... and {} more rows; `cutaway-cli ... --json` has them all.</p>\n", rows.size() - most);
}

}  // namespace cutaway::cli

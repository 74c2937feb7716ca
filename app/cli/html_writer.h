#pragma once
// Small pieces of HTML: escaped text, tables, cards. No template engine, because a report is a dozen tables.
//
// Thread rule: plain value. Example: HtmlWriter html;  html.heading("Partition");  html.table({"node", "time"}, rows);

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::cli {

// & < > " ' replaced, and bytes that are not UTF-8 or are control characters too: names come from the model.
std::string escapeHtml(std::string_view text);

class HtmlWriter {
 public:
  void raw(std::string_view html) { m_html += html; }
  void text(std::string_view text) { m_html += escapeHtml(text); }
  void section(std::string_view id, std::string_view title, std::string_view summary);
  void endSection() { m_html += "</section>\n"; }
  void paragraph(std::string_view text);
  void heading(std::string_view text);
  // Titles starting with '>' are right-aligned. After `most` rows the rest is counted.
  void table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows, size_t most = 400);

  const std::string& html() const { return m_html; }

 private:
  std::string m_html;
};

}  // namespace cutaway::cli

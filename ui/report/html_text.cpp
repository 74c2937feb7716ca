// Escaping for HTML and for data inside a script element.
#include "ui/report/html_text.h"

#include <algorithm>

#include "engine/base/printable.h"

namespace cutaway::ui {

namespace {

const char* entityOf(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return nullptr;
  }
}

// What neither HTML nor the XML of its pictures may hold: broken characters, controls, U+FFFE and U+FFFF.
bool isForbidden(std::string_view text, size_t length) {
  const auto first = static_cast<unsigned char>(text.front());
  if (length <= 1) return length == 0 || first == 0x7f || (first < 0x20 && first != '\n' && first != '\t');
  return text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
}

}  // namespace

std::string escapeHtml(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8Length(text);
    const char c = text.front();
    if (isForbidden(text, length)) {
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

std::string escapeScriptData(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<')
      escaped += "\\u003c";
    else if (c == '>')
      escaped += "\\u003e";
    else if (c == '&')
      escaped += "\\u0026";
    else if (c == '\x7f')
      escaped += "\\u007f";
    else if (json.substr(i, 3) == "\xe2\x80\xa8" || json.substr(i, 3) == "\xe2\x80\xa9") {
      escaped += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      escaped += c;
  }
  return escaped;
}

}  // namespace cutaway::ui

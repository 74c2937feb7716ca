#include "engine/base/quote.h"

#include <spdlog/fmt/fmt.h>

namespace cutaway {
namespace {

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

bool isIdentifier(std::string_view text) {
  if (text.empty() || !isLetter(text.front())) return false;
  for (const char c : text) {
    if (!isLetter(c) && !isDigit(c)) return false;
  }
  return true;
}

std::string quotedText(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (byte < 0x20 || byte == 0x7F) {
          result += fmt::format("\\x{:02x}", byte);
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

std::string identifierOrQuoted(std::string_view text) {
  return isIdentifier(text) ? std::string(text) : quotedText(text);
}

}  // namespace cutaway

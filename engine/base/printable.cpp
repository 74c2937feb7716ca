#include "engine/base/printable.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace cutaway {
namespace {

// Of a well-formed character.
uint32_t codePoint(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(character[i])); };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
}

bool isHarmless(uint32_t point) {
  const bool isControl = point < 0x20 || (point >= 0x7F && point < 0xA0);
  const bool turnsText = point == 0x061C || point == 0x200E || point == 0x200F ||
                         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  const bool isNoCharacter = point == 0xFEFF || (point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF);
  return !isControl && !turnsText && !isNoCharacter;
}

bool isPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

size_t utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                        : (lead & 0xF0) == 0xE0        ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond Unicode.
  const uint32_t point = codePoint(text.substr(0, length));
  if (length == 3 && (point < 0x800 || (point >= 0xD800 && point <= 0xDFFF))) return 0;
  if (length == 4 && (point < 0x10000 || point > 0x10FFFF)) return 0;
  return length;
}

std::string printable(std::string_view text) {
  if (isPlain(text)) return std::string(text);
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8Length(text);
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const uint32_t point = codePoint(text.substr(0, length));
    if (isHarmless(point))
      shown += text.substr(0, length);
    else
      shown += point < 0x80 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{{{:x}}}", point);
    text.remove_prefix(length);
  }
  return shown;
}

std::string shortenedText(std::string_view text, size_t mostBytes) {
  if (text.size() <= mostBytes) return std::string(text);
  size_t end = mostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return fmt::format("{}... ({} bytes)", text.substr(0, end), text.size());
}

}  // namespace cutaway

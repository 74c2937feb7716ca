#pragma once
// Text from models and files as terminals, pictures and pages may show it: the one place where it is made harmless.
//
// Thread rule: pure. Example: printable("a\x1b[2J") == "a\\x1b[2J";  printable("\xff") == "\\xff".

#include <string>
#include <string_view>

namespace cutaway {

// Length of the well-formed UTF-8 character that text begins with; 0: there is none.
size_t utf8Length(std::string_view text);
// Control characters, those that turn the direction of text, and bytes that are no UTF-8, as escapes: \x1b, \u{202e}.
// Everything else stays.
std::string printable(std::string_view text);
// At most so many bytes, whole characters; what is cut is said: "abc... (1,234 bytes)".
std::string shortenedText(std::string_view text, size_t mostBytes);

}  // namespace cutaway

#pragma once
// Names as text: as they are when they look like identifiers, else in quotes with escapes.
//
// Thread rule: pure. Example: identifierOrQuoted("conv1") == "conv1";  identifierOrQuoted("conv/1") == "\"conv/1\"".

#include <string>
#include <string_view>

namespace cutaway {

// [A-Za-z_][A-Za-z0-9_]*
bool isIdentifier(std::string_view text);
// In double quotes; quotes, backslashes and control characters escaped (\" \\ \n \t \r \x1f). Other bytes stay as they
// are.
std::string quotedText(std::string_view text);
std::string identifierOrQuoted(std::string_view text);

}  // namespace cutaway

#pragma once
// Long names cut to a length, so that different names stay different: what is cut off is told by its hash.
//
// For names that are repeated: what is made of a node, or lies below it, holds the node's name again. A text that
// people only read is cut by shortenedText (printable.h). Thread rule: pure. Example: shortName("stem", 96) == "stem";
// shortName(hundreds of letters, 96).size() <= 96

#include <string>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "engine/base/hash.h"

namespace cutaway {

// At most `mostBytes` (20 or more), whole UTF-8 characters.
inline std::string shortName(std::string_view name, size_t mostBytes) {
  constexpr size_t kMark = 17;  // "~" and 16 digits
  if (name.size() <= mostBytes) return std::string(name);
  size_t end = mostBytes - kMark;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;
  return fmt::format("{}~{:016x}", name.substr(0, end), hash64(name));
}

}  // namespace cutaway

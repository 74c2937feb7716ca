#pragma once
// Which sections of a partition hold nothing but the numbers of constants: whoever restores it computes with them and
// reads nothing else out of them, so that their checksums may wait for the first run.
//
// Thread rule: pure. Example: sections.push_back({fmt::format("{}{}", kPackedSectionPrefix, n), bytes, keepAlive});

#include <string_view>

namespace cutaway::context_binary {

inline constexpr std::string_view kPackedSectionPrefix = "packed ";  // and a number: in the layout of a primitive
inline constexpr std::string_view kRawSectionPrefix = "raw ";        // and a number: as the model has them

inline bool isNumberSection(std::string_view name) {
  return name.starts_with(kPackedSectionPrefix) || name.starts_with(kRawSectionPrefix);
}

}  // namespace cutaway::context_binary

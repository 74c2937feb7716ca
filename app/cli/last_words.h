#pragma once
// What the program says where a fault ends it.
//
// An input that became shorter while it was read, or whose disk failed: weights are mapped and never copied, and the
// system answers with SIGBUS where a page is gone. The program says which file, keeps what a forced end keeps, and ends
// as with any file that cannot be read. Every other fault is told with what was being done, and then ends the program
// as ever.
//
// Thread rule: tellLastWords() once, by main's thread. Example: tellLastWords("cutaway-cli");

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::cli {

void tellLastWords(std::string_view program);  // which lives as long as the program
// The file that is mapped at this address, as the system names it; nullopt: none, or memory that is shared for writing.
std::optional<std::string> fileMappedAt(uintptr_t address);

}  // namespace cutaway::cli

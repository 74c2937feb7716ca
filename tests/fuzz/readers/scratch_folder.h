#pragma once
// A folder in memory of this process alone, for readers that want files; it ends with the process.
//
// Beside what targets put there lies what models name as external data: w.bin (256 bytes), empty.bin, and outside.bin,
// which leads out of the folder. Thread rule: one thread. Example:
//   const std::filesystem::path file = fileInScratch("tensor.pb", bytes);

#include <filesystem>
#include <string_view>

namespace cutaway::fuzz {

const std::filesystem::path& scratchFolder();
// Written anew.
std::filesystem::path fileInScratch(std::string_view name, std::string_view bytes);

}  // namespace cutaway::fuzz

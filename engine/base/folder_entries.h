#pragma once
// What lies in a folder, by opendir and readdir.
//
// std::filesystem's iterators end the program where memory runs out between two entries (their step is noexcept and
// allocates), and a range-for over one throws where a folder is taken away meanwhile.
// Thread rule: pure; any thread. Example: for (const std::filesystem::path& entry : folderEntries("models")) ...

#include <filesystem>
#include <vector>

namespace cutaway {

// Paths of the entries ("models/a.onnx"), sorted; empty for a folder that is not there or cannot be read. Throws
// std::bad_alloc alone.
std::vector<std::filesystem::path> folderEntries(const std::filesystem::path& folder);

// Everything below, folders before what is in them, sorted in each folder. Links to folders are not entered.
std::vector<std::filesystem::path> entriesBelow(const std::filesystem::path& folder);

}  // namespace cutaway

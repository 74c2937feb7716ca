#pragma once
// What a shared library is, read from its head before anybody opens it.
//
// Thread rule: pure. Example: if (const std::string problem = libraryProblem(path); !problem.empty()) refuse(problem);

#include <filesystem>
#include <string>
#include <string_view>

namespace cutaway::onnxruntime {

// Why the file cannot be opened as a library here: missing, no ELF file, no shared library, made for another
// architecture. Empty: it can.
std::string libraryProblem(const std::filesystem::path& path);

// Whether its dynamic symbols name this function as its own; the file is read and not opened. False for damaged files.
bool exportsSymbol(const std::filesystem::path& path, std::string_view name);

}  // namespace cutaway::onnxruntime

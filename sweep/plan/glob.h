#pragma once
// Globs of a plan: `*` and `?` stay within a folder's name, `**` goes through folders, and a folder stands for the
// models below it.
//
// Thread rule: pure apart from the file system. Example: filesOf(folder, "corpus/**/*.onnx");  globMatches("cpu*",
// name)

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::sweep {

bool globMatches(std::string_view pattern, std::string_view text);
// Regular files, sorted. Patterns that do not begin with '/' start at `folder`; links to folders are not entered.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder, const std::string& pattern);
// Sorted; links to folders are not entered.
std::vector<std::filesystem::path> modelsBelow(const std::filesystem::path& folder);
// Whether a file is named as an archive of models: .tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.bz2, .tar.zst.
bool isPack(const std::filesystem::path& path);

}  // namespace cutaway::sweep

#include "sweep/plan/glob.h"

#include <algorithm>

#include "engine/base/folder_entries.h"

namespace cutaway::sweep {

namespace {

constexpr std::string_view kModelEndings[] = {".onnx", ".ort", ".textproto"};
constexpr std::string_view kPackEndings[] = {".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst"};

bool isModel(const std::filesystem::path& path) {
  return std::ranges::find(kModelEndings, path.extension().string()) != std::end(kModelEndings);
}

}  // namespace

// Every prefix of the pattern is kept as "which prefixes of the text does it match", so that no pattern costs more than
// the product of both lengths.
bool globMatches(std::string_view pattern, std::string_view text) {
  std::vector<char> reached(text.size() + 1, 0);
  reached[0] = 1;
  for (size_t at = 0; at < pattern.size(); ++at) {
    std::vector<char> next(text.size() + 1, 0);
    if (pattern[at] == '*') {
      const bool deep = at + 1 < pattern.size() && pattern[at + 1] == '*';
      bool open = false;
      for (size_t i = 0; i <= text.size(); ++i) {
        if (i > 0 && !deep && text[i - 1] == '/') open = false;
        open = open || reached[i] != 0;
        next[i] = open ? 1 : 0;
      }
      if (deep) {
        ++at;
        // "**/" is also nothing: "a/**/b" is "a/b" as well.
        if (at + 1 < pattern.size() && pattern[at + 1] == '/') {
          ++at;
          std::vector<char> behind = reached;
          for (size_t i = 0; i < text.size(); ++i) {
            if (next[i] != 0 && text[i] == '/') behind[i + 1] = 1;
          }
          next = std::move(behind);
        }
      }
    } else {
      for (size_t i = 0; i < text.size(); ++i) {
        const bool same = pattern[at] == '?' ? text[i] != '/' : pattern[at] == text[i];
        if (same && reached[i] != 0) next[i + 1] = 1;
      }
    }
    reached = std::move(next);
  }
  return reached[text.size()] != 0;
}

std::vector<std::filesystem::path> modelsBelow(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& each : entriesBelow(folder)) {
    if (isModel(each) && std::filesystem::is_regular_file(each, ignored)) files.push_back(each);
  }
  return files;
}

bool isPack(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return std::ranges::any_of(kPackEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder, const std::string& pattern) {
  std::error_code ignored;
  const std::filesystem::path whole = (folder / pattern).lexically_normal();
  if (std::filesystem::is_regular_file(whole, ignored)) return {whole};
  if (std::filesystem::is_directory(whole, ignored)) return modelsBelow(whole);
  std::vector<std::filesystem::path> files;
  std::filesystem::path fixed;  // the part without wildcards: the search begins there
  for (const std::filesystem::path& part : whole.parent_path()) {
    if (part.string().find_first_of("*?") != std::string::npos) break;
    fixed /= part;
  }
  const bool deep = whole.string().find_first_of("*?") < whole.parent_path().string().size();
  for (const std::filesystem::path& each : deep ? entriesBelow(fixed) : folderEntries(fixed)) {
    if (globMatches(whole.string(), each.string()) && std::filesystem::is_regular_file(each, ignored))
      files.push_back(each);
  }
  return files;
}

}  // namespace cutaway::sweep

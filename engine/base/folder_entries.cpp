#include "engine/base/folder_entries.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

#include <dirent.h>
#include <sys/stat.h>

namespace cutaway {

namespace fs = std::filesystem;

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

bool isFolderItself(const fs::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

std::vector<fs::path> folderEntries(const fs::path& folder) {
  std::vector<fs::path> entries;
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (open == nullptr && errno == ENOMEM) throw std::bad_alloc();
  if (open == nullptr) return entries;
  while (const dirent* const each = ::readdir(open.get())) {
    const std::string_view name = each->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
  }
  std::ranges::sort(entries);
  return entries;
}

std::vector<fs::path> entriesBelow(const fs::path& folder) {
  std::vector<fs::path> found;
  std::vector<fs::path> waiting = folderEntries(folder);  // the next one at the end
  std::ranges::reverse(waiting);
  while (!waiting.empty()) {
    found.push_back(std::move(waiting.back()));
    waiting.pop_back();
    if (!isFolderItself(found.back())) continue;
    std::vector<fs::path> inner = folderEntries(found.back());
    waiting.insert(waiting.end(), std::make_move_iterator(inner.rbegin()), std::make_move_iterator(inner.rend()));
  }
  return found;
}

}  // namespace cutaway

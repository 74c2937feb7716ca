#include "engine/base/program_place.h"

#include <algorithm>
#include <system_error>

#include <dlfcn.h>

#include "engine/base/short_memory.h"

namespace cutaway {

namespace fs = std::filesystem;

namespace {

bool liesBelow(const fs::path& folder, const fs::path& root) {
  const auto [inRoot, inFolder] = std::mismatch(root.begin(), root.end(), folder.begin(), folder.end());
  return inRoot == root.end();
}

}  // namespace

fs::path programFolder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

fs::path libraryFolder() {
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(&libraryFolder), &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code problem;
  const fs::path file = fs::canonical(found.dli_fname, problem);
  throwIfShort(problem);
  if (file.empty() || file == fs::read_symlink("/proc/self/exe", problem)) return {};
  return file.parent_path();
}

std::vector<fs::path> foldersOfBuild(const fs::path& build, const std::vector<fs::path>& folders) {
  std::error_code problem;
  const fs::path root = fs::weakly_canonical(build, problem);
  throwIfShort(problem);
  const fs::path program = programFolder();
  if (root.empty() || program.empty() || !liesBelow(program, root)) return {};
  return folders;
}

}  // namespace cutaway

#include "engine/base/cache_folder.h"

#include <cstdlib>

namespace cutaway {

std::filesystem::path userCacheFolder(std::string_view name) {
  namespace fs = std::filesystem;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "cutaway" / name;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "cutaway" / name : fs::path();
}

}  // namespace cutaway

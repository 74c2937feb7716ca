#pragma once
// Where this program keeps what it can make again, under the user's own folder for such things.
//
// Thread rule: any thread, as the environment is. Example: const std::filesystem::path folder =
// userCacheFolder("tuned");

#include <filesystem>
#include <string_view>

namespace cutaway {

// $XDG_CACHE_HOME/cutaway/<name>, or ~/.cache/cutaway/<name>; empty where neither is known. It need not be there.
std::filesystem::path userCacheFolder(std::string_view name);

}  // namespace cutaway

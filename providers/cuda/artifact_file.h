#pragma once
// One artifact in a file: key and bytes with a checksum, written whole or not at all. A file that is damaged, or of
// another key, is as if it were not there.
//
// Thread rule: any thread and process. Example: writeArtifact(folder, key, bytes);  if (readArtifact(folder, key,
// bytes)) use(bytes);

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::cuda {

// Name from the key's hash: two keys of one hash take turns.
std::filesystem::path artifactPath(const std::filesystem::path& folder, std::string_view key);
bool readArtifact(const std::filesystem::path& folder, std::string_view key, std::vector<std::byte>& bytes);
// Makes the folder where it is missing.
Result<void> writeArtifact(const std::filesystem::path& folder, std::string_view key, std::span<const std::byte> bytes);

// userCacheFolder("cuda")
std::filesystem::path userArtifactFolder();

}  // namespace cutaway::cuda

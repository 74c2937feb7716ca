// The file: magic, sizes of key and bytes, key, bytes, XXH64 of all before.
#include "providers/cuda/artifact_file.h"

#include <array>
#include <cstring>

#include <spdlog/fmt/fmt.h>

#include "engine/base/cache_folder.h"
#include "engine/base/file_begin.h"
#include "engine/base/hash.h"
#include "engine/base/new_file.h"

namespace cutaway::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMagic{'C', 'T', 'W', 'Y', 'G', 'P', 'U', '1'};
constexpr size_t kHeaderBytes = kMagic.size() + 2 * sizeof(uint64_t);
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

void append(std::vector<std::byte>& to, const void* from, size_t sizeBytes) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + sizeBytes);
}

uint64_t numberAt(std::span<const std::byte> bytes, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

std::vector<std::byte> wholeFile(const fs::path& path) {
  std::error_code problem;
  const uintmax_t size = fs::file_size(path, problem);
  if (problem || size < kHeaderBytes + sizeof(uint64_t) || size > kMostBytes) return {};
  const std::string bytes = fileBegin(path, static_cast<size_t>(size)).value_or("");
  if (bytes.size() != size) return {};
  const auto whole = std::as_bytes(std::span(bytes));
  return {whole.begin(), whole.end()};
}

}  // namespace

fs::path artifactPath(const fs::path& folder, std::string_view key) {
  return folder / fmt::format("{:016x}.artifact", hash64(key));
}

bool readArtifact(const fs::path& folder, std::string_view key, std::vector<std::byte>& bytes) {
  const std::vector<std::byte> file = wholeFile(artifactPath(folder, key));
  if (file.empty() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) return false;
  const uint64_t keyBytes = numberAt(file, kMagic.size()), size = numberAt(file, kMagic.size() + sizeof(uint64_t));
  const size_t body = file.size() - kHeaderBytes - sizeof(uint64_t);
  if (keyBytes > body || size != body - keyBytes) return false;
  if (numberAt(file, file.size() - sizeof(uint64_t)) != hash64(std::span(file).first(file.size() - sizeof(uint64_t))))
    return false;
  if (keyBytes != key.size() || std::memcmp(file.data() + kHeaderBytes, key.data(), key.size()) != 0) return false;
  const auto from = file.begin() + static_cast<ptrdiff_t>(kHeaderBytes + key.size());
  bytes.assign(from, from + static_cast<ptrdiff_t>(size));
  return true;
}

Result<void> writeArtifact(const fs::path& folder, std::string_view key, std::span<const std::byte> bytes) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kFail, "the folder {} cannot be made: {}", folder.string(), problem.message());
  std::vector<std::byte> file;
  file.reserve(kHeaderBytes + key.size() + bytes.size() + sizeof(uint64_t));
  const uint64_t sizes[2] = {key.size(), bytes.size()};
  append(file, kMagic.data(), kMagic.size());
  append(file, sizes, sizeof(sizes));
  append(file, key.data(), key.size());
  append(file, bytes.data(), bytes.size());
  const uint64_t sum = hash64(file);
  append(file, &sum, sizeof(sum));
  CUTAWAY_TRY(const auto target, NewFile::create(artifactPath(folder, key), {.overwrite = true}));
  CUTAWAY_CHECK(target->write(file));
  return target->publish();
}

fs::path userArtifactFolder() {
  return userCacheFolder("cuda");
}

}  // namespace cutaway::cuda

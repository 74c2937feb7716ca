#include "sweep/plan/model_hash.h"

#include <cerrno>
#include <cstring>
#include <set>

#include <fcntl.h>

#include "engine/base/file_descriptor.h"
#include "engine/base/folder_entries.h"
#include "engine/base/hash.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kChunkBytes = 4 * 1024 * 1024;
constexpr size_t kLongestName = 1024;  // of a file that a model names

struct Hasher {
  uint64_t a = 0, b = 0x9E3779B97F4A7C15;
  int64_t size = 0;
  void add(std::string_view bytes) {
    a = hash64(bytes, a);
    b = hash64(bytes, b);
    size += static_cast<int64_t>(bytes.size());
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", a, b); }
};

// A varint of at most two bytes at `at`: names of files are no longer than that. 0: none.
size_t shortLength(std::string_view bytes, size_t& at) {
  if (at >= bytes.size()) return 0;
  size_t length = static_cast<uint8_t>(bytes[at++]);
  if (length < 0x80) return length;
  if (at >= bytes.size()) return 0;
  const size_t high = static_cast<uint8_t>(bytes[at++]);
  return high < 0x80 ? (length & 0x7f) | (high << 7) : 0;
}

// Names of files in a model, by how protobuf writes them: an entry {key: "location", value: NAME} of external data
// (fields 1 and 2 of onnx.proto's StringStringEntryProto), an attribute {name: "ep_cache_context", s: NAME} (1 and 4).
// What looks so and is none names no file, or one that is hashed for nothing.
void addNames(std::string_view bytes, std::set<std::string>& names) {
  using namespace std::string_view_literals;
  for (const std::string_view mark : {"\x0a\x08location\x12"sv,
                                      "\x0a\x10"
                                      "ep_cache_context\x22"sv}) {
    for (size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + 1)) {
      size_t begin = at + mark.size();
      const size_t length = shortLength(bytes, begin);
      if (length > 0 && length <= kLongestName && begin + length <= bytes.size())
        names.emplace(bytes.substr(begin, length));
    }
  }
}

// Every chunk is looked at together with the end of the one before, where a name may begin.
Result<void> addFile(const std::filesystem::path& path, Hasher& hasher, std::set<std::string>* names) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid())
    return fail(errno == ENOENT ? ErrorCode::kNoSuchFile : ErrorCode::kFail, "'{}' cannot be read: {}", path.string(),
                std::strerror(errno));
  std::string bytes;
  size_t kept = 0;
  while (true) {
    bytes.resize(kept + kChunkBytes);
    size_t filled = kept;
    ssize_t count = 1;
    while (filled < bytes.size() && (count = ::read(file.get(), bytes.data() + filled, bytes.size() - filled)) > 0)
      filled += static_cast<size_t>(count);
    if (count < 0) return fail(ErrorCode::kFail, "'{}' cannot be read: {}", path.string(), std::strerror(errno));
    bytes.resize(filled);
    if (filled > kept) hasher.add(std::string_view(bytes).substr(kept));
    if (names != nullptr) addNames(bytes, *names);
    if (count == 0) return {};
    const size_t tail = names == nullptr ? 0 : std::min(filled, 2 * kLongestName);
    bytes.erase(0, filled - tail);
    kept = tail;
  }
}

// Only files in the model's folder or below: others are refused when it is loaded.
bool isBeside(const std::string& name) {
  const std::filesystem::path path(name);
  if (path.is_absolute() || name.find('\0') != std::string::npos) return false;
  for (const std::filesystem::path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

}  // namespace

std::string hashText(std::string_view text) {
  Hasher hasher;
  hasher.add(text);
  return hasher.text();
}

Result<std::string> hashFile(const std::filesystem::path& file) {
  Hasher hasher;
  CUTAWAY_CHECK(addFile(file, hasher, nullptr));
  return hasher.text();
}

bool hasTestData(const std::filesystem::path& model) {
  for (const std::filesystem::path& each : folderEntries(model.parent_path())) {
    if (each.filename().string().starts_with("test_data_set_")) return model.filename() == "model.onnx";
  }
  return false;
}

Result<ModelBytes> hashModel(const std::filesystem::path& model, bool withTestData) {
  Hasher hasher;
  std::set<std::string> names;
  CUTAWAY_CHECK(addFile(model, hasher, &names));
  std::error_code ignored;
  for (const std::string& name : names) {
    const std::filesystem::path path = model.parent_path() / name;
    if (!isBeside(name) || !std::filesystem::is_regular_file(path, ignored)) continue;
    hasher.add(name);
    CUTAWAY_CHECK(addFile(path, hasher, nullptr));
  }
  for (const std::filesystem::path& folder :
       withTestData ? folderEntries(model.parent_path()) : std::vector<std::filesystem::path>{}) {
    if (!folder.filename().string().starts_with("test_data_set_")) continue;
    for (const std::filesystem::path& each : folderEntries(folder)) {
      if (!std::filesystem::is_regular_file(each, ignored)) continue;
      hasher.add((folder.filename() / each.filename()).string());
      CUTAWAY_CHECK(addFile(each, hasher, nullptr));
    }
  }
  return ModelBytes{hasher.text(), hasher.size};
}

}  // namespace cutaway::sweep

#include "engine/stages/load/external_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "engine/base/checked_math.h"

namespace cutaway {

namespace {

namespace fs = std::filesystem;

// ORT marks tensors that lie in its own memory with this location. From a file it would be a request to read any address.
constexpr std::string_view kMemoryMarker = "*/_ORT_MEM_ADDR_/*";

struct Placement {
  std::string location;
  int64_t offset = 0;
  int64_t length = -1;
};

Result<int64_t> parseCount(std::string_view key, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return fail(ErrorCode::kInvalidGraph, "the {} '{}' of external data is not a count of bytes", key, text);
  return value;
}

Result<Placement> parsePlacement(const ExternalReference& reference) {
  Placement placement;
  int locations = 0;
  for (const auto& [key, value] : reference.entries) {
    if (key == "location") {
      ++locations;
      placement.location = value;
    } else if (key == "offset") {
      CUTAWAY_TRY(placement.offset, parseCount(key, value));
    } else if (key == "length") {
      CUTAWAY_TRY(placement.length, parseCount(key, value));
    }
  }
  if (locations != 1 || placement.location.empty()) return fail(ErrorCode::kInvalidGraph, "external data needs exactly one location, it has {}", locations);
  return placement;
}

bool isInside(const fs::path& path, const fs::path& folder) {
  const auto [left, right] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return left == folder.end() || (std::next(left) == folder.end() && left->empty());
}

}  // namespace

ExternalFiles::ExternalFiles(fs::path folder, fs::path otherFolder, bool allowMissing) : m_folder(folder.empty() ? fs::path(".") : std::move(folder)), m_allowMissing(allowMissing) {
  for (const fs::path& each : {m_folder, otherFolder}) {
    if (each.empty()) continue;
    std::error_code error;
    fs::path canonical = fs::canonical(each, error);
    if (!error) m_allowed.push_back(std::move(canonical));
  }
}

Result<fs::path> ExternalFiles::checkedPath(const std::string& location) const {
  if (location == kMemoryMarker) return fail(ErrorCode::kInvalidGraph, "the location '{}' points into another program's memory, which a file must not do", location);
  if (location.find('\0') != std::string::npos) return fail(ErrorCode::kInvalidGraph, "the location of external data has a zero byte in it");
  const fs::path relative(location);
  if (relative.is_absolute() || (location.size() > 1 && location[1] == ':') || location.starts_with('\\')) {
    return fail(ErrorCode::kInvalidGraph, "the location '{}' of external data is an absolute path; only files in the model's folder are read", location);
  }
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(m_folder / relative, error);
  if (error) return fail(ErrorCode::kInvalidGraph, "the location '{}' of external data cannot be resolved: {}", location, error.message());
  const bool inside = std::ranges::any_of(m_allowed, [&](const fs::path& folder) { return isInside(resolved, folder); });
  // Without symbolic links the text decides too, so that a folder that does not exist cannot hide a way out.
  const fs::path normal = relative.lexically_normal();
  if (!inside || (!normal.empty() && *normal.begin() == "..")) {
    return fail(ErrorCode::kInvalidGraph, "the location '{}' of external data leaves the model's folder", location);
  }
  return resolved;
}

Result<ExternalFiles::File*> ExternalFiles::open(const std::string& location) {
  if (const auto known = m_byLocation.find(location); known != m_byLocation.end()) return known->second;
  CUTAWAY_TRY(const fs::path path, checkedPath(location));
  auto [entry, isNew] = m_files.try_emplace(path);
  if (isNew) {
    std::error_code error;
    const bool exists = fs::exists(path, error) && !error;
    if (exists && !fs::is_regular_file(path, error)) {
      m_files.erase(entry);
      return fail(ErrorCode::kInvalidGraph, "the location '{}' of external data is not a regular file", location);
    }
    if (exists) {
      auto mapped = MappedFile::open(path);
      if (!mapped) {
        m_files.erase(entry);
        return fail(atFile(std::move(mapped).error(), location));
      }
      entry->second.mapped = *std::move(mapped);
      entry->second.report.fileBytes = static_cast<int64_t>(entry->second.mapped->bytes().size());
    }
    entry->second.report.path = location;
  }
  return m_byLocation[location] = &entry->second;
}

Result<Tensor> ExternalFiles::read(const ExternalReference& reference) {
  CUTAWAY_TRY(const Placement placement, parsePlacement(reference));
  CUTAWAY_TRY(const int64_t needed, byteSize(reference.type, reference.dims));
  if (placement.length >= 0 && placement.length != needed) {
    return fail(ErrorCode::kInvalidGraph, "tensor '{}' needs {} bytes, but its external data says {}", reference.tensorName, needed, placement.length);
  }
  CUTAWAY_TRY(File* const file, open(placement.location));
  if (!file->mapped) {
    if (m_allowMissing) return Tensor();
    return fail(atFile({ErrorCode::kInvalidGraph, fmt::format("the file '{}' with the data of tensor '{}' is missing; it should lie beside the model", placement.location, reference.tensorName), {}}, placement.location));
  }
  const auto bytes = file->mapped->bytes();
  const auto size = static_cast<int64_t>(bytes.size());
  if (placement.offset > size || needed > size - placement.offset) {
    return fail(atFile({ErrorCode::kInvalidGraph, fmt::format("tensor '{}' takes bytes {} to {} of '{}', which has only {}", reference.tensorName, placement.offset, static_cast<uint64_t>(placement.offset) + static_cast<uint64_t>(needed), placement.location, size), {}}, placement.location));
  }
  file->report.usedBytes += needed;
  ++file->report.tensorCount;
  const std::byte* data = bytes.data() + placement.offset;
  const int bits = bitsOf(reference.type);
  const auto alignment = static_cast<uintptr_t>(std::max(1, std::min(bits / 8, 8)));
  if (reinterpret_cast<uintptr_t>(data) % alignment == 0) return Tensor::wrapConst(reference.type, reference.dims, data, file->mapped);
  CUTAWAY_TRY(Tensor copy, Tensor::create(reference.type, reference.dims));
  if (needed > 0) std::memcpy(copy.mutableData(), data, needed);
  m_copiedBytes += needed;
  return copy;
}

std::map<const void*, std::string> ExternalFiles::owners() const {
  std::map<const void*, std::string> owners;
  for (const auto& [path, file] : m_files) {
    if (file.mapped) owners.emplace(file.mapped.get(), file.report.path);
  }
  return owners;
}

std::vector<ExternalFileReport> ExternalFiles::reports() const {
  std::vector<ExternalFileReport> reports;
  for (const auto& [path, file] : m_files) reports.push_back(file.report);
  std::ranges::sort(reports, {}, &ExternalFileReport::path);
  return reports;
}

}  // namespace cutaway

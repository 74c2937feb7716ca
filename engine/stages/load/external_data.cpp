#include "engine/stages/load/external_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/contained_file.h"

namespace cutaway::load {

namespace {

namespace fs = std::filesystem;

// ORT marks tensors that lie in its own memory with this location. From a file it would be a request to read any
// address.
constexpr std::string_view kMemoryMarker = "*/_ORT_MEM_ADDR_/*";

struct Placement {
  std::string location;
  int64_t offset = 0;
  int64_t length = -1;
};

Result<int64_t> parseCount(std::string_view key, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return fail(ErrorCode::kInvalidGraph, "the {} '{}' of external data is not a count of bytes", key, text);
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
  if (locations != 1 || placement.location.empty())
    return fail(ErrorCode::kInvalidGraph, "external data needs exactly one location, it has {}", locations);
  return placement;
}

}  // namespace

ExternalFiles::ExternalFiles(fs::path folder, fs::path otherFolder, bool allowMissing)
    : m_folder(std::move(folder)), m_otherFolder(std::move(otherFolder)), m_allowMissing(allowMissing) {}

Result<ExternalFiles::File*> ExternalFiles::open(const std::string& location) {
  if (const auto known = m_byLocation.find(location); known != m_byLocation.end()) return known->second;
  if (location == kMemoryMarker)
    return fail(ErrorCode::kInvalidGraph,
                "the location '{}' points into another program's memory, which a file must not do", location);
  auto mapped =
      openContained(m_folder, location, {.otherFolder = m_otherFolder, .allowMissing = true, .allowEmpty = true});
  if (!mapped) {
    Error error = std::move(mapped).error();
    error.message = "external data: " + error.message;
    return fail(std::move(error));
  }
  // The same file under several names is mapped once.
  const auto place = *mapped == nullptr ? std::nullopt : placeInFile((*mapped)->bytes());
  const auto same = place ? m_byPlace.find(*place) : m_byPlace.end();
  if (same != m_byPlace.end()) return m_byLocation[location] = same->second;
  auto file = std::make_unique<File>();
  file->mapped = *std::move(mapped);
  if (file->mapped) file->report.fileBytes = static_cast<int64_t>(file->mapped->bytes().size());
  file->report.path = location;
  if (place) m_byPlace.emplace(*place, file.get());
  m_files.push_back(std::move(file));
  return m_byLocation[location] = m_files.back().get();
}

Result<Tensor> ExternalFiles::read(const ExternalReference& reference) {
  CUTAWAY_TRY(const Placement placement, parsePlacement(reference));
  CUTAWAY_TRY(const int64_t needed, byteSize(reference.type, reference.dims));
  if (placement.length >= 0 && placement.length != needed) {
    return fail(ErrorCode::kInvalidGraph, "tensor '{}' needs {} bytes, but its external data says {}",
                reference.tensorName, needed, placement.length);
  }
  CUTAWAY_TRY(File* const file, open(placement.location));
  if (!file->mapped) {
    if (m_allowMissing) return Tensor();
    return fail(
        atFile({ErrorCode::kInvalidGraph,
                fmt::format("the file '{}' with the data of tensor '{}' is missing; it should lie beside the model",
                            placement.location, reference.tensorName),
                {}},
               placement.location));
  }
  const auto bytes = file->mapped->bytes();
  const auto size = static_cast<int64_t>(bytes.size());
  if (placement.offset > size || needed > size - placement.offset) {
    return fail(
        atFile({ErrorCode::kInvalidGraph,
                fmt::format("tensor '{}' takes bytes {} to {} of '{}', which has only {}", reference.tensorName,
                            placement.offset, static_cast<uint64_t>(placement.offset) + static_cast<uint64_t>(needed),
                            placement.location, size),
                {}},
               placement.location));
  }
  file->report.usedBytes += needed;
  ++file->report.tensorCount;
  const std::byte* data = bytes.data() + placement.offset;
  const int bits = bitsOf(reference.type);
  const auto alignment = static_cast<uintptr_t>(std::max(1, std::min(bits / 8, 8)));
  if (reinterpret_cast<uintptr_t>(data) % alignment == 0)
    return Tensor::wrapConst(reference.type, reference.dims, data, file->mapped);
  CUTAWAY_TRY(Tensor copy, Tensor::create(reference.type, reference.dims));
  if (needed > 0) std::memcpy(copy.mutableData(), data, needed);
  m_copiedBytes += needed;
  return copy;
}

std::map<const void*, std::string> ExternalFiles::owners() const {
  std::map<const void*, std::string> owners;
  for (const std::unique_ptr<File>& file : m_files) {
    if (file->mapped) owners.emplace(file->mapped.get(), file->report.path);
  }
  return owners;
}

std::vector<ExternalFileReport> ExternalFiles::reports() const {
  std::vector<ExternalFileReport> reports;
  for (const std::unique_ptr<File>& file : m_files)
    reports.push_back(file->report);
  std::ranges::sort(reports, {}, &ExternalFileReport::path);
  return reports;
}

}  // namespace cutaway::load

#include "engine/stages/load/save.h"

#include "engine/base/new_file.h"
#include "engine/stages/load/model_bytes.h"

namespace cutaway::load {

namespace {

namespace fs = std::filesystem;

// Large tensors go to a file of their own, one after the other, all graphs to the same.
Result<std::optional<ExternalPlace>> placeIn(NewFile& file, const Tensor& tensor, int64_t thresholdBytes) {
  if (tensor.sizeBytes() < thresholdBytes) return std::nullopt;
  CUTAWAY_CHECK(file.align(kExternalDataAlignment));
  ExternalPlace place{file.path().filename().string(), file.sizeBytes()};
  CUTAWAY_CHECK(file.write(tensor.bytes()));
  return place;
}

// So many bytes each file will have at least: weights inside, and in the file beside it.
Result<void> reserveRoom(const Model& model, NewFile& file, NewFile* data, int64_t thresholdBytes) {
  int64_t inside = 0, outside = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers()) {
      const int64_t bytes = graph.value(id).initializer->sizeBytes();
      (data != nullptr && bytes >= thresholdBytes ? outside : inside) += bytes;
    }
  });
  CUTAWAY_CHECK(file.reserve(inside));
  return data != nullptr ? data->reserve(outside) : Result<void>();
}

Result<void> saveTo(const Model& model, const fs::path& path, const SaveOptions& options) {
  CUTAWAY_TRY(const std::unique_ptr<NewFile> file, NewFile::create(path, {.overwrite = options.overwrite}));
  std::unique_ptr<NewFile> data;
  TensorPlacer placer;
  if (options.externalThresholdBytes >= 0) {
    CUTAWAY_TRY(data, NewFile::create(path.string() + ".data", {.overwrite = options.overwrite}));
    placer = [&](const Tensor& tensor, const std::string&) {
      return placeIn(*data, tensor, options.externalThresholdBytes);
    };
  }
  CUTAWAY_CHECK(reserveRoom(model, *file, data.get(), options.externalThresholdBytes));
  CUTAWAY_CHECK(writeModelBytes(model, [&](std::span<const std::byte> bytes) { return file->write(bytes); }, placer));
  CUTAWAY_CHECK(file->seal());
  if (data) CUTAWAY_CHECK(data->publish());
  return file->publish();
}

}  // namespace

SaveOptions saveOptionsLike(const Model& model, bool overwrite) {
  constexpr int64_t kSmallWeight = 1024;  // stays inside: shapes and scalars, which tools read without the other file
  constexpr int64_t kMostInside = kMaxMessageBytes / 10 * 9;  // the rest of the file needs room, too
  int64_t bytes = 0;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers())
      bytes += graph.value(id).initializer->sizeBytes();
  });
  const bool outside = !model.externalFiles.empty() || bytes > kMostInside;
  return {.externalThresholdBytes = outside ? kSmallWeight : -1, .overwrite = overwrite};
}

Result<void> save(const Model& model, const fs::path& path, const SaveOptions& options) {
  auto saved = saveTo(model, path, options);
  if (!saved) return fail(atFile(std::move(saved).error(), path.string()));
  return {};
}

}  // namespace cutaway::load

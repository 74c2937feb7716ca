#pragma once
// Load: a file or bytes become a Model. Weights are mapped, never copied; every byte is hostile.
//
// Thread rule: pure; many loads at once are fine.
// Example: CUTAWAY_TRY(LoadResult loaded, load(ModelSource::file("model.onnx"), {}, progress));

#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/mapped_file.h"
#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/report/stage_reports.h"

namespace cutaway::load {

// Where a model comes from.
struct ModelSource {
  std::filesystem::path path;             // file; for bytes: only a name for messages, may be empty
  std::span<const std::byte> bytes;       // used when path is not to be read
  std::shared_ptr<const void> keepAlive;  // of bytes
  std::filesystem::path externalFolder;   // base of external data; empty: the model's folder
  bool fromBytes = false;
  std::shared_ptr<const Model> model;  // loaded already: it is copied (weights shared)

  static ModelSource file(std::filesystem::path path);
  static ModelSource memory(std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive);
  static ModelSource loaded(std::shared_ptr<const Model> model);
};

struct LoadOptions {
  bool allowMissingExternalData =
      false;  // structure only: weights whose bytes are missing become graph inputs, with a warning
};

struct LoadResult {
  Model model;
  LoadReport report;
};

// Errors: NO_SUCHFILE, INVALID_PROTOBUF (empty, cut short, not ONNX, a Git-LFS pointer: each says so), INVALID_GRAPH
// (bad external data, path leaves the folder, cyclic functions), INVALID_ARGUMENT (no graph), MODEL_LOAD_CANCELED.
// onnxruntime's own files (.ort) are known by their content; their further errors stand in ort_format/ort_model.h.
// `.textproto`, `.prototxt`, `.pbtxt`, `.onnxtxt` and `.txt` extensions are read as text.
Result<LoadResult> load(const ModelSource& source, const LoadOptions& options, Progress& progress);

}  // namespace cutaway::load

#pragma once
// Save: a Model becomes a file again, written to a temporary file and renamed.
//
// Thread rule: pure apart from the file. Example: CUTAWAY_CHECK(save(model, "out.onnx", {}));

#include <filesystem>

#include "engine/graph/model.h"

namespace cutaway::load {

struct SaveOptions {
  int64_t externalThresholdBytes = -1;  // >= 0: initializers of at least this size go to <file>.data
  bool overwrite = true;                // false: neither the file nor its <file>.data may exist
};

// As the model itself is kept: weights that lay in files of their own go to <file>.data again, and so they do where all
// inside would pass what a file can hold.
SaveOptions saveOptionsLike(const Model& model, bool overwrite);

// FAIL when the file exists and overwrite is off, or the model would pass 2 GB and no threshold is given.
Result<void> save(const Model& model, const std::filesystem::path& path, const SaveOptions& options);

}  // namespace cutaway::load

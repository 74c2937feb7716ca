#pragma once
// Models and tensors in files, for those above the session, which know no file format.
//
// Thread rule: pure apart from the files. Example: CUTAWAY_TRY(const auto model, loadModelFile("m.onnx", progress));

#include <filesystem>
#include <memory>

#include "engine/base/progress.h"
#include "engine/graph/packed_model.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::session {

// The model as the file has it; its weights stay mapped. Errors of load(); MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const Model>> loadModelFile(const std::filesystem::path& path, Progress& progress);

// The model as a walk kept it (WalkReport::loadedModel), made anew for each call; its weights stay mapped.
std::unique_ptr<Model> keptModel(const PackedModel& kept);

// Weights go where the model had them. FAIL: the file exists and overwrite is off, or it cannot be written.
Result<void> saveModelFile(const Model& model, const std::filesystem::path& path, bool overwrite);

// A tensor, sequence, map or optional of a .pb file, as `expected` says; a tensor of a .npy file. Errors of
// readTensorFile().
Result<RuntimeValue> readValueFile(const std::filesystem::path& path, const ValueType& expected);

}  // namespace cutaway::session

#include "engine/session/model_files.h"

#include "engine/stages/load/load.h"
#include "engine/stages/load/save.h"
#include "engine/stages/load/tensor_file.h"

namespace cutaway::session {

Result<std::shared_ptr<const Model>> loadModelFile(const std::filesystem::path& path, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(path), {}, progress));
  return std::make_shared<const Model>(std::move(loaded.model));
}

std::unique_ptr<Model> keptModel(const PackedModel& kept) {
  return std::make_unique<Model>(kept.unpack());
}

Result<void> saveModelFile(const Model& model, const std::filesystem::path& path, bool overwrite) {
  return load::save(model, path, load::saveOptionsLike(model, overwrite));
}

Result<RuntimeValue> readValueFile(const std::filesystem::path& path, const ValueType& expected) {
  CUTAWAY_TRY(load::NamedValue value, load::readTensorFile(path, expected));
  return std::move(value.value);
}

}  // namespace cutaway::session

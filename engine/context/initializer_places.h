#pragma once
// Where the initializers of a context model go: into the model, into one file beside it, or where the caller's callback
// says that they are already.
//
// Decided before the model is written, because the file's name may follow from its contents.
// Thread rule: one export.
// Example:
//   CUTAWAY_TRY(const InitializerPlaces places, placeInitializers(model, options, folder, inTheRound, progress));
//   writeModelBytes(model, sink, places.placer());

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "engine/base/new_file.h"
#include "engine/base/progress.h"
#include "engine/context/context_options.h"
#include "engine/graph/model.h"
#include "engine/stages/load/model_bytes.h"

namespace cutaway::context {

// Initializer files that this export is about to publish: name -> hash and size.
using InitializerFiles = std::map<std::string, std::pair<uint64_t, int64_t>>;

class InitializerPlaces {
 public:
  load::TensorPlacer placer() const;  // valid as long as this
  // Sealed, to be published before the model; nullptr: nothing new to write.
  std::unique_ptr<NewFile> file;
  int64_t insideBytes = 0;  // of initializers that stay in the model

 private:
  friend class InitializerPlacement;
  std::map<std::pair<const void*, std::string>, load::ExternalPlace> m_places;  // by bytes and name
};

// A file that exists with other contents is not touched: the new one gets a name that follows from its contents.
// INVALID_ARGUMENT: the callback names a file that leaves the folder or does not hold the bytes; RUNTIME_EXCEPTION: it
// threw; MODEL_LOAD_CANCELED; FAIL: the file cannot be written.
Result<InitializerPlaces> placeInitializers(const Model& model, const ContextOptions& options,
                                            const std::filesystem::path& folder, InitializerFiles& inTheRound,
                                            const Progress& progress);

}  // namespace cutaway::context

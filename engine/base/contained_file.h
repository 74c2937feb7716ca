#pragma once
// Opens files that a model names, and lets none of them lie outside the model's folder.
//
// A model's author is a stranger: the name must be relative, must not leave the folder - by "..", or by a symbolic link
// anywhere on the way - and must name a regular file that is not empty. The check is made on the file that was opened,
// so that nobody can exchange it in between. (Rules: those of onnxruntime for EPContext binaries and external
// data.) Thread rule: pure. Example: CUTAWAY_TRY(auto file, openContained(modelFolder, node.cache));
// parse(file->bytes());

#include <filesystem>
#include <memory>
#include <string>

#include "engine/base/mapped_file.h"

namespace cutaway {

struct ContainedRules {
  std::filesystem::path otherFolder{};  // links may lead there as well: the real folder of a model that is itself a
                                        // link (caches of downloaded models are made so)
  bool allowMissing = false;            // nullptr instead of an error
  bool allowEmpty = false;
};

// Mapped read-only. INVALID_GRAPH: empty, absolute, leaves the folder, missing, a folder, a pipe or device, empty file;
// each message says which and names the file. `folder` empty: the working directory.
Result<std::shared_ptr<const MappedFile>> openContained(const std::filesystem::path& folder, const std::string& name,
                                                        const ContainedRules& rules = {});
// The rules that need no file system: for names that are about to be written. INVALID_ARGUMENT.
Result<void> checkContainedName(const std::string& name);

}  // namespace cutaway

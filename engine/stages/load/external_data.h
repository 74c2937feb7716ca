#pragma once
// External data: weights that lie in files beside the model. Files are mapped once and shared by the tensors in them.
//
// A model's author is a stranger: a location must be relative and stay inside the model's folder, symbolic links
// followed, and must name a regular file (as onnxruntime demands of external data). Thread rule: one loader, one
// thread. Example: ExternalFiles files(folder, realFolder, false);  CUTAWAY_TRY(Tensor tensor, files.read(reference));

#include <filesystem>
#include <map>
#include <memory>

#include "engine/base/mapped_file.h"
#include "engine/base/mapped_pages.h"
#include "engine/report/stage_reports.h"
#include "engine/schema/proto_reader.h"

namespace cutaway::load {

class ExternalFiles {
 public:
  // folder: where locations start. otherFolder: a second folder that locations may lead to, for a model that is itself
  // a symbolic link; may be empty.
  ExternalFiles(std::filesystem::path folder, std::filesystem::path otherFolder, bool allowMissing);

  // An invalid Tensor when the file is missing and that is allowed.
  Result<Tensor> read(const ExternalReference& reference);
  std::vector<ExternalFileReport> reports() const;
  // Owner of the mapping -> location.
  std::map<const void*, std::string> owners() const;
  int64_t copiedBytes() const { return m_copiedBytes; }

 private:
  struct File {
    std::shared_ptr<const MappedFile> mapped;
    ExternalFileReport report;
  };
  Result<File*> open(const std::string& location);

  std::filesystem::path m_folder, m_otherFolder;
  bool m_allowMissing;
  std::vector<std::unique_ptr<File>> m_files;
  std::map<FilePlace, File*> m_byPlace;
  std::map<std::string, File*, std::less<>> m_byLocation;
  int64_t m_copiedBytes = 0;
};

}  // namespace cutaway::load

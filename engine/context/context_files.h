#pragma once
// Files of context models: what binaries are called, and which ones an older model leaves behind.
//
// A binary is called <stem>_<provider, letters and digits>_<16 hex digits that follow from its contents>.bin, so that
// another model's, or the same model's from before, is never written over. Thread rule: one export. Example:
//   CUTAWAY_TRY(NewBinary binary, NewBinary::create(folder, "m_ctx", "onednn"));
//   CUTAWAY_CHECK(binary.add(partition, progress));
//   CUTAWAY_CHECK(binary.finish());   // flushed, not under its name yet

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "engine/base/new_file.h"
#include "engine/context_binary/binary_writer.h"
#include "engine/graph/model.h"

namespace cutaway::context {

class NewBinary {
 public:
  static Result<NewBinary> create(const std::filesystem::path& folder, const std::string& stem,
                                  const std::string& provider);
  Result<void> add(const context_binary::ContextPartition& partition, const Progress& progress);
  Result<void> finish();

  // After finish().
  std::string name() const { return m_file->path().filename().string(); }
  const context_binary::ContextBinaryFigures& figures() const { return m_figures; }
  std::unique_ptr<NewFile> takeFile() { return std::move(m_file); }

 private:
  NewBinary(std::string stem, std::unique_ptr<NewFile> file);

  std::string m_stem;  // with the provider
  std::unique_ptr<NewFile> m_file;
  context_binary::ContextBinaryWriter m_writer;
  context_binary::ContextBinaryFigures m_figures;
};

// <stem>_<letters and digits>_<16 hex>.bin
bool isBinaryOf(const std::string& stem, const std::string& name);
// Files that the main nodes of a model name.
std::set<std::string> binariesOf(const Model& model);
// Binaries beside `target` that the context model there names and that were made for it; empty when there is none, or
// when it cannot be read.
std::set<std::string> binariesBeside(const std::filesystem::path& target, const Progress& progress);

}  // namespace cutaway::context

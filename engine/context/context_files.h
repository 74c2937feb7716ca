#pragma once
// Files of context models: what binaries are called, and which ones an older model leaves behind.
//
// A binary is called <model>_<provider, letters and digits>.bin. Where that name holds something else - another model's
// binary, or the same model's from before, which must not be written over before the model is - 16 hex digits that
// follow from its contents stand before the dot: m_onednn_1f2e....bin. Who wants them always writes them into the stem:
// "m-{hash}". Thread rule: one export. Example:
//   CUTAWAY_TRY(NewBinary binary, NewBinary::create(folder, "m", "onednn"));
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

inline constexpr std::string_view kHashPlace = "{hash}";
// "m_ctx" -> "m": what binaries of a context model with this stem are named after.
std::string_view modelStem(std::string_view contextStem);
// "m", "declared(QNN-HTP)", "_2" -> "m_declaredQNNHTP_2.bin"
std::string binaryName(std::string_view stem, std::string_view provider, std::string_view suffix = {});

class NewBinary {
 public:
  static Result<NewBinary> create(const std::filesystem::path& folder, const std::string& stem,
                                  const std::string& provider);
  Result<void> add(const context_binary::ContextPartition& partition, const Progress& progress);
  Result<void> finish();

  // After finish().
  std::string name() const { return m_file->path().filename().string(); }
  const std::string& wantedName() const { return m_wanted; }  // that without the digits
  const context_binary::ContextBinaryFigures& figures() const { return m_figures; }
  std::unique_ptr<NewFile> takeFile() { return std::move(m_file); }

 private:
  NewBinary(std::string stem, std::string provider, std::string wanted, std::unique_ptr<NewFile> file);

  std::string m_stem, m_provider, m_wanted;
  std::unique_ptr<NewFile> m_file;
  context_binary::ContextBinaryWriter m_writer;
  context_binary::ContextBinaryFigures m_figures;
};

// <stem>_<letters and digits>_<16 hex>.bin, of the context model's stem or that of its binaries
bool isBinaryOf(const std::string& stem, const std::string& name);
// What the nodes of a context model need.
struct ContextUse {
  std::set<std::string> binaries;  // files that main nodes name
  std::set<std::string> partitions;
};
ContextUse useOf(const Model& model);
// Of the context model at `target`, its binaries only as far as they lie beside it and are named after it; empty when
// there is none, or when it cannot be read.
ContextUse useAt(const std::filesystem::path& target, const Progress& progress);
// Whether a binary has a partition that is not among `used`: one of a model that shares it.
bool hasFurtherPartitions(const std::filesystem::path& binary, const std::set<std::string>& used);

}  // namespace cutaway::context

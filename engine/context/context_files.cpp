#include "engine/context/context_files.h"

#include <algorithm>

#include "engine/base/folder_entries.h"
#include "engine/context/vendor_parts.h"
#include "engine/context_binary/context_node.h"
#include "engine/stages/load/load.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBinaryEnding = ".bin";
constexpr size_t kHashDigits = 16;

bool isLetterOrDigit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}
bool isHexDigit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
}

std::string plainName(const std::string& provider) {
  std::string plain;
  std::ranges::copy_if(provider, std::back_inserter(plain), isLetterOrDigit);
  return plain.empty() ? "provider" : plain;
}

}  // namespace

Result<NewBinary> NewBinary::create(const fs::path& folder, const std::string& stem, const std::string& provider) {
  const std::string name = stem + "_" + plainName(provider);
  CUTAWAY_TRY(std::unique_ptr<NewFile> file,
              NewFile::create(folder / (name + std::string(kBinaryEnding)), {.overwrite = true, .sameContent = true}));
  return NewBinary(name, std::move(file));
}

NewBinary::NewBinary(std::string stem, std::unique_ptr<NewFile> file)
    : m_stem(std::move(stem)), m_file(std::move(file)), m_writer(context_binary::sinkOf(*m_file)) {}

Result<void> NewBinary::add(const context_binary::ContextPartition& partition, const Progress& progress) {
  return m_writer.add(partition, progress);
}

Result<void> NewBinary::finish() {
  CUTAWAY_TRY(m_figures, m_writer.finish());
  CUTAWAY_CHECK(m_file->setPath(m_file->path().parent_path() /
                                fmt::format("{}_{:016x}{}", m_stem, m_figures.contentHash, kBinaryEnding)));
  return m_file->seal();
}

bool isBinaryOf(const std::string& stem, const std::string& name) {
  if (!name.starts_with(stem + "_") || !name.ends_with(kBinaryEnding)) return false;
  const std::string_view middle =
      std::string_view(name).substr(stem.size() + 1, name.size() - stem.size() - 1 - kBinaryEnding.size());
  const size_t split = middle.find('_');
  if (split == 0 || split == std::string_view::npos) return false;
  const std::string_view provider = middle.substr(0, split), hash = middle.substr(split + 1);
  return hash.size() == kHashDigits && std::ranges::all_of(provider, isLetterOrDigit) &&
         std::ranges::all_of(hash, isHexDigit);
}

std::set<std::string> binariesOf(const Model& model) {
  std::set<std::string> names;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (!context_binary::isContextNode(node) || node.attributeOr<int64_t>("main_context", 1) == 0 ||
          node.attributeOr<int64_t>("embed_mode", 1) != 0)
        continue;
      if (const Attribute* cache = node.findAttribute("ep_cache_context");
          cache != nullptr && std::holds_alternative<std::string>(cache->value))
        names.insert(std::get<std::string>(cache->value));
    }
  });
  return names;
}

std::set<std::string> binariesBeside(const fs::path& target, const Progress& progress) {
  std::error_code error;
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  std::set<std::string> candidates;
  for (const fs::path& each : folderEntries(folder)) {
    const std::string name = each.filename().string();
    const std::string stem = target.stem().string();
    if ((isBinaryOf(stem, name) || isVendorFileOf(stem, name)) && fs::is_regular_file(fs::symlink_status(each, error)))
      candidates.insert(name);
  }
  if (candidates.empty() || !fs::is_regular_file(target, error)) return {};
  Progress quiet(progress.token());
  const Result<load::LoadResult> loaded =
      load::load(load::ModelSource::file(target), {.allowMissingExternalData = true}, quiet);
  if (!loaded) return {};
  const std::set<std::string> named = binariesOf(loaded->model);
  std::erase_if(candidates, [&](const std::string& name) { return !named.contains(name); });
  return candidates;
}

}  // namespace cutaway::context

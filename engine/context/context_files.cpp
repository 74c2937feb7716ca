#include "engine/context/context_files.h"

#include <algorithm>

#include "engine/base/folder_entries.h"
#include "engine/base/mapped_file.h"
#include "engine/context/vendor_parts.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/context_node.h"
#include "engine/stages/load/load.h"

namespace cutaway::context {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBinaryEnding = ".bin", kContextEnding = "_ctx";
constexpr size_t kHashDigits = 16;

bool isLetterOrDigit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}
bool isHexDigit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
}

std::string withHash(std::string stem, std::string_view hash) {
  if (const size_t place = stem.find(kHashPlace); place != std::string::npos)
    stem.replace(place, kHashPlace.size(), hash);
  return stem;
}

Result<std::shared_ptr<const context_binary::ContextBinary>> openBinary(const fs::path& path) {
  CUTAWAY_TRY(const auto file, MappedFile::open(path));
  return context_binary::ContextBinary::open(file->bytes(), file, path.filename().string());
}

}  // namespace

std::string_view modelStem(std::string_view contextStem) {
  if (contextStem.size() > kContextEnding.size() && contextStem.ends_with(kContextEnding))
    contextStem.remove_suffix(kContextEnding.size());
  return contextStem;
}

std::string binaryName(std::string_view stem, std::string_view provider, std::string_view suffix) {
  std::string plain;
  std::ranges::copy_if(provider, std::back_inserter(plain), isLetterOrDigit);
  return fmt::format("{}_{}{}{}", stem, plain.empty() ? "provider" : plain, suffix, kBinaryEnding);
}

Result<NewBinary> NewBinary::create(const fs::path& folder, const std::string& stem, const std::string& provider) {
  std::string wanted = binaryName(withHash(stem, std::string(kHashDigits, '0')), provider);
  CUTAWAY_TRY(std::unique_ptr<NewFile> file,
              NewFile::create(folder / wanted, {.overwrite = true, .sameContent = true}));
  return NewBinary(stem, provider, std::move(wanted), std::move(file));
}

NewBinary::NewBinary(std::string stem, std::string provider, std::string wanted, std::unique_ptr<NewFile> file)
    : m_stem(std::move(stem)),
      m_provider(std::move(provider)),
      m_wanted(std::move(wanted)),
      m_file(std::move(file)),
      m_writer(context_binary::sinkOf(*m_file)) {}

Result<void> NewBinary::add(const context_binary::ContextPartition& partition, const Progress& progress) {
  return m_writer.add(partition, progress);
}

Result<void> NewBinary::finish() {
  CUTAWAY_TRY(m_figures, m_writer.finish());
  const std::string hash = fmt::format("{:016x}", m_figures.contentHash);
  m_wanted = binaryName(withHash(m_stem, hash), m_provider);
  const fs::path folder = m_file->path().parent_path();
  std::string name = m_wanted;
  std::error_code error;
  if (m_stem.find(kHashPlace) == std::string::npos && fs::exists(fs::symlink_status(folder / m_wanted, error))) {
    const auto there = openBinary(folder / m_wanted);
    if (!there || (*there)->contentHash() != m_figures.contentHash) name = binaryName(m_stem, m_provider, "_" + hash);
  }
  CUTAWAY_CHECK(m_file->setPath(folder / name));
  return m_file->seal();
}

bool isBinaryOf(const std::string& contextStem, const std::string& name) {
  std::string stem = contextStem;
  if (!name.starts_with(stem + "_")) stem = modelStem(contextStem);
  if (!name.starts_with(stem + "_") || !name.ends_with(kBinaryEnding)) return false;
  const std::string_view middle =
      std::string_view(name).substr(stem.size() + 1, name.size() - stem.size() - 1 - kBinaryEnding.size());
  const size_t split = middle.find('_');
  if (split == 0 || split == std::string_view::npos) return false;
  const std::string_view provider = middle.substr(0, split), hash = middle.substr(split + 1);
  return hash.size() == kHashDigits && std::ranges::all_of(provider, isLetterOrDigit) &&
         std::ranges::all_of(hash, isHexDigit);
}

ContextUse useOf(const Model& model) {
  ContextUse use;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (!context_binary::isContextNode(node)) continue;
      use.partitions.insert(node.attributeOr<std::string>("partition_name", node.name));
      if (node.attributeOr<int64_t>("main_context", 1) == 0 || node.attributeOr<int64_t>("embed_mode", 1) != 0)
        continue;
      if (const Attribute* cache = node.findAttribute("ep_cache_context");
          cache != nullptr && std::holds_alternative<std::string>(cache->value))
        use.binaries.insert(std::get<std::string>(cache->value));
    }
  });
  return use;
}

bool hasFurtherPartitions(const fs::path& path, const std::set<std::string>& used) {
  const auto binary = openBinary(path);
  return binary && !std::ranges::all_of((*binary)->partitions(), [&](const context_binary::ContextPartition& each) {
           return used.contains(each.name);
         });
}

ContextUse useAt(const fs::path& target, const Progress& progress) {
  std::error_code error;
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  std::set<std::string> candidates;
  for (const fs::path& each : folderEntries(folder)) {
    const std::string name = each.filename().string();
    const std::string stem = target.stem().string();
    if ((isBinaryOf(stem, name) || isVendorFileOf(stem, name)) && fs::is_regular_file(fs::symlink_status(each, error)))
      candidates.insert(name);
  }
  if (!fs::is_regular_file(target, error)) return {};
  Progress quiet(progress.token());
  const Result<load::LoadResult> loaded =
      load::load(load::ModelSource::file(target), {.allowMissingExternalData = true}, quiet);
  if (!loaded) return {};
  ContextUse use = useOf(loaded->model);
  std::erase_if(use.binaries, [&](const std::string& name) { return !candidates.contains(name); });
  return use;
}

}  // namespace cutaway::context

#include "engine/context/write_exports.h"

#include <algorithm>
#include <map>

#include <sys/stat.h>

#include "engine/base/exception_text.h"
#include "engine/base/format.h"
#include "engine/base/mapped_pages.h"
#include "engine/context/context_files.h"
#include "engine/context/initializer_places.h"
#include "engine/context/vendor_parts.h"

namespace cutaway::context {

namespace fs = std::filesystem;

Result<void> contextStep(Progress& progress, const std::string& detail) {
  progress.begin("Context", detail);
  if (progress.cancelled()) return fail(cancelledError());
  return {};
}

namespace {

// Weights that the original has in files of their own. A context model keeps them in one as well: there they lie where
// they can be mapped and used, which inside the model's message they mostly cannot.
bool keepsWeightsOutside(const Model& model) {
  constexpr size_t kWorthAFile = 64 << 10;
  struct stat own{};
  if (model.path.empty() || ::stat(model.path.c_str(), &own) != 0) return false;
  const auto isOutside = [&](const Graph& graph, ValueId id) {
    const std::span<const std::byte> bytes = graph.value(id).initializer->bytes();
    const auto place = bytes.size() >= kWorthAFile ? placeInFile(bytes) : std::nullopt;
    return place && (place->device != own.st_dev || place->inode != own.st_ino);
  };
  bool found = false;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const ValueId id : graph.initializers())
      found = found || (graph.value(id).initializer->type() != ElementType::kString && isOutside(graph, id));
  });
  return found;
}

// Named after the model where nobody named a file.
void chooseInitializersFile(PendingExport& each) {
  constexpr int64_t kLeastOutsideBytes = 1024;
  ContextOptions& options = each.options;
  if (each.target.empty() || options.embed || options.initializerHandler || !options.initializersFile.empty()) return;
  if (!keepsWeightsOutside(each.model)) return;
  options.initializersFile = each.target.filename().string() + ".data";
  options.initializersThresholdBytes = kLeastOutsideBytes;
}

// A file that is whole, and waits for its name.
struct SealedFile {
  std::unique_ptr<NewFile> file;
  std::string what;
};

class ExportWriter {
 public:
  ExportWriter(std::span<PendingExport> exports, Progress& progress) : m_exports(exports), m_progress(progress) {
    const PendingExport& first = exports.front();
    m_stem = !first.options.binaryStem.empty() ? first.options.binaryStem
                                               : std::string(modelStem(first.target.stem().string()));
    m_folder = first.target.empty() ? first.options.binaryFolder : first.target.parent_path();
  }

  Result<ContextWritten> write() {
    for (const PendingExport& each : m_exports)
      addFigures(each.figures);
    for (const PendingExport& each : m_exports) {
      if (!each.target.empty()) m_old.push_back(each.options.overwrite ? useAt(each.target, m_progress) : ContextUse());
    }
    if (!m_folder.empty() || !m_exports.front().target.empty())
      NewFile::sweep(m_folder.empty() ? fs::path(".") : m_folder, m_stem.substr(0, m_stem.find(kHashPlace)));
    for (const PendingExport& each : m_exports)
      m_vendorParts.push_back(vendorPartsOf(each, m_written.warnings, m_progress));
    if (m_progress.cancelled()) return fail(cancelledError());
    sayWhatIsNotShared();
    const bool embed = m_exports.front().options.embed;
    CUTAWAY_CHECK(embed ? embedContexts() : writeBinaries());
    for (PendingExport& each : m_exports)
      CUTAWAY_CHECK(writeModel(each));
    CUTAWAY_CHECK(publish());
    removeOldBinaries();
    return std::move(m_written);
  }

 private:
  void sayWhatIsNotShared() {
    const auto hasVendorParts = [](const std::vector<std::optional<VendorPart>>& parts) {
      return std::ranges::any_of(parts, [](const std::optional<VendorPart>& part) { return part.has_value(); });
    };
    if (m_exports.size() > 1 && std::ranges::any_of(m_vendorParts, hasVendorParts))
      m_written.warnings.emplace_back(
          "groups of plug-in providers are compiled one by one, so each model has its own binary of them; "
          "ep_weight_sharing_ctx_gen has one made for all");
  }

  void addFigures(const ContextWritten& figures) {
    m_written.contextNodes += figures.contextNodes;
    m_written.otherNodes += figures.otherNodes;
    m_written.weightBytes += figures.weightBytes;
    m_written.warnings.insert(m_written.warnings.end(), figures.warnings.begin(), figures.warnings.end());
  }

  // Every node carries its own partition, so that none refers to another.
  Result<void> embedContexts() {
    for (size_t number = 0; number < m_exports.size(); ++number) {
      PendingExport& each = m_exports[number];
      std::vector<ContextPlacement> placements;
      int64_t total = 0;
      for (const context_binary::ContextPartition& partition : each.partitions)
        total += partition.sizeBytes();
      if (total > load::kMaxMessageBytes) {
        return fail(ErrorCode::kFail,
                    "the contexts have {}, and a model's file cannot pass 2 GB: set ep.context_embed_mode=0, so "
                    "that they lie in a file beside it",
                    formatBytes(total));
      }
      for (size_t i = 0; i < each.partitions.size(); ++i) {
        context_binary::ContextPartition& partition = each.partitions[i];
        CUTAWAY_CHECK(contextStep(m_progress, "embedding " + partition.name));
        if (m_vendorParts[number][i]) {
          placements.push_back({.notes = partition.notes, .attributes = std::move(partition.attributes)});
          partition = {};
          continue;
        }
        std::string bytes;
        context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
        CUTAWAY_CHECK(writer.add(partition, m_progress));
        CUTAWAY_CHECK(writer.finish());
        const auto size = static_cast<int64_t>(bytes.size());
        placements.push_back({.isMain = true,
                              .isEmbedded = true,
                              .cache = std::move(bytes),
                              .maxSizeBytes = size,
                              .notes = partition.notes,
                              .attributes = std::move(partition.attributes)});
        partition = {};
      }
      placeContexts(each.model, each.nodes, std::move(placements));
      for (size_t i = 0; i < each.nodes.size(); ++i) {
        if (m_vendorParts[number][i])
          placeVendorPart(each.model, each.nodes[i], *std::move(m_vendorParts[number][i]), {.isEmbedded = true});
      }
    }
    return {};
  }

  // One binary for each provider, with the partitions of all models in their order.
  Result<void> writeBinaries() {
    std::map<std::string, NewBinary> binaries;
    for (size_t number = 0; number < m_exports.size(); ++number) {
      PendingExport& each = m_exports[number];
      for (size_t i = 0; i < each.partitions.size(); ++i) {
        if (m_vendorParts[number][i]) continue;
        const context_binary::ContextPartition& partition = each.partitions[i];
        auto binary = binaries.find(partition.source);
        if (binary == binaries.end()) {
          CUTAWAY_TRY(NewBinary created, NewBinary::create(m_folder, m_stem, partition.source));
          binary = binaries.emplace(partition.source, std::move(created)).first;
        }
        CUTAWAY_CHECK(
            contextStep(m_progress, fmt::format("writing {} into the binary of {}", partition.name, partition.source)));
        CUTAWAY_CHECK(addPartition(binary->second, partition));
      }
    }
    for (auto& [source, binary] : binaries) {
      CUTAWAY_CHECK(contextStep(m_progress, "flushing the binary of " + source));
      CUTAWAY_CHECK(binary.finish());
      m_written.sharedBytes += binary.figures().sharedBytes;
    }
    for (size_t number = 0; number < m_exports.size(); ++number) {
      nameBinaries(m_exports[number], m_vendorParts[number], binaries);
      CUTAWAY_CHECK(writeVendorFiles(m_exports[number], m_vendorParts[number]));
    }
    for (auto& [source, binary] : binaries) {
      m_newBinaries.insert(binary.name());
      if (binary.name() != binary.wantedName()) m_taken.emplace(binary.wantedName(), binary.name());
      m_sealed.push_back({binary.takeFile(), "context binary of " + source});
    }
    return {};
  }

  // A file for each group, under names that do not follow from their contents: those that scripts of devices know.
  Result<void> writeVendorFiles(PendingExport& each, std::vector<std::optional<VendorPart>>& parts) {
    const std::string stem = each.target.empty() ? each.options.binaryStem : each.target.stem().string();
    std::map<std::string, size_t> numbers;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i]) continue;
      const std::string& source = m_sources[{&each, i}];
      const std::string name = vendorFileName(stem, source, ++numbers[source]);
      CUTAWAY_CHECK(contextStep(m_progress, "writing " + name));
      CUTAWAY_TRY(std::unique_ptr<NewFile> file,
                  NewFile::create(m_folder / name, {.overwrite = each.options.overwrite}));
      CUTAWAY_CHECK(file->write(std::as_bytes(std::span(parts[i]->bytes))));
      CUTAWAY_CHECK(file->seal());
      m_newBinaries.insert(name);
      m_sealed.push_back({std::move(file), "context binary of " + source});
      placeVendorPart(each.model, each.nodes[i], *std::move(parts[i]), {.isEmbedded = false, .name = name});
    }
    return {};
  }

  Result<void> addPartition(NewBinary& binary, const context_binary::ContextPartition& partition) const {
    Result<void> added = binary.add(partition, m_progress);
    if (added || added.error().code != ErrorCode::kModelLoaded) return added;
    return fail(ErrorCode::kModelLoaded,
                "{}: models that share a binary need different names of context nodes, so give each model an "
                "ep.context_node_name_prefix of its own",
                added.error().message);
  }

  void nameBinaries(PendingExport& each, const std::vector<std::optional<VendorPart>>& parts,
                    const std::map<std::string, NewBinary>& binaries) {
    std::vector<ContextPlacement> placements;
    std::set<std::string> named;
    for (size_t i = 0; i < each.partitions.size(); ++i) {
      context_binary::ContextPartition& partition = each.partitions[i];
      if (parts[i]) {
        placements.push_back({.notes = partition.notes, .attributes = std::move(partition.attributes)});
        m_sources[{&each, i}] = partition.source;
        partition = {};
        continue;
      }
      const NewBinary& binary = binaries.at(partition.source);
      const bool isMain = named.insert(partition.source).second;
      placements.push_back({.isMain = isMain,
                            .isEmbedded = false,
                            .cache = isMain ? binary.name() : std::string(),
                            .maxSizeBytes = binary.figures().fileBytes,
                            .notes = partition.notes,
                            .attributes = std::move(partition.attributes)});
      partition = {};
    }
    placeContexts(each.model, each.nodes, std::move(placements));
  }

  Result<void> writeModel(PendingExport& each) {
    const std::string title = each.target.empty() ? std::string("the model") : each.target.filename().string();
    chooseInitializersFile(each);
    if (!each.options.initializersFile.empty())
      CUTAWAY_CHECK(contextStep(m_progress, "writing the external initializers of " + title));
    CUTAWAY_TRY(InitializerPlaces places,
                placeInitializers(each.model, each.options, m_folder, m_initializerFiles, m_progress));
    if (places.insideBytes > load::kMaxMessageBytes) {
      return fail(ErrorCode::kFail,
                  "the weights of nodes outside of compiled groups pass 2 GB, the limit of a model's file: name a file "
                  "for them with ep.context_model_external_initializers_file_name");
    }
    CUTAWAY_CHECK(contextStep(m_progress, "writing " + title));
    if (places.file) m_sealed.push_back({std::move(places.file), "external initializers"});
    CUTAWAY_CHECK(each.target.empty() ? writeToSink(each, places) : writeToFile(each, places));
    each.model = Model();
    return {};
  }

  // In pieces, so that Cancel is heard.
  Result<void> writeToSink(PendingExport& each, const InitializerPlaces& places) {
    const auto guarded = [&](std::span<const std::byte> bytes) -> Result<void> {
      if (m_progress.cancelled()) return fail(cancelledError());
      try {
        return each.options.modelSink(bytes);
      } catch (const std::exception& exception) {
        return fail(ErrorCode::kRuntimeException, "the stream for the model threw an exception: {}",
                    exceptionText(exception));
      } catch (...) {
        return fail(ErrorCode::kRuntimeException, "the stream for the model threw something that is no std::exception");
      }
    };
    return load::writeModelBytes(each.model, guarded, places.placer());
  }

  Result<void> writeToFile(PendingExport& each, const InitializerPlaces& places) {
    CUTAWAY_TRY(std::unique_ptr<NewFile> file, NewFile::create(each.target, {.overwrite = each.options.overwrite}));
    const auto sink = [&](std::span<const std::byte> bytes) -> Result<void> {
      if (m_progress.cancelled()) return fail(cancelledError());
      return file->write(bytes);
    };
    CUTAWAY_CHECK(load::writeModelBytes(each.model, sink, places.placer()));
    CUTAWAY_CHECK(file->seal());
    m_models.push_back({std::move(file), "model"});
    return {};
  }

  // From here on Cancel is not heard: names change hands within moments, and half of them would help nobody.
  Result<void> publish() {
    if (m_progress.cancelled()) return fail(cancelledError());
    std::move(m_models.begin(), m_models.end(), std::back_inserter(m_sealed));
    std::vector<fs::path> fresh;
    for (SealedFile& each : m_sealed) {
      const fs::path path = each.file->path();
      m_progress.begin("Context", "publishing " + path.filename().string());
      std::error_code error;
      const bool wasThere = fs::exists(fs::symlink_status(path, error));
      if (Result<void> published = each.file->publish(); !published) {
        takeBack(fresh);
        return published;
      }
      if (!wasThere) fresh.push_back(path);
      m_written.files.push_back({path.string(), each.what, each.file->sizeBytes()});
    }
    m_progress.begin("Context", "published");
    return {};
  }

  // Binaries and initializers without their model; what a model was published for stays.
  void takeBack(const std::vector<fs::path>& fresh) const {
    for (const ContextFile& each : m_written.files) {
      if (each.what == "model") return;
    }
    std::error_code ignored;
    for (const fs::path& path : fresh)
      fs::remove(path, ignored);
  }

  // What models that were replaced have left, unless others share it.
  void removeOldBinaries() {
    ContextUse old;
    for (const ContextUse& each : m_old) {
      old.binaries.insert(each.binaries.begin(), each.binaries.end());
      old.partitions.insert(each.partitions.begin(), each.partitions.end());
    }
    for (const std::string& name : old.binaries) {
      if (m_newBinaries.contains(name) || hasFurtherPartitions(m_folder / name, old.partitions)) continue;
      std::error_code error;
      if (!fs::remove(m_folder / name, error) && error)
        m_written.warnings.push_back(
            fmt::format("{} of the model that was replaced could not be removed: {}", name, error.message()));
    }
    for (const auto& [wanted, name] : m_taken) {
      std::error_code error;
      if (fs::exists(fs::symlink_status(m_folder / wanted, error)))
        m_written.warnings.push_back(fmt::format("{} holds something else, so the binary is {}", wanted, name));
    }
  }

  std::span<PendingExport> m_exports;
  std::string m_stem;
  Progress& m_progress;
  fs::path m_folder;
  ContextWritten m_written;
  std::vector<ContextUse> m_old;  // models that are replaced
  std::set<std::string> m_newBinaries;
  std::map<std::string, std::string> m_taken;  // names that hold something else, and those in their place
  std::vector<std::vector<std::optional<VendorPart>>> m_vendorParts;         // by export and partition
  std::map<std::pair<const PendingExport*, size_t>, std::string> m_sources;  // providers of these parts
  InitializerFiles m_initializerFiles;
  std::vector<SealedFile> m_sealed, m_models;  // in the order in which they are published
};

}  // namespace

Result<ContextWritten> writeExports(std::span<PendingExport> exports, Progress& progress) {
  return ExportWriter(exports, progress).write();
}

}  // namespace cutaway::context

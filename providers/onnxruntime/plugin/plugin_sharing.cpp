#include "providers/onnxruntime/plugin/plugin_sharing.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

#include <onnx/onnx_pb.h>

#include "engine/base/folder_entries.h"
#include "engine/base/mapped_file.h"
#include "engine/base/new_file.h"
#include "engine/base/parallel.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/context_node.h"
#include "engine/provider/vendor_contexts.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/onnxruntime/plugin/plugin_devices.h"

namespace cutaway {

namespace {

using namespace onnxruntime;
namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A folder of its own in the system's, gone with this object: the provider writes its binaries by name.
class ScratchFolder {
 public:
  static Result<ScratchFolder> create() {
    std::error_code problem;
    std::string pattern = (fs::temp_directory_path(problem) / "cutaway-share-XXXXXX").string();
    if (problem || ::mkdtemp(pattern.data()) == nullptr) return fail(writeFailure(pattern, errno, 0));
    return ScratchFolder(pattern);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!m_path.empty()) fs::remove_all(m_path, ignored);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return m_path; }

 private:
  explicit ScratchFolder(fs::path path) : m_path(std::move(path)) {}
  fs::path m_path;
};

struct Binary {
  fs::path from;
  std::string name;      // that it gets
  std::string checksum;  // 16 hexadecimal digits
  std::shared_ptr<const MappedFile> bytes;
};

class SharedExport {
 public:
  SharedExport(const PluginLibrary& plugin, const PluginSettings& settings, std::shared_ptr<Host> host,
               const std::vector<SharedJob>& jobs, Progress& progress)
      : m_plugin(plugin), m_settings(settings), m_host(std::move(host)), m_jobs(jobs), m_progress(progress) {}

  Result<std::vector<SharedFile>> write(bool overwrite) {
    CUTAWAY_TRY(const ScratchFolder scratch, ScratchFolder::create());
    for (size_t i = 0; i < m_jobs.size(); ++i) {
      CUTAWAY_TRY(onnx::ModelProto model, compile(i, scratch.path()));
      m_models.push_back(std::move(model));
    }
    CUTAWAY_CHECK(readBinaries(scratch.path()));
    for (size_t i = 0; i < m_jobs.size(); ++i)
      CUTAWAY_CHECK(nameBinaries(i));
    return publish(overwrite);
  }

 private:
  Result<onnx::ModelProto> compile(size_t number, const fs::path& folder) {
    const SharedJob& job = m_jobs[number];
    m_progress.begin("Context", fmt::format("{} compiles {}", m_plugin.name, job.model.filename().string()));
    SessionRequest request{.model = nullptr, .path = fs::absolute(job.model), .settings = m_settings.session};
    request.settings.level = OptimizationLevel::kBasic;
    if (request.settings.intraThreads == 0) request.settings.intraThreads = currentThreads();
    if (m_jobs.size() > 1) {
      request.settings.keys.emplace_back("ep.share_ep_contexts", "1");
      if (number + 1 == m_jobs.size()) request.settings.keys.emplace_back("ep.stop_share_ep_contexts", "1");
    }
    // ONNX Runtime takes a folder without a separator at its end for a file.
    const Result<CompiledContext> compiled =
        m_host->compile(request, {.folder = folder / "", .name = job.model.stem().string() + ".onnx"},
                        [&] { return m_progress.cancelled(); });
    if (!compiled) {
      if (compiled.error().code == ErrorCode::kModelLoadCanceled) return fail(compiled.error());
      return fail(atFile(Error{ErrorCode::kEpFail,
                               fmt::format("{} compiles no context of {}: {}", m_plugin.title, job.model.string(),
                                           compiled.error().message),
                               {}},
                         job.model.string()));
    }
    onnx::ModelProto model;
    const std::span<const std::byte> bytes = std::as_bytes(compiled->memory->bytes()).first(compiled->sizeBytes);
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
      return fail(ErrorCode::kEpFail, "ONNX Runtime gave no ONNX model for {}", job.model.string());
    return model;
  }

  // The one of several models is called after the first, those of a single model after itself.
  Result<void> readBinaries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code problem;
    for (fs::path& entry : folderEntries(folder)) {
      if (fs::is_regular_file(entry, problem)) found.push_back(std::move(entry));
    }
    for (const fs::path& path : found) {
      Binary binary{.from = path, .name = {}, .checksum = {}, .bytes = nullptr};
      binary.name = fmt::format("{}_{}{}.bin", m_jobs.front().model.stem().string(), m_plugin.name,
                                m_binaries.empty() ? std::string() : fmt::format("_{}", m_binaries.size() + 1));
      CUTAWAY_TRY(binary.bytes, MappedFile::open(path));
      const std::optional<uint64_t> sum = context_binary::checksumOf(binary.bytes->bytes(), m_progress);
      if (!sum) return fail(cancelledError());
      binary.checksum = context_binary::checksumText(*sum);
      m_binaries.emplace(path.filename().string(), std::move(binary));
    }
    return {};
  }

  // EPContext nodes name the file by its last name, and tell its checksum and the original.
  Result<void> nameBinaries(size_t number) {
    for (onnx::NodeProto& node : *m_models[number].mutable_graph()->mutable_node()) {
      if (node.op_type() != context_binary::kContextOperator || node.domain() != context_binary::kContextDomain)
        continue;
      onnx::AttributeProto* cache = nullptr;
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.name() == context_binary::kContextCache) cache = &attribute;
      }
      writeAttribute({"onnx_model_filename", m_jobs[number].model.filename().string()}, *node.add_attribute(), false);
      if (cache == nullptr) continue;
      const auto binary = m_binaries.find(fs::path(cache->s()).filename().string());
      if (binary == m_binaries.end())
        return fail(ErrorCode::kEpFail, "{} names the binary '{}' for {} and did not write it", m_plugin.title,
                    fs::path(cache->s()).filename().string(), m_jobs[number].model.string());
      cache->set_s(binary->second.name);
      onnx::StringStringEntryProto& entry = *node.add_metadata_props();
      entry.set_key(kVendorChecksumKey);
      entry.set_value(binary->second.checksum);
    }
    return {};
  }

  // All sealed before the first gets its name.
  Result<std::vector<SharedFile>> publish(bool overwrite) {
    std::vector<std::pair<std::unique_ptr<NewFile>, std::string>> sealed;
    const auto seal = [&](const fs::path& path, std::span<const std::byte> bytes, std::string what) -> Result<void> {
      CUTAWAY_TRY(std::unique_ptr<NewFile> file, NewFile::create(path, {.overwrite = overwrite}));
      CUTAWAY_CHECK(file->write(bytes));
      CUTAWAY_CHECK(file->seal());
      sealed.emplace_back(std::move(file), std::move(what));
      return {};
    };
    const fs::path folder = m_jobs.front().output.parent_path();
    for (const auto& [name, binary] : m_binaries)
      CUTAWAY_CHECK(seal(folder / binary.name, binary.bytes->bytes(), "context binary of " + m_plugin.name));
    for (size_t i = 0; i < m_jobs.size(); ++i) {
      CUTAWAY_TRY(const std::string bytes, modelBytes(m_models[i]));
      CUTAWAY_CHECK(seal(m_jobs[i].output, std::as_bytes(std::span(bytes)), "model"));
    }
    if (m_progress.cancelled()) return fail(cancelledError());
    std::vector<SharedFile> files;
    for (auto& [file, what] : sealed) {
      CUTAWAY_CHECK(file->publish());
      files.push_back({file->path().string(), what, file->sizeBytes()});
    }
    return files;
  }

  const PluginLibrary& m_plugin;
  const PluginSettings& m_settings;
  std::shared_ptr<Host> m_host;
  const std::vector<SharedJob>& m_jobs;
  Progress& m_progress;
  std::vector<onnx::ModelProto> m_models;
  std::map<std::string, Binary> m_binaries;  // by the name that the provider gave
};

}  // namespace

std::string pluginCalled(const std::string& name) {
  for (const PluginLibrary& plugin : pluginLibraries()) {
    if (!plugin.path.empty() && (plugin.name == lower(name) || plugin.name == name || plugin.registration == name))
      return plugin.name;
  }
  return {};
}

Result<std::vector<SharedFile>> exportShared(const std::string& provider, const ProviderOptions& options,
                                             const std::vector<SharedJob>& jobs, const SharedExportOptions& how,
                                             Progress& progress) {
  const std::vector<PluginLibrary> plugins = pluginLibraries();
  const auto plugin = std::ranges::find(plugins, provider, &PluginLibrary::name);
  if (plugin == plugins.end()) return fail(ErrorCode::kInvalidArgument, "there is no plug-in provider '{}'", provider);
  for (const SharedJob& job : jobs) {
    if (job.output.parent_path() != jobs.front().output.parent_path())
      return fail(ErrorCode::kInvalidArgument,
                  "models that share a binary lie in one folder: {} and {} do not; copy or link them into one",
                  jobs.front().model.string(), job.model.string());
    std::error_code ignored;
    if (!fs::exists(job.model, ignored))
      return fail(atFile(Error{ErrorCode::kNoSuchFile, fmt::format("there is no file {}", job.model.string()), {}},
                         job.model.string()));
  }
  CUTAWAY_TRY(PluginSettings settings, readPluginSettings(*plugin, options));
  CUTAWAY_TRY(std::shared_ptr<Host> host, openPlugin(*plugin, settings));
  return SharedExport(*plugin, settings, std::move(host), jobs, progress).write(how.overwrite);
}

}  // namespace cutaway

#include "providers/onnxruntime/plugin/plugin_library.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <set>

#include "engine/base/folder_entries.h"
#include "engine/base/opened_library.h"
#include "providers/onnxruntime/abi/plugin_interface.h"
#include "providers/onnxruntime/elf_file.h"
#include "providers/onnxruntime/library.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileStart = "libonnxruntime_providers_";
constexpr std::string_view kFileEnd = ".so";
constexpr std::string_view kPackageStart = "onnxruntime_";  // of the folders that packages are installed into

#if defined(__x86_64__)
constexpr bool kSimulatesNpu = true;
#else
constexpr bool kSimulatesNpu = false;
#endif

// Packages that are known, by the folder they are installed into.
struct Package {
  std::string folder;
  PluginLibrary plugin;
};
std::vector<Package> knownPackages() {
  return {
      {"onnxruntime_qnn",
       {.name = "qnn",
        .title = "Qualcomm QNN",
        // Its contexts name the provider as it was registered: under another name nobody else can load them.
        .registration = "QNNExecutionProvider",
        .package = "onnxruntime-qnn",
        .licence = "MIT; Qualcomm's licence for libQnn*.so and libGenie.so",
        .isSimulator = kSimulatesNpu,
        // A group's border is no border of the model: its Q and DQ nodes were claimed.
        .groupOptions = {{"offload_graph_io_quantization", "0"}}}},
      {"onnxruntime_ep_webgpu",
       {.name = "webgpu",
        .title = "WebGPU",
        .registration = "WebGpuExecutionProvider",
        .package = "onnxruntime-ep-webgpu",
        .licence = "MIT, with third-party notices",
        .devicesInWords = "it takes GPUs alone",
        .takesSoftwareAdapter = true}},
      {"onnxruntime_ep_openvino",
       {.name = "openvino-plugin",
        .title = "OpenVINO, the plug-in",
        .registration = "OpenVINOExecutionProvider",
        .package = "onnxruntime-ep-openvino",
        .licence = "MIT, with third-party notices",
        .devicesInWords =
            "it takes processors, GPUs and NPUs of Intel alone. On other processors OpenVINO runs without "
            "this plug-in, as provider openvino, where that is built"}},
      {"onnxruntime_ep_nv_tensorrt_rtx",
       {.name = "nv-tensorrt-rtx",
        .title = "NVIDIA TensorRT RTX",
        .registration = "NvTensorRTRTXExecutionProvider",
        .package = "onnxruntime-ep-nv-tensorrt-rtx-cu13",
        .licence = "Apache-2.0; NVIDIA's TensorRT RTX agreement for its libraries"}},
  };
}

bool isPluginFile(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with(kFileStart) && name.ends_with(kFileEnd) && libraryProblem(file).empty() &&
         exportsSymbol(file, abi::kCreateFactories) && exportsSymbol(file, abi::kReleaseFactory);
}

// "2.7.0" of "onnxruntime_qnn-2.7.0.dist-info", which lies beside the package's folder.
std::string versionBeside(const fs::path& folder) {
  constexpr std::string_view kEnd = ".dist-info";
  const std::string start = folder.filename().string();
  for (const fs::path& entry : folderEntries(folder.parent_path())) {
    const std::string name = entry.filename().string();
    // A package may have a suffix that its folder has not: "-cu13".
    if (!name.starts_with(start) || !name.ends_with(kEnd)) continue;
    const size_t dash = name.find('-');
    if (dash != std::string::npos) return name.substr(dash + 1, name.size() - dash - 1 - kEnd.size());
  }
  return {};
}

// "openvino-plugin" of "libonnxruntime_providers_openvino_plugin.so".
std::string nameOf(const fs::path& file) {
  std::string name = file.filename().string().substr(kFileStart.size());
  name.resize(name.size() - kFileEnd.size());
  std::ranges::replace(name, '_', '-');
  return name;
}

class PluginList {
 public:
  PluginList() {
    for (Package& package : knownPackages())
      m_plugins.push_back(std::move(package.plugin));
    std::set<fs::path> searchedSites;  // "lib64" is mostly a link to "lib"
    for (const SearchFolder& searched : searchFolders()) {
      for (const char* const lib : {"lib", "lib64"}) {
        for (const fs::path& python : folderEntries(searched.folder / lib)) {
          if (!python.filename().string().starts_with("python3")) continue;
          std::error_code problem;
          const fs::path site = python / "site-packages";
          if (searchedSites.insert(fs::weakly_canonical(site, problem)).second) searchPackages(site, searched);
        }
      }
    }
    if (const char* const named = std::getenv(kPluginVariable); named != nullptr) {
      for (const fs::path& entry : foldersIn(kPluginVariable)) {
        const std::string text = entry.string();
        const size_t equals = text.find('=');
        // What is wrong with it is said when it is used.
        if (equals != std::string::npos) {
          addNamed(text.substr(0, equals), text.substr(equals + 1), kPluginVariable);
        } else {
          addAllIn(entry, kPluginVariable);
        }
      }
    }
  }

  std::vector<PluginLibrary> all() {
    const std::lock_guard lock(m_mutex);
    return m_plugins;
  }

  Result<void> add(const std::string& name, const fs::path& path) {
    const std::lock_guard lock(m_mutex);
    const bool isGood = !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
      return std::isalnum(letter) != 0 || letter == '_' || letter == '-';
    });
    if (!isGood)
      return fail(ErrorCode::kInvalidArgument,
                  "a plug-in library cannot be called '{}': letters, digits, '_' and '-' make a name", name);
    if (const std::string wrong = libraryProblem(path); !wrong.empty()) return fail(ErrorCode::kEpFail, "{}", wrong);
    if (!exportsSymbol(path, abi::kCreateFactories) || !exportsSymbol(path, abi::kReleaseFactory))
      return fail(ErrorCode::kEpFail, "{} is no library of plug-in providers: it does not export {} and {}",
                  path.string(), abi::kCreateFactories, abi::kReleaseFactory);
    addNamed(name, path, "--ep-library");
    return {};
  }

  Result<void> addFolder(const fs::path& folder) {
    const std::lock_guard lock(m_mutex);
    if (addAllIn(folder, "--ep-library") > 0) return {};
    return fail(ErrorCode::kNotFound,
                "the folder {} holds no library of plug-in providers: {}NAME{} that exports {} and {}, in it or in a "
                "folder {}* below it",
                folder.string(), kFileStart, kFileEnd, abi::kCreateFactories, abi::kReleaseFactory, kPackageStart);
  }

 private:
  // An unpacked package, or a folder of several; the number of libraries in it.
  size_t addAllIn(const fs::path& folder, const char* source) {
    size_t added = 0;
    for (const fs::path& entry : folderEntries(folder)) {
      std::error_code problem;
      if (fs::is_directory(entry, problem)) {
        if (entry.filename().string().starts_with(kPackageStart)) added += addAllIn(entry, source);
      } else if (isPluginFile(entry)) {
        addNamed(nameOf(entry), entry, source);
        ++added;
      }
    }
    return added;
  }

  void searchPackages(const fs::path& site, const SearchFolder& searched) {
    for (const fs::path& folder : folderEntries(site)) {
      const std::string folderName = folder.filename().string();
      if (!folderName.starts_with(kPackageStart) || !fs::is_directory(folder)) continue;
      for (const fs::path& file : folderEntries(folder)) {
        if (isPluginFile(file)) addFound(folder, file, searched);
      }
    }
  }

  void addFound(const fs::path& folder, const fs::path& file, const SearchFolder& searched) {
    const std::vector<Package> packages = knownPackages();
    const auto known = std::ranges::find(packages, folder.filename().string(), &Package::folder);
    std::string name = nameOf(file);
    if (known != packages.end()) name = known->plugin.name;
    const auto place = std::ranges::find(m_plugins, name, &PluginLibrary::name);
    PluginLibrary& plugin = place != m_plugins.end() ? *place : m_plugins.emplace_back();
    if (!plugin.path.empty()) return;  // found earlier
    if (place == m_plugins.end()) {
      plugin.name = plugin.title = plugin.registration = name;
      plugin.package = folder.filename().string();
      plugin.licence = "see its package";
    }
    plugin.path = file;
    plugin.version = versionBeside(folder);
    plugin.source = searched.source;
  }

  void addNamed(const std::string& name, const fs::path& path, const char* source) {
    auto place = std::ranges::find(m_plugins, name, &PluginLibrary::name);
    if (place == m_plugins.end()) {
      m_plugins.push_back({.name = name,
                           .title = name,
                           .registration = name,
                           .package = {},
                           .licence = "see its own",
                           .path = path,
                           .source = source});
      return;
    }
    place->path = path;
    place->version.clear();
    place->source = source;
  }

  std::mutex m_mutex;
  std::vector<PluginLibrary> m_plugins;
};

PluginList& pluginList() {
  static PluginList list;
  return list;
}

}  // namespace

std::vector<PluginLibrary> pluginLibraries() {
  return pluginList().all();
}

Result<void> addPluginLibrary(const std::string& name, const fs::path& path) {
  return pluginList().add(name, path);
}

Result<void> addPluginLibrary(const std::string& text) {
  const size_t equals = text.find('=');
  std::error_code problem;
  if (fs::is_directory(text, problem)) return pluginList().addFolder(text);
  if (equals == std::string::npos)
    return fail(ErrorCode::kInvalidArgument,
                "a plug-in library is named NAME=PATH, or by a folder with such libraries; '{}' is no folder and has "
                "no '='",
                text);
  return addPluginLibrary(text.substr(0, equals), text.substr(equals + 1));
}

std::string howToGet(const PluginLibrary& plugin) {
  const std::string named = fmt::format("or name its library: --ep-library {}=PATH", plugin.name);
  if (plugin.package.empty()) return named;
  return fmt::format(
      "get it with 'packaging/setup.sh --providers' or 'pip install {}' into build/env or another Python environment, "
      "{} (licence: {})",
      plugin.package, named, plugin.licence);
}

}  // namespace cutaway::onnxruntime

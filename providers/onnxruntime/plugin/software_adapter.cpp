#include "providers/onnxruntime/plugin/software_adapter.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/program_place.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDriverFile = "vk_swiftshader_icd.json";
constexpr const char* kDriverLibrary = "libvk_swiftshader.so";
constexpr const char* kAllowVariable = "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER";
constexpr const char* kDriverVariable = "VK_ICD_FILENAMES";
// Names drivers as well; the loader prefers it.
constexpr const char* kNewDriverVariable = "VK_DRIVER_FILES";
// Without it the loader complains on every start.
constexpr const char* kRuntimeVariable = "XDG_RUNTIME_DIR";

bool isSet(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// What packaging/setup.sh --providers unpacks, then the folders that Debian's chromium is installed to.
std::vector<fs::path> driverFolders() {
  std::vector<fs::path> folders;
#ifdef CUTAWAY_BUILD_FOLDER
  folders = foldersOfBuild(CUTAWAY_BUILD_FOLDER, {CUTAWAY_SWIFTSHADER_FOLDER});
#endif
  for (const char* const folder : {"/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"})
    folders.emplace_back(folder);
  return folders;
}

}  // namespace

fs::path softwareDriverIn(std::span<const fs::path> folders) {
  for (const fs::path& folder : folders) {
    std::error_code problem;
    if (fs::is_regular_file(folder / kDriverFile, problem) && fs::is_regular_file(folder / kDriverLibrary, problem))
      return folder / kDriverFile;
  }
  return {};
}

std::optional<SoftwareAdapter> softwareAdapter(const PluginLibrary& plugin) {
  if (!plugin.takesSoftwareAdapter) return std::nullopt;
  SoftwareAdapter adapter;
  if (!isSet(kDriverVariable) && !isSet(kNewDriverVariable)) {
    adapter.driver = softwareDriverIn(driverFolders());
    if (adapter.driver.empty()) return std::nullopt;
    adapter.environment.emplace_back(kDriverVariable, adapter.driver.string());
  }
  if (!isSet(kAllowVariable)) adapter.environment.emplace_back(kAllowVariable, "1");
  std::error_code problem;
  const fs::path scratch = fs::temp_directory_path(problem);
  if (!isSet(kRuntimeVariable) && !problem) adapter.environment.emplace_back(kRuntimeVariable, scratch.string());
  return adapter;
}

bool isOnSoftware(const PluginLibrary& plugin, std::span<const DeviceFacts> devices) {
  return plugin.takesSoftwareAdapter && !devices.empty() &&
         std::ranges::all_of(devices, [](const DeviceFacts& device) { return device.kind == "cpu"; });
}

std::string noDevice(const PluginLibrary& plugin, const std::optional<SoftwareAdapter>& adapter) {
  std::string text = "it offers no device on this machine: ";
  text += plugin.devicesInWords.empty() ? "the hardware that it is made for is not here" : plugin.devicesInWords;
  if (!plugin.takesSoftwareAdapter) return text;
  if (!adapter)
    return text +
           ". On the CPU it runs with SwiftShader's Vulkan driver, which is not found: 'packaging/setup.sh "
           "--providers' unpacks it, or VK_ICD_FILENAMES names its vk_swiftshader_icd.json";
  const std::string driver = adapter->driver.empty()
                                 ? std::string("the Vulkan driver that VK_ICD_FILENAMES or VK_DRIVER_FILES names")
                                 : adapter->driver.string();
  return text + fmt::format(
                    ". It takes no software adapter either, with {}: the Vulkan loader, libvulkan.so.1 (package "
                    "libvulkan1), may be missing, or the driver lack what it needs",
                    driver);
}

}  // namespace cutaway::onnxruntime

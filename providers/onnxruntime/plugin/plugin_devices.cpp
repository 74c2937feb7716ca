#include "providers/onnxruntime/plugin/plugin_devices.h"

#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/library.h"

namespace cutaway::onnxruntime {

namespace {

constexpr const char* kNoDevice = "it offers no device on this machine: the hardware that it is made for is not here";

}  // namespace

PluginOffer askOffer(const PluginLibrary& plugin) {
  PluginOffer offer;
  if (plugin.path.empty()) {
    offer.problem = fmt::format("its library is not found; {}", howToGet(plugin));
    return offer;
  }
  const Result<LibraryPlace> place = findLibrary();
  if (!place) {
    offer.problem = place.error().message;
    return offer;
  }
  Host host({.library = place->path, .requestSeconds = 60});
  Result<std::vector<DeviceFacts>> devices =
      host.registerPlugin({.registration = plugin.registration, .library = plugin.path.string(), .environment = {}});
  if (!devices) {
    offer.problem = devices.error().message;
  } else if (devices->empty()) {
    offer.problem = kNoDevice;
  } else {
    offer.devices = *std::move(devices);
  }
  return offer;
}

Result<std::string> chooseProvider(const PluginLibrary& plugin, const std::string& wanted,
                                   std::span<const DeviceFacts> devices) {
  if (devices.empty()) return fail(ErrorCode::kEpFail, "provider {} cannot be used here: {}", plugin.name, kNoDevice);
  if (wanted.empty()) return devices.front().provider;
  std::string names;
  for (const DeviceFacts& device : devices) {
    if (device.provider == wanted) return wanted;
    names += (names.empty() ? "" : ", ") + device.provider;
  }
  return fail(ErrorCode::kNotFound, "the library of provider {} has no execution provider '{}' here; it has {}",
              plugin.name, wanted, names);
}

}  // namespace cutaway::onnxruntime

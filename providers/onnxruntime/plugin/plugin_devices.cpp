#include "providers/onnxruntime/plugin/plugin_devices.h"

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

Result<std::shared_ptr<Host>> openPlugin(const PluginLibrary& plugin, PluginSettings& settings) {
  const auto unusable = [&](const std::string& why) {
    return fail(ErrorCode::kEpFail, "provider {} cannot be used here: {}", plugin.name, why);
  };
  AppendedProvider& provider = settings.session.providers.front();
  if (provider.plugin.library.empty()) return unusable(fmt::format("its library is not found; {}", howToGet(plugin)));
  const Result<LibraryPlace> place = findLibrary(settings.folder);
  if (!place) return unusable(place.error().message);
  std::shared_ptr<Host> host =
      Host::of({.library = place->path, .requestSeconds = settings.timeoutSeconds, .target = targetOf(settings)});
  const Result<std::vector<DeviceFacts>> devices = host->registerPlugin(provider.plugin);
  if (!devices) return unusable(devices.error().message);
  CUTAWAY_TRY(provider.name, chooseProvider(plugin, provider.name, *devices));
  return host;
}

}  // namespace cutaway::onnxruntime

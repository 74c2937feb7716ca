#include "providers/onnxruntime/plugin/plugin_devices.h"

#include <functional>
#include <optional>

#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/plugin/software_adapter.h"

namespace cutaway::onnxruntime {

namespace {

// A plug-in's devices with the host that has them.
struct Opened {
  std::shared_ptr<Host> host;
  std::vector<DeviceFacts> devices;
};
using Open = std::function<Result<Opened>(const PluginPlace& place)>;

// What the plug-in offers as it is, else with a software adapter, which takes a process that never knew it without.
// EP_FAIL: neither; `place` gets the variables that helped.
Result<Opened> openWithDevices(const PluginLibrary& plugin, PluginPlace& place, const Open& open) {
  CUTAWAY_TRY(Opened plain, open(place));
  if (!plain.devices.empty()) return plain;
  plain.host.reset();
  const std::optional<SoftwareAdapter> adapter = softwareAdapter(plugin);
  if (!adapter || adapter->environment.empty()) return fail(ErrorCode::kEpFail, "{}", noDevice(plugin, adapter));
  PluginPlace onSoftware = place;
  // What the user says of these variables stands behind, and holds.
  onSoftware.environment = adapter->environment;
  onSoftware.environment.insert(onSoftware.environment.end(), place.environment.begin(), place.environment.end());
  CUTAWAY_TRY(Opened opened, open(onSoftware));
  if (opened.devices.empty()) return fail(ErrorCode::kEpFail, "{}", noDevice(plugin, adapter));
  place = std::move(onSoftware);
  return opened;
}

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
  PluginPlace registered{.registration = plugin.registration, .library = plugin.path.string(), .environment = {}};
  Result<Opened> opened = openWithDevices(plugin, registered, [&](const PluginPlace& each) -> Result<Opened> {
    auto host = std::make_shared<Host>(HostConfiguration{.library = place->path, .requestSeconds = 60});
    CUTAWAY_TRY(std::vector<DeviceFacts> devices, host->registerPlugin(each));
    return Opened{std::move(host), std::move(devices)};
  });
  if (!opened) {
    offer.problem = opened.error().message;
    return offer;
  }
  offer.devices = std::move(opened->devices);
  offer.onSoftware = isOnSoftware(plugin, offer.devices);
  return offer;
}

Result<std::string> chooseProvider(const PluginLibrary& plugin, const std::string& wanted,
                                   std::span<const DeviceFacts> devices) {
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
  Result<Opened> opened = openWithDevices(plugin, provider.plugin, [&](const PluginPlace& each) -> Result<Opened> {
    PluginSettings target = settings;
    target.session.providers.front().plugin = each;
    std::shared_ptr<Host> host =
        Host::of({.library = place->path, .requestSeconds = settings.timeoutSeconds, .target = targetOf(target)});
    CUTAWAY_TRY(std::vector<DeviceFacts> devices, host->registerPlugin(each));
    return Opened{std::move(host), std::move(devices)};
  });
  if (!opened) return unusable(opened.error().message);
  CUTAWAY_TRY(provider.name, chooseProvider(plugin, provider.name, opened->devices));
  settings.onSoftware = isOnSoftware(plugin, opened->devices);
  return std::move(opened->host);
}

}  // namespace cutaway::onnxruntime

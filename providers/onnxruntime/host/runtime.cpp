#include "providers/onnxruntime/host/runtime.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/clock.h"
#include "engine/base/opened_library.h"
#include "providers/onnxruntime/abi/plugin_interface.h"
#include "providers/onnxruntime/protocol/host_start.h"

namespace cutaway::onnxruntime {

namespace {

const char* kindName(abi::HardwareKind kind) {
  switch (kind) {
    case abi::kHardwareCpu:
      return "cpu";
    case abi::kHardwareGpu:
      return "gpu";
    case abi::kHardwareNpu:
      return "npu";
  }
  return "unknown";
}

std::string textOf(const char* text) {
  return text == nullptr ? std::string() : text;
}

TextPairs pairsOf(const CApi& api, const abi::KeyValuePairs* pairs) {
  TextPairs list;
  if (pairs == nullptr) return list;
  abi::Texts keys = nullptr;
  abi::Texts values = nullptr;
  size_t count = 0;
  api.at(abi::kPairs)(pairs, &keys, &values, &count);
  for (size_t i = 0; i < count; ++i)
    list.emplace_back(keys[i], values[i]);
  return list;
}

}  // namespace

Result<std::string> takenText(const CApi& api, char* text) {
  std::string taken = textOf(text);
  abi::Allocator* allocator = nullptr;
  CUTAWAY_CHECK(api.check(abi::kDefaultAllocator, &allocator));
  CUTAWAY_CHECK(api.check(abi::kFree, allocator, static_cast<void*>(text)));
  return taken;
}

Result<std::unique_ptr<Runtime>> Runtime::open(const Hello& hello) {
  CUTAWAY_TRY(CApi api, CApi::open(hello.library));
  return std::unique_ptr<Runtime>(new Runtime(std::move(api), hello));
}

Result<LibraryFacts> Runtime::facts() const {
  LibraryFacts facts{.path = m_path,
                     .version = m_api.libraryVersion(),
                     .apiVersion = m_api.version(),
                     .build = textOf(m_api.at(abi::kBuildInfo)()),
                     .providers = {}};
  char** names = nullptr;
  int count = 0;
  CUTAWAY_CHECK(m_api.check(abi::kAvailableProviders, &names, &count));
  facts.providers.assign(names, names + count);
  CUTAWAY_CHECK(m_api.check(abi::kReleaseAvailableProviders, names, count));
  return facts;
}

Result<abi::Environment*> Runtime::environment(int64_t* tookNs) {
  if (m_environment.get() == nullptr) {
    const Stopwatch watch;
    CUTAWAY_CHECK(m_api.check(abi::kCreateEnvironment, &LogBook::write, static_cast<void*>(&m_log), abi::kWarning,
                              "cutaway", m_environment.out()));
    if (tookNs != nullptr) *tookNs = watch.elapsedNs();
  }
  return m_environment.get();
}

Result<std::vector<const abi::EpDevice*>> Runtime::allDevices() {
  CUTAWAY_TRY(abi::Environment* const environment, this->environment());
  const abi::EpDevice* const* devices = nullptr;
  size_t count = 0;
  CUTAWAY_CHECK(m_api.check(abi::kEpDevices, environment, &devices, &count));
  return std::vector<const abi::EpDevice*>(devices, devices + count);
}

DeviceFacts Runtime::describe(const abi::EpDevice* device) const {
  const abi::HardwareDevice* const hardware = m_api.at(abi::kEpDeviceHardware)(device);
  DeviceFacts facts{.provider = textOf(m_api.at(abi::kEpDeviceName)(device)),
                    .providerVendor = textOf(m_api.at(abi::kEpDeviceVendor)(device)),
                    .kind = kindName(m_api.at(abi::kHardwareKind)(hardware)),
                    .vendor = textOf(m_api.at(abi::kHardwareVendor)(hardware)),
                    .vendorId = m_api.at(abi::kHardwareVendorId)(hardware),
                    .deviceId = m_api.at(abi::kHardwareId)(hardware),
                    .metadata = pairsOf(m_api, m_api.at(abi::kEpDeviceMetadata)(device)),
                    .options = pairsOf(m_api, m_api.at(abi::kEpDeviceOptions)(device))};
  for (auto& pair : pairsOf(m_api, m_api.at(abi::kHardwareMetadata)(hardware)))
    facts.metadata.push_back(std::move(pair));
  return facts;
}

Result<DeviceList> Runtime::devices() {
  CUTAWAY_TRY(const auto devices, allDevices());
  DeviceList list;
  for (const abi::EpDevice* const device : devices)
    list.devices.push_back(describe(device));
  return list;
}

Result<const abi::MemoryInfo*> Runtime::hostMemory() {
  if (m_memory.get() == nullptr)
    CUTAWAY_CHECK(m_api.check(abi::kCreateCpuMemoryInfo, abi::kArenaAllocator, abi::kDefaultMemory, m_memory.out()));
  return m_memory.get();
}

Result<void> Runtime::openRecorder() {
  if (m_recorder != nullptr) return {};
  const ModuleDescription description{.file = kRecorderFile,
                                      .needs = "nothing",
                                      .entry = kRecorderEntry,
                                      .version = kRecorderVersion,
                                      .remedy = "it lies beside this program: build or install it again"};
  const std::vector<std::filesystem::path> folders = moduleFolders(kHostVariable);
  const ModuleEntry entry = moduleEntry(description, folders);
  if (entry.address == nullptr) return fail(ErrorCode::kEpFail, "{}", entry.reason);
  m_recorder = reinterpret_cast<CallRecorder* (*)(int)>(entry.address)(kRecorderVersion);
  if (m_recorder == nullptr) return fail(ErrorCode::kEpFail, "{}", otherVersion(description, entry.path));
  m_recorderPath = entry.path.string();
  return {};
}

Result<std::vector<const abi::EpDevice*>> Runtime::registerPlugin(const PluginPlace& plugin) {
  for (const Registered& each : m_registered) {
    if (each.place.registration != plugin.registration) continue;
    if (each.place.library == plugin.library) return each.devices;
    return fail(ErrorCode::kInvalidArgument, "'{}' is registered already, with the library {}", plugin.registration,
                each.place.library);
  }
  for (const auto& [name, value] : plugin.environment)
    setenv(name.c_str(), value.c_str(), 1);
  CUTAWAY_CHECK(openRecorder());
  CUTAWAY_TRY(abi::Environment* const environment, this->environment());
  CUTAWAY_TRY(const auto before, allDevices());
  m_recorder->serve(plugin.registration, plugin.library);
  if (const Result<void> registered =
          m_api.check(abi::kRegisterProviderLibrary, environment, plugin.registration.c_str(), m_recorderPath.c_str());
      !registered)
    return fail(registered.error().code, "ONNX Runtime {} does not register {}: {}", m_api.libraryVersion(),
                plugin.library, registered.error().message);
  CUTAWAY_TRY(const auto after, allDevices());
  Registered made{plugin, {}};
  for (const abi::EpDevice* const device : after) {
    if (std::ranges::find(before, device) == before.end()) made.devices.push_back(device);
  }
  m_registered.push_back(std::move(made));
  return m_registered.back().devices;
}

void Runtime::listen(std::vector<CapabilityCall>* calls, MayCompile what) {
  if (m_recorder != nullptr) m_recorder->listen(calls, what);
}

bool Runtime::hasCompiled() const {
  return m_recorder != nullptr && m_recorder->hasCompiled();
}

Result<void> Runtime::share(const ShareMemory& message, FileDescriptor file) {
  CUTAWAY_TRY(m_shared[message.memory], SharedMemory::open(std::move(file), message.sizeBytes));
  return {};
}

Result<std::span<std::byte>> Runtime::bytesAt(const MemoryPlace& place) const {
  const auto memory = m_shared.find(place.memory);
  if (memory == m_shared.end() || memory->second == nullptr)
    return fail(ErrorCode::kInvalidArgument, "memory {} was not shared", place.memory);
  const std::span<std::byte> bytes = memory->second->part(place.offset, place.sizeBytes);
  if (bytes.data() == nullptr)
    return fail(ErrorCode::kInvalidArgument, "memory {} ends before {} bytes at {}", place.memory, place.sizeBytes,
                place.offset);
  return bytes;
}

}  // namespace cutaway::onnxruntime

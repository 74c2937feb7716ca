#include "providers/onnxruntime/host/runtime.h"

#include <algorithm>

#include "engine/base/clock.h"

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

Result<DeviceList> Runtime::devices() {
  CUTAWAY_TRY(abi::Environment* const environment, this->environment());
  const abi::EpDevice* const* devices = nullptr;
  size_t count = 0;
  CUTAWAY_CHECK(m_api.check(abi::kEpDevices, environment, &devices, &count));
  DeviceList list;
  for (size_t i = 0; i < count; ++i) {
    const abi::HardwareDevice* const hardware = m_api.at(abi::kEpDeviceHardware)(devices[i]);
    list.devices.push_back({.provider = textOf(m_api.at(abi::kEpDeviceName)(devices[i])),
                            .providerVendor = textOf(m_api.at(abi::kEpDeviceVendor)(devices[i])),
                            .kind = kindName(m_api.at(abi::kHardwareKind)(hardware)),
                            .vendor = textOf(m_api.at(abi::kHardwareVendor)(hardware)),
                            .vendorId = m_api.at(abi::kHardwareVendorId)(hardware),
                            .deviceId = m_api.at(abi::kHardwareId)(hardware)});
  }
  return list;
}

Result<const abi::MemoryInfo*> Runtime::hostMemory() {
  if (m_memory.get() == nullptr)
    CUTAWAY_CHECK(m_api.check(abi::kCreateCpuMemoryInfo, abi::kArenaAllocator, abi::kDefaultMemory, m_memory.out()));
  return m_memory.get();
}

Result<void> Runtime::registerProviders(const std::string& library) {
  if (std::ranges::find(m_registered, library) != m_registered.end()) return {};
  CUTAWAY_TRY(abi::Environment* const environment, this->environment());
  const std::string name = fmt::format("cutaway-{}", m_registered.size());
  CUTAWAY_CHECK(m_api.check(abi::kRegisterProviderLibrary, environment, name.c_str(), library.c_str()));
  m_registered.push_back(library);
  return {};
}

Result<std::vector<const abi::EpDevice*>> Runtime::devicesOf(const std::string& provider) {
  CUTAWAY_TRY(abi::Environment* const environment, this->environment());
  const abi::EpDevice* const* devices = nullptr;
  size_t count = 0;
  CUTAWAY_CHECK(m_api.check(abi::kEpDevices, environment, &devices, &count));
  std::vector<const abi::EpDevice*> found;
  std::string names;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = textOf(m_api.at(abi::kEpDeviceName)(devices[i]));
    if (name == provider) found.push_back(devices[i]);
    names += (names.empty() ? "" : ", ") + name;
  }
  if (found.empty())
    return fail(ErrorCode::kNotFound, "ONNX Runtime finds no device of provider '{}' here; it finds {}", provider,
                names);
  return found;
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

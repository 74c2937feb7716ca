#include "providers/onnxruntime/host/session_options.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>

#include "providers/onnxruntime/abi/custom_operator.h"

namespace cutaway::onnxruntime {

namespace {

constexpr const char* kCudaProvider = "CUDAExecutionProvider";
constexpr const char* kTensorrtProvider = "TensorrtExecutionProvider";
constexpr int kEveryLine = 0;

struct OptionTexts {
  std::vector<const char*> keys, values;
  explicit OptionTexts(const TextPairs& options) {
    for (const auto& [key, value] : options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
};

class SettingsWriter {
 public:
  SettingsWriter(Runtime& runtime, const CreateSession& message, abi::SessionOptions* options)
      : m_runtime(runtime),
        m_api(runtime.api()),
        m_message(message),
        m_settings(message.settings),
        m_options(options) {}

  Result<void> write() {
    CUTAWAY_CHECK(m_api.check(abi::kSetOptimizationLevel, m_options, static_cast<int32_t>(m_settings.level)));
    CUTAWAY_CHECK(m_api.check(abi::kSetSessionExecutionMode, m_options, m_settings.parallel ? 1 : 0));
    if (m_settings.intraThreads > 0)
      CUTAWAY_CHECK(m_api.check(abi::kSetIntraOpThreads, m_options, m_settings.intraThreads));
    if (m_settings.interThreads > 0)
      CUTAWAY_CHECK(m_api.check(abi::kSetInterOpThreads, m_options, m_settings.interThreads));
    if (!m_settings.arena) CUTAWAY_CHECK(m_api.check(abi::kDisableCpuArena, m_options));
    if (!m_settings.memoryPattern) CUTAWAY_CHECK(m_api.check(abi::kDisableMemoryPattern, m_options));
    if (m_settings.log) CUTAWAY_CHECK(m_api.check(abi::kSetSessionLogSeverity, m_options, kEveryLine));
    if (m_settings.assignment) CUTAWAY_CHECK(entry("session.record_ep_graph_assignment_info", "1"));
    for (const auto& [key, value] : m_settings.keys)
      CUTAWAY_CHECK(entry(key, value));
    for (const auto& [name, size] : m_settings.dimensions)
      CUTAWAY_CHECK(m_api.check(abi::kFixDimension, m_options, name.c_str(), size));
    for (const AppendedProvider& provider : m_settings.providers)
      CUTAWAY_CHECK(append(provider));
    for (const std::string& library : m_settings.customOperators)
      CUTAWAY_CHECK(m_api.check(abi::kRegisterOperatorLibrary, m_options, library.c_str()));
    CUTAWAY_CHECK(addWeights());
    if (!m_settings.profile) return {};
    CUTAWAY_TRY(const std::string prefix, m_runtime.scratch().name("profile"));
    return m_api.check(abi::kEnableProfiling, m_options, prefix.c_str());
  }

 private:
  Result<void> entry(const std::string& key, const std::string& value) {
    return m_api.check(abi::kAddSessionEntry, m_options, key.c_str(), value.c_str());
  }

  Result<void> append(const AppendedProvider& provider) {
    const OptionTexts texts(provider.options);
    const size_t count = texts.keys.size();
    if (provider.name == kCpuProvider) return {};
    if (!provider.plugin.library.empty()) {
      CUTAWAY_TRY(const auto devices, devicesOf(provider));
      CUTAWAY_TRY(abi::Environment* const environment, m_runtime.environment());
      return m_api.check(abi::kAppendDevices, m_options, environment, devices.data(), devices.size(), texts.keys.data(),
                         texts.values.data(), count);
    }
    if (provider.name == kCudaProvider) {
      OwnedCudaOptions cuda(m_api);
      CUTAWAY_CHECK(m_api.check(abi::kCreateCudaOptions, cuda.out()));
      CUTAWAY_CHECK(m_api.check(abi::kUpdateCudaOptions, cuda.get(), texts.keys.data(), texts.values.data(), count));
      return m_api.check(abi::kAppendCuda, m_options, cuda.get());
    }
    if (provider.name == kTensorrtProvider) {
      OwnedTensorrtOptions tensorrt(m_api);
      CUTAWAY_CHECK(m_api.check(abi::kCreateTensorrtOptions, tensorrt.out()));
      CUTAWAY_CHECK(
          m_api.check(abi::kUpdateTensorrtOptions, tensorrt.get(), texts.keys.data(), texts.values.data(), count));
      return m_api.check(abi::kAppendTensorrt, m_options, tensorrt.get());
    }
    return m_api.check(abi::kAppendProvider, m_options, provider.name.c_str(), texts.keys.data(), texts.values.data(),
                       count);
  }

  // Those of one provider: a library may have several.
  Result<std::vector<const abi::EpDevice*>> devicesOf(const AppendedProvider& provider) {
    CUTAWAY_TRY(const auto devices, m_runtime.registerPlugin(provider.plugin));
    if (devices.empty())
      return fail(ErrorCode::kNotFound, "the library {} offers no device on this machine", provider.plugin.library);
    const std::string name = provider.name.empty() ? m_runtime.describe(devices.front()).provider : provider.name;
    std::vector<const abi::EpDevice*> found;
    std::string names;
    for (const abi::EpDevice* const device : devices) {
      const std::string its = m_runtime.describe(device).provider;
      if (its == name) found.push_back(device);
      names += (names.empty() ? "" : ", ") + its;
    }
    if (!found.empty()) return found;
    return fail(ErrorCode::kNotFound, "the library {} has no device of provider '{}'; it has {}",
                provider.plugin.library, name, names);
  }

  Result<void> addWeights() {
    if (m_message.weights.empty()) return {};
    std::vector<const char*> names;
    std::vector<char*> buffers;
    std::vector<size_t> lengths;
    for (const WeightFile& file : m_message.weights) {
      CUTAWAY_TRY(const std::span<std::byte> bytes, m_runtime.bytesAt(file.place));
      names.push_back(file.name.c_str());
      buffers.push_back(reinterpret_cast<char*>(bytes.data()));
      lengths.push_back(bytes.size());
    }
    // Without it they are copied; versions before 1.31 do not know the key.
    CUTAWAY_CHECK(entry("session.use_external_initializer_file_buffers_directly", "1"));
    return m_api.check(abi::kAddWeightFiles, m_options, names.data(), buffers.data(), lengths.data(), names.size());
  }

  Runtime& m_runtime;
  const CApi& m_api;
  const CreateSession& m_message;
  const SessionSettings& m_settings;
  abi::SessionOptions* m_options;
};

}  // namespace

Result<SessionOrder> sessionOptions(Runtime& runtime, const CreateSession& message) {
  const CApi& api = runtime.api();
  SessionOrder order{.options = OwnedSessionOptions(api), .optimizedModel = {}};
  CUTAWAY_CHECK(api.check(abi::kCreateSessionOptions, order.options.out()));
  CUTAWAY_CHECK(SettingsWriter(runtime, message, order.options.get()).write());
  if (!message.settings.optimizedModel) return order;
  // The library writes to a path: that of memory, so that nothing reaches a disk.
  order.optimizedModel = FileDescriptor(memfd_create("optimized model", MFD_CLOEXEC));
  if (!order.optimizedModel.valid())
    return fail(ErrorCode::kFail, "no memory for the optimised model: {}", std::strerror(errno));
  const std::string path = fmt::format("/proc/self/fd/{}", order.optimizedModel.get());
  CUTAWAY_CHECK(api.check(abi::kSetOptimizedModelFilePath, order.options.get(), path.c_str()));
  return order;
}

}  // namespace cutaway::onnxruntime

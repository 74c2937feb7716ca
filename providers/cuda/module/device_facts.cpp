#include "providers/cuda/module/device_facts.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include "providers/cuda/module/cudnn_operations.h"
#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/libraries.h"

namespace cutaway::cuda {
namespace {

// fp32 lanes of one multiprocessor, from the compute-capability table of the CUDA programming guide ("Arithmetic
// instructions").
int lanes(int major, int minor) {
  if (major == 7 || (major == 8 && minor == 0)) return 64;
  return 128;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// One transfer moves one bit a lane; generations 1 and 2 lose a fifth to their code, 3 to 5 two bits of 130, 6 next to
// nothing.
double bytesPerSecond(double gigatransfers, int width) {
  const double share = gigatransfers <= 5.0 ? 0.8 : gigatransfers <= 32.0 ? 128.0 / 130.0 : 0.98;
  return gigatransfers * 1e9 * share * width / 8;
}

double linkSpeedBySystem(const std::string& busId) {
  const std::string folder = "/sys/bus/pci/devices/" + busId + "/";
  const double speed = std::atof(firstLine(folder + "max_link_speed").c_str());  // "32.0 GT/s PCIe"
  const int width = std::atoi(firstLine(folder + "max_link_width").c_str());
  return speed > 0 && width > 0 && width <= 32 ? bytesPerSecond(speed, width) : 0;
}

// The driver's management library: few calls, by hand, because its header is no part of the toolkit's run time.
class Management {
 public:
  // Once a process, and never closed: opening it takes tens of milliseconds.
  static const Management& get() {
    static const Management* const opened = new Management;
    return *opened;
  }
  Management(const Management&) = delete;
  Management& operator=(const Management&) = delete;

  std::string driverVersion() const {
    char text[96] = {};
    const auto ask = call<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    return m_works && ask != nullptr && ask(text, sizeof(text) - 1) == 0 ? text : "";
  }

  double linkSpeed(const std::string& busId) const {
    constexpr double kGigatransfers[] = {2.5, 5, 8, 16, 32, 64};  // of PCIe 1 to 6
    const auto find = call<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    const auto generation = call<int(void*, unsigned*)>("nvmlDeviceGetMaxPcieLinkGeneration");
    const auto width = call<int(void*, unsigned*)>("nvmlDeviceGetMaxPcieLinkWidth");
    void* device = nullptr;
    unsigned g = 0, w = 0;
    if (!m_works || find == nullptr || generation == nullptr || width == nullptr) return 0;
    if (find(busId.c_str(), &device) != 0 || generation(device, &g) != 0 || width(device, &w) != 0) return 0;
    return g >= 1 && g <= 6 && w <= 32 ? bytesPerSecond(kGigatransfers[g - 1], static_cast<int>(w)) : 0;
  }

 private:
  template <typename Function>
  Function* call(const char* name) const {
    return m_library.symbol<Function>(name);
  }
  Management() : m_library(openLibraryFile("libnvidia-ml.so.1", BindSymbols::kWhenCalled)) {
    const auto start = call<int()>("nvmlInit_v2");
    m_works = start != nullptr && start() == 0;
  }

  OpenedLibrary m_library;
  bool m_works = false;
};

std::string busIdOf(int device) {
  char text[32] = {};
  if (cudaDeviceGetPCIBusId(text, sizeof(text), device) != cudaSuccess) return {};
  std::string id = text;
  std::transform(id.begin(), id.end(), id.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return id;
}

std::string cublasLtVersionText() {
  const auto ask = cublasLtLibrary().symbol<size_t()>("cublasLtGetVersion");
  if (ask == nullptr) return {};
  const size_t version = ask();  // 130100 is 13.1.0
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

std::string nvrtcVersionText() {
  const auto ask = nvrtcLibrary().symbol<decltype(nvrtcVersion)>("nvrtcVersion");
  int major = 0, minor = 0;
  if (ask == nullptr || ask(&major, &minor) != NVRTC_SUCCESS) return {};
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

Status countDevices(int& count) {
  count = 0;
  const cudaError_t asked = cudaGetDeviceCount(&count);
  if (asked == cudaSuccess && count > 0) return {};
  int driver = 0, runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaGetLastError();
  return Status::unsupported(whyNoDevice(asked == cudaSuccess ? cudaErrorNoDevice : asked, driver, runtime));
}

double linkSpeed(const std::string& busId) {
  if (busId.empty()) return 0;
  const double known = Management::get().linkSpeed(busId);
  return known > 0 ? known : linkSpeedBySystem(busId);
}

Status readFacts(int device, DeviceFacts& facts) {
  cudaDeviceProp properties{};
  if (Status status = statusOf(cudaGetDeviceProperties(&properties, device),
                               "device " + std::to_string(device) + " does not answer");
      !status.ok())
    return status;
  facts.index = device;
  facts.name = properties.name;
  facts.computeMajor = properties.major;
  facts.computeMinor = properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.totalBytes = facts.freeBytes = static_cast<int64_t>(properties.totalGlobalMem);
  facts.cacheBytes = properties.l2CacheSize;
  facts.sharedBytesPerBlock = static_cast<int64_t>(properties.sharedMemPerBlockOptin);
  facts.architecture = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
  const double memoryClock = 1e3 * attribute(cudaDevAttrMemoryClockRate, device);  // Hz; two transfers a clock
  facts.memoryBytesPerSecond = 2 * memoryClock * properties.memoryBusWidth / 8;
  facts.flopsPerSecond = 2e3 * attribute(cudaDevAttrClockRate, device) * properties.multiProcessorCount *
                         lanes(properties.major, properties.minor);
  facts.linkBytesPerSecond = linkSpeed(busIdOf(device));
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const std::string exact = Management::get().driverVersion();
  facts.driverVersion = exact.empty() ? "CUDA " + versionText(driver) : exact + " (CUDA " + versionText(driver) + ")";
  facts.runtimeVersion = versionText(runtime);
  return {};
}

void readLibraries(DeviceFacts& facts) {
  facts.missing.clear();
  facts.cublasVersion = cublasLtVersionText();
  if (facts.cublasVersion.empty()) facts.missing.push_back(cublasLtLibrary().reason);
  std::string reason;
  facts.cudnnVersion = cudnnVersion(reason);
  if (facts.cudnnVersion.empty()) facts.missing.push_back(reason);
  facts.compilerVersion = nvrtcVersionText();
  if (facts.compilerVersion.empty()) facts.missing.push_back(nvrtcLibrary().reason);
}

}  // namespace cutaway::cuda

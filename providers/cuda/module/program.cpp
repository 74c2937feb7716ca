#include "providers/cuda/module/program.h"

#include <algorithm>
#include <cstring>

#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/libraries.h"

namespace cutaway::cuda {
namespace {

struct Compiler {
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetProgramLogSize) logSize = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubinSize = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcGetErrorString) errorText = nullptr;
  std::string missing;
};

const Compiler& compiler() {
  static const Compiler opened = [] {
    Compiler c;
    const OpenedLibrary& library = nvrtcLibrary();
    if (!library) {
      c.missing = library.reason;
      return c;
    }
    const auto bind = [&](auto& call, const char* name) {
      call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(library.address(name));
      if (call == nullptr) c.missing = "NVRTC: " + library.path + " has no function " + name;
    };
    bind(c.create, "nvrtcCreateProgram");
    bind(c.destroy, "nvrtcDestroyProgram");
    bind(c.compile, "nvrtcCompileProgram");
    bind(c.logSize, "nvrtcGetProgramLogSize");
    bind(c.log, "nvrtcGetProgramLog");
    bind(c.cubinSize, "nvrtcGetCUBINSize");
    bind(c.cubin, "nvrtcGetCUBIN");
    bind(c.errorText, "nvrtcGetErrorString");
    return c;
  }();
  return opened;
}

std::string logOf(const Compiler& c, nvrtcProgram program) {
  size_t size = 0;
  if (c.logSize(program, &size) != NVRTC_SUCCESS || size < 2) return {};
  std::string log(size, '\0');
  if (c.log(program, log.data()) != NVRTC_SUCCESS) return {};
  log.resize(size - 1);
  return log;
}

class LoadedProgram final : public CompiledProgram {
 public:
  LoadedProgram(std::string name, const DeviceFacts& facts)
      : m_name(std::move(name)), m_device(facts.index), m_multiprocessors(facts.multiprocessors) {}
  ~LoadedProgram() override {
    if (m_library == nullptr) return;
    cudaSetDevice(m_device);
    cudaLibraryUnload(m_library);
    cudaGetLastError();
  }
  LoadedProgram(const LoadedProgram&) = delete;
  LoadedProgram& operator=(const LoadedProgram&) = delete;

  Status load(const std::vector<std::byte>& cubin) {
    if (Status status =
            statusOf(cudaLibraryLoadData(&m_library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                     "cudaLibraryLoadData of " + m_name);
        !status.ok())
      return status;
    return statusOf(cudaLibraryGetKernel(&m_kernel, m_library, m_name.c_str()), "cudaLibraryGetKernel of " + m_name);
  }

  Status launch(std::span<void* const> arguments, int64_t elements, uint32_t blocks, uint32_t threads,
                uint32_t sharedBytes, Stream stream) const override {
    if (elements <= 0 && blocks == 0) return {};
    if (Status status = statusOf(cudaSetDevice(m_device), "cudaSetDevice"); !status.ok()) return status;
    if (sharedBytes > 48 * 1024) {
      if (Status status =
              statusOf(cudaKernelSetAttributeForDevice(m_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       static_cast<int>(sharedBytes), m_device),
                       m_name);
          !status.ok())
        return status;
    }
    const uint32_t perBlock = std::clamp<uint32_t>(threads, 1, 1024);
    const uint32_t grid = blocks != 0 ? blocks : enough(elements, perBlock);
    return statusOf(
        cudaLaunchKernel(reinterpret_cast<const void*>(m_kernel), dim3(grid), dim3(perBlock),
                         const_cast<void**>(arguments.data()), sharedBytes, reinterpret_cast<cudaStream_t>(stream)),
        m_name);
  }

 private:
  // Enough blocks to fill the device twice over; the kernel's loop does the rest.
  uint32_t enough(int64_t elements, uint32_t threads) const {
    const int64_t wanted = (elements + threads - 1) / threads;
    return static_cast<uint32_t>(
        std::min<int64_t>(wanted, static_cast<int64_t>(m_multiprocessors) * 2 * std::max<int64_t>(1, 2048 / threads)));
  }

  std::string m_name;
  int m_device, m_multiprocessors;
  cudaLibrary_t m_library = nullptr;
  cudaKernel_t m_kernel = nullptr;
};

}  // namespace

Status compileCubin(const std::string& source, const std::string& architecture, std::vector<std::byte>& cubin) {
  const Compiler& c = compiler();
  if (!c.missing.empty()) return Status::unsupported(c.missing);
  nvrtcProgram program = nullptr;
  nvrtcResult result = c.create(&program, source.c_str(), "cutaway_chain.cu", 0, nullptr, nullptr);
  if (result != NVRTC_SUCCESS)
    return {StatusCode::kCompileFailed, std::string("nvrtcCreateProgram: ") + c.errorText(result)};
  const std::string target = "--gpu-architecture=" + architecture;
  const char* const options[] = {target.c_str(), "--std=c++20", "--extra-device-vectorization"};
  result = c.compile(program, static_cast<int>(std::size(options)), options);
  Status status;
  if (result == NVRTC_ERROR_INVALID_OPTION)
    status = Status::unsupported("NVRTC does not know the architecture " + architecture + ": " + logOf(c, program));
  else if (result != NVRTC_SUCCESS)
    status = {StatusCode::kCompileFailed,
              std::string("nvrtcCompileProgram: ") + c.errorText(result) + "\n" + logOf(c, program)};
  size_t size = 0;
  if (status.ok()) result = c.cubinSize(program, &size);
  if (status.ok() && (result != NVRTC_SUCCESS || size == 0))
    status = {StatusCode::kCompileFailed, std::string("nvrtcGetCUBINSize: ") + c.errorText(result)};
  cubin.resize(!status.ok() ? 0 : size);
  if (status.ok()) result = c.cubin(program, reinterpret_cast<char*>(cubin.data()));
  if (status.ok() && result != NVRTC_SUCCESS)
    status = {StatusCode::kCompileFailed, std::string("nvrtcGetCUBIN: ") + c.errorText(result)};
  c.destroy(&program);
  return status;
}

Status makeProgram(const DeviceFacts& facts, const std::string& source, const std::string& name, ArtifactStore& store,
                   std::unique_ptr<CompiledProgram>& program) {
  const std::string key = cubinKey(source, facts.architecture, facts.compilerVersion);
  std::vector<std::byte> packed, cubin;
  auto made = std::make_unique<LoadedProgram>(name, facts);
  if (store.find(key, packed) && unpackCubin(packed, source, cubin) && made->load(cubin).ok()) {
    program = std::move(made);
    return {};
  }
  if (store.sealed())
    return Status::unsupported("no machine code is kept for " + name +
                               ", and none may be compiled while a context is restored");
  if (Status status = compileCubin(source, facts.architecture, cubin); !status.ok()) return status;
  made = std::make_unique<LoadedProgram>(name, facts);
  if (Status status = made->load(cubin); !status.ok()) return status;
  store.keep(key, packCubin(source, cubin));
  program = std::move(made);
  return {};
}

}  // namespace cutaway::cuda

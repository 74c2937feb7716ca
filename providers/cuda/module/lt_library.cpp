#include "providers/cuda/module/lt_library.h"

#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/libraries.h"

namespace cutaway::cuda {
namespace {

struct Opened {
  LtLibrary calls;
  Status failure;
};

Opened openLt() {
  const OpenedLibrary& library = cublasLtLibrary();
  if (!library) return {{}, Status::unsupported(library.reason)};
  Opened opened;
  const auto bind = [&](auto& call, const char* name) {
    call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(library.address(name));
    if (call == nullptr && opened.failure.ok())
      opened.failure = Status::unsupported("cuBLASLt: " + library.path + " has no function " + name +
                                           ": it is of another version than this program was built with");
  };
  LtLibrary& c = opened.calls;
  bind(c.create, "cublasLtCreate");
  bind(c.version, "cublasLtGetVersion");
  bind(c.statusName, "cublasLtGetStatusName");
  bind(c.initProduct, "cublasLtMatmulDescInit_internal");
  bind(c.setProduct, "cublasLtMatmulDescSetAttribute");
  bind(c.initLayout, "cublasLtMatrixLayoutInit_internal");
  bind(c.setLayout, "cublasLtMatrixLayoutSetAttribute");
  bind(c.initPreference, "cublasLtMatmulPreferenceInit_internal");
  bind(c.setPreference, "cublasLtMatmulPreferenceSetAttribute");
  bind(c.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  bind(c.check, "cublasLtMatmulAlgoCheck");
  bind(c.algorithmFact, "cublasLtMatmulAlgoConfigGetAttribute");
  bind(c.matmul, "cublasLtMatmul");
  return opened;
}

}  // namespace

Status ltLibrary(const LtLibrary*& library) {
  static const Opened opened = openLt();
  if (!opened.failure.ok()) return opened.failure;
  library = &opened.calls;
  return {};
}

Status ltHandle(const LtLibrary& library, int device, cublasLtHandle_t& handle) {
  static std::mutex mutex;
  static std::map<int, cublasLtHandle_t> handles;
  const std::scoped_lock lock(mutex);
  cublasLtHandle_t& kept = handles[device];
  if (kept == nullptr) {
    if (Status failure = ltStatus(library, library.create(&kept), "cublasLtCreate"); !failure.ok()) {
      kept = nullptr;
      return failure;
    }
  }
  handle = kept;
  return {};
}

Status ltStatus(const LtLibrary& library, cublasStatus_t status, const std::string& what) {
  if (status == CUBLAS_STATUS_SUCCESS) return {};
  const std::string text = what + ": " + library.statusName(status);
  // cuBLASLt does not say why an execution failed. Where the device is lost, any call that asks the context something
  // does.
  size_t free = 0, total = 0;
  const cudaError_t behind = cudaMemGetInfo(&free, &total);
  if (codeOf(behind) == StatusCode::kDeviceLost || codeOf(behind) == StatusCode::kOutOfMemory)
    return statusOf(behind, text);
  switch (status) {
    case CUBLAS_STATUS_ALLOC_FAILED:
      return {StatusCode::kOutOfMemory, text};
    case CUBLAS_STATUS_NOT_SUPPORTED:
    case CUBLAS_STATUS_ARCH_MISMATCH:
    case CUBLAS_STATUS_INVALID_VALUE:
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return Status::unsupported(text);
    default:
      return {StatusCode::kOther, text};
  }
}

}  // namespace cutaway::cuda

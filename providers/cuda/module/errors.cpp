#include "providers/cuda/module/errors.h"

namespace cutaway::cuda {
namespace {

// After these the context is gone: every later call fails, until the process (or the device) is reset. The CUDA run
// time's documentation says so at each of them.
bool losesDevice(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorContextIsDestroyed:
    case cudaErrorExternalDevice:
    case cudaErrorMpsClientTerminated:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

const char* remedyFor(cudaError_t error) {
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
      return "; this program's kernels were not built for this device (CUTAWAY_CUDA_ARCHITECTURES names what they are "
             "built for)";
    case cudaErrorUnsupportedPtxVersion:
      return "; the driver is older than the compiler that made this code: update the driver";
    case cudaErrorECCUncorrectable:
      return "; the device's memory has an uncorrectable error: nvidia-smi -q -d ECC shows it, and the device wants a "
             "reset";
    case cudaErrorLaunchTimeout:
      return "; a kernel ran longer than the display's time limit allows";
    case cudaErrorDevicesUnavailable:
      return "; another process holds the device for itself (nvidia-smi -q -d COMPUTE)";
    default:
      return "";
  }
}

constexpr const char* kDriverWanted = "NVIDIA's driver of branch 580 or newer serves CUDA 13";

}  // namespace

StatusCode codeOf(cudaError_t error) {
  if (error == cudaSuccess) return StatusCode::kOk;
  if (losesDevice(error)) return StatusCode::kDeviceLost;
  switch (error) {
    case cudaErrorMemoryAllocation:
      return StatusCode::kOutOfMemory;
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
      return StatusCode::kUnsupported;
    default:
      break;
  }
  const bool capture = error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorStreamCaptureWrongThread;
  return capture ? StatusCode::kCaptureRefused : StatusCode::kOther;
}

Status statusOf(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return {};
  cudaGetLastError();
  return {codeOf(error), std::string(what) + ": " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) + ")" +
                             remedyFor(error)};
}

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string whyNoDevice(cudaError_t error, int driverVersion, int runtimeVersion) {
  const std::string built = versionText(runtimeVersion);
  if (driverVersion == 0)
    return "there is no NVIDIA driver (libcuda.so.1 is not there, or has no device behind it); " +
           std::string(kDriverWanted);
  const std::string driver = versionText(driverVersion);
  switch (error) {
    case cudaErrorInsufficientDriver:
      return "the NVIDIA driver is too old: it serves CUDA " + driver + ", and this program was built with CUDA " +
             built + "; " + kDriverWanted;
    case cudaErrorNoDevice:
      return "the NVIDIA driver (CUDA " + driver +
             ") sees no device: nvidia-smi -L lists those there are; CUDA_VISIBLE_DEVICES may hide them";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA driver's two halves are of different versions (CUDA " + driver +
             " in user space): the backend wants a restart after an update of the driver";
    case cudaErrorCompatNotSupportedOnDevice:
      return "CUDA's compatibility package is installed, and this device does not take it: remove it, or install a "
             "driver for CUDA " +
             built;
    case cudaErrorSystemNotReady:
      return "the NVIDIA driver is not ready (on backends with NVSwitch: the fabric manager must run)";
    default:
      return std::string("the NVIDIA driver (CUDA ") + driver + ") answers " + cudaGetErrorName(error) + " (" +
             cudaGetErrorString(error) + "); nvidia-smi shows whether the device is well";
  }
}

}  // namespace cutaway::cuda

// What the module exports: the devices of this machine.
#include <cuda_runtime_api.h>

#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/machine/machine.h"

namespace cutaway::cuda {
namespace {

class CudaMachines final : public Machines {
 public:
  Problem devices(std::vector<DeviceFacts>& facts) override {
    facts.clear();
    int count = 0;
    const cudaError_t asked = cudaGetDeviceCount(&count);
    if (asked != cudaSuccess) return {ProblemKind::kUnsupported, std::string("no NVIDIA driver answers: ") + cudaGetErrorString(asked)};
    return {ProblemKind::kUnsupported, "devices are not read yet"};
  }
  Problem open(int, std::unique_ptr<Machine>&) override { return Problem::unsupported("devices are not opened yet"); }
  Problem compileToCubin(const std::string&, const std::string&, std::vector<std::byte>&) override { return Problem::unsupported("nothing is compiled yet"); }
};

}  // namespace
}  // namespace cutaway::cuda

extern "C" __attribute__((visibility("default"))) cutaway::cuda::Machines* cutawayCudaMachines(int interface) {
  static cutaway::cuda::CudaMachines machines;
  return interface == cutaway::cuda::kMachineInterface ? &machines : nullptr;
}

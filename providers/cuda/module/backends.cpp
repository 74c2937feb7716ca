// What the module exports: the devices of this backend.
#include "providers/cuda/module/cuda_backend.h"
#include "providers/cuda/module/device_facts.h"
#include "providers/cuda/module/program.h"

namespace cutaway::cuda {
namespace {

class CudaBackends final : public DeviceBackends {
 public:
  Status devices(std::vector<DeviceFacts>& facts) override {
    facts.clear();
    int count = 0;
    if (Status status = countDevices(count); !status.ok()) return status;
    Status broken;
    for (int device = 0; device < count; ++device) {
      DeviceFacts each;
      if (Status status = readFacts(device, each); !status.ok())
        broken = std::move(status);
      else
        facts.push_back(std::move(each));
    }
    return facts.empty() ? broken : Status{};
  }
  Status open(int device, std::unique_ptr<DeviceBackend>& backend) override { return openCudaBackend(device, backend); }
  Status compileToCubin(const std::string& source, const std::string& architecture,
                        std::vector<std::byte>& cubin) override {
    return compileCubin(source, architecture, cubin);
  }
};

}  // namespace
}  // namespace cutaway::cuda

extern "C" __attribute__((visibility("default"))) cutaway::cuda::DeviceBackends* cutawayCudaBackends(int interface) {
  static cutaway::cuda::CudaBackends backends;
  return interface == cutaway::cuda::kBackendInterface ? &backends : nullptr;
}

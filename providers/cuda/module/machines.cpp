// What the module exports: the devices of this machine.
#include "providers/cuda/module/cuda_machine.h"
#include "providers/cuda/module/device_facts.h"
#include "providers/cuda/module/program.h"

namespace cutaway::cuda {
namespace {

class CudaMachines final : public Machines {
 public:
  Problem devices(std::vector<DeviceFacts>& facts) override {
    facts.clear();
    int count = 0;
    if (Problem problem = countDevices(count)) return problem;
    Problem broken;
    for (int device = 0; device < count; ++device) {
      DeviceFacts each;
      if (Problem problem = readFacts(device, each))
        broken = std::move(problem);
      else
        facts.push_back(std::move(each));
    }
    return facts.empty() ? broken : Problem{};
  }
  Problem open(int device, std::unique_ptr<Machine>& machine) override { return openCudaMachine(device, machine); }
  Problem compileToCubin(const std::string& source, const std::string& architecture,
                         std::vector<std::byte>& cubin) override {
    return compileCubin(source, architecture, cubin);
  }
};

}  // namespace
}  // namespace cutaway::cuda

extern "C" __attribute__((visibility("default"))) cutaway::cuda::Machines* cutawayCudaMachines(int interface) {
  static cutaway::cuda::CudaMachines machines;
  return interface == cutaway::cuda::kMachineInterface ? &machines : nullptr;
}

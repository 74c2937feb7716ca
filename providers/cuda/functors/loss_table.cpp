// Instances of losses: "loss.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/loss_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchLoss(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const LossParameters*>(parameters);
  const int code = forEachBlock(SampleLoss<T>{p}, p.samples, stream, multiprocessors, p.classes <= 256 ? 32 : 256);
  return code != 0 || p.parts == nullptr ? code : forEachBlock(LossTotal<T>{p}, 1, stream, multiprocessors, 512);
}

}  // namespace

void functors_loss(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() { table.add(std::string("loss.") + NameOf<T>::value, &launchLoss<T>); });
}

}  // namespace cutaway::cuda

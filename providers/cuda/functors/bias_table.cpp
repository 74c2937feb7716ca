// Instances of biases with what follows: "bias.<type>".
#include "providers/cuda/functors/bias_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchBias(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const BiasedParameters*>(parameters);
  if (p.split) return forEach(BiasedSplit<T>{p}, p.count, stream, multiprocessors);
  return forEach(Biased<T>{p}, p.packed ? p.count / Pack<T>::kCount : p.count, stream, multiprocessors);
}

}  // namespace

void functors_bias(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() { table.add(std::string("bias.") + NameOf<T>::value, &launchBias<T>); });
}

}  // namespace cutaway::cuda

// Instances of Einsum: "einsum.<type>".
#include "providers/cuda/functors/einsum_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchEinsum(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const EinsumParameters*>(parameters);
  return forEach(Einsum<T>{p}, p.outputs, stream, multiprocessors);
}

}  // namespace

void functors_einsum(LaunchTable& table) {
  TypeList<float, Half, Brain, double, int32_t, int64_t>::each(
      [&]<typename T>() { table.add(std::string("einsum.") + NameOf<T>::value, &launchEinsum<T>); });
}

}  // namespace cutaway::cuda

// Instances of GridSample: "grid_sample.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/sample_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchSample(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const SampleParameters*>(parameters);
  return forEach(GridSample<T>{p}, p.count, stream, multiprocessors);
}

}  // namespace

void functors_sample(LaunchTable& table) {
  TypeList<float, Half, Brain, double>::each(
      [&]<typename T>() { table.add(std::string("grid_sample.") + NameOf<T>::value, &launchSample<T>); });
}

}  // namespace cutaway::cuda

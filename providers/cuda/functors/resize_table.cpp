// Instances of the resizing functors: "resize.nearest.<type>", "resize.interpolate.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/resize_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchResize(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ResizeParameters*>(parameters);
  return forEach(Functor{p}, p.count, stream, multiprocessors);
}

}  // namespace

void functors_resize(LaunchTable& table) {
  TypeList<float, Half, Brain, double, int8_t, uint8_t, int32_t>::each([&]<typename T>() {
    table.add(std::string("resize.nearest.") + NameOf<T>::value, &launchResize<NearestResize<T>>);
    table.add(std::string("resize.interpolate.") + NameOf<T>::value, &launchResize<InterpolatingResize<T>>);
  });
}

}  // namespace cutaway::cuda

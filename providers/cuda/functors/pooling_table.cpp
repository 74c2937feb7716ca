// Instances of the pooling functors: "pooling.<max|average|lp>.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/pooling_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchPooling(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const PoolingParameters*>(parameters);
  return forEach(Functor{p}, p.batch * p.channels * p.outputCells(), stream, multiprocessors);
}

}  // namespace

void functors_pooling(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() {
    const std::string type = NameOf<T>::value;
    table.add("pooling.max." + type, &launchPooling<MaxPooling<T>>);
    table.add("pooling.average." + type, &launchPooling<AveragePooling<T>>);
    table.add("pooling.lp." + type, &launchPooling<LpPooling<T>>);
  });
  table.add("pooling.max.int8", &launchPooling<MaxPooling<int8_t>>);
  table.add("pooling.max.uint8", &launchPooling<MaxPooling<uint8_t>>);
}

}  // namespace cutaway::cuda

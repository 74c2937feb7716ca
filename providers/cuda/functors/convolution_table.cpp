// Instances of the convolution functors: "convolution.<forward|transposed|finish>.<type>" (ConvolutionParameters),
// "convolution.pack.<bytes of an element>" (PackParameters).
#include "providers/cuda/functors/convolution_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T, int filtersPerThread, bool transposed>
int launchBlocks(const ConvolutionParameters& p, Stream stream, int multiprocessors) {
  const int64_t blocks = (p.filtersPerGroup + filtersPerThread - 1) / filtersPerThread;
  return forEach(DirectConvolution<T, filtersPerThread, transposed>{p}, p.batch * p.groups * blocks * p.outputCells(),
                 stream, multiprocessors);
}

template <typename T, bool transposed>
int launchDirect(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ConvolutionParameters*>(parameters);
  return p.filtersPerGroup < 4 ? launchBlocks<T, 1, transposed>(p, stream, multiprocessors)
                               : launchBlocks<T, 4, transposed>(p, stream, multiprocessors);
}

template <typename T>
int launchFinish(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ConvolutionParameters*>(parameters);
  return forEach(FinishConvolution<T>{p}, p.batch * p.filters * p.outputCells(), stream, multiprocessors);
}

template <typename Bits>
int launchPack(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const PackParameters*>(parameters);
  return forEach(PackWeights<Bits>{p}, p.outer * p.inner * p.cells, stream, multiprocessors);
}

}  // namespace

void functors_convolution(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() {
    const std::string type = NameOf<T>::value;
    table.add("convolution.forward." + type, &launchDirect<T, false>);
    table.add("convolution.transposed." + type, &launchDirect<T, true>);
    table.add("convolution.finish." + type, &launchFinish<T>);
  });
  table.add("convolution.pack.2", &launchPack<uint16_t>);
  table.add("convolution.pack.4", &launchPack<uint32_t>);
  table.add("convolution.pack.8", &launchPack<uint64_t>);
}

}  // namespace cutaway::cuda

// Instances of the softmax: "softmax.<type>". One entry takes all paths; the parameters say which.
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/softmax_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchSoftmax(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const SoftmaxParameters*>(parameters);
  constexpr auto kBytes = static_cast<int64_t>(sizeof(Compute<T>));
  switch (p.path) {
    case SoftmaxPath::kWarps: {
      const int64_t blocks = (p.rows + kSoftmaxRowsPerBlock - 1) / kSoftmaxRowsPerBlock;
      return forEachBlock(SoftmaxWarps<T>{p}, blocks, stream, multiprocessors, kSoftmaxRowsPerBlock * 32,
                          kSoftmaxRowsPerBlock * softmaxPlaces(p.length, 32) * kBytes);
    }
    case SoftmaxPath::kBlocks:
      return forEachBlock(SoftmaxBlocks<T>{p}, p.rows, stream, multiprocessors, p.threads,
                          softmaxPlaces(p.length, p.threads) * kBytes);
    case SoftmaxPath::kLongRows:
      return forEachBlock(SoftmaxLongRows<T>{p}, p.rows, stream, multiprocessors, p.threads);
    case SoftmaxPath::kColumns:
      return forEach(SoftmaxColumns<T>{p}, p.rows, stream, multiprocessors);
  }
  return 0;
}

}  // namespace

void functors_softmax(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() { table.add(std::string("softmax.") + NameOf<T>::value, &launchSoftmax<T>); });
}

}  // namespace cutaway::cuda

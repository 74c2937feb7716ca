// Instances of the functors of packed weights: "nbits.<functor>.<type>", "nbits.gather".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/nbits_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchDot(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const NbitsParameters*>(parameters);
  return forEachBlock(NbitsDot<T>{p}, p.n, stream, multiprocessors, p.k <= 1024 ? 64 : 128);
}
template <typename T>
int launchExpand(const void* parameters, Stream stream, int multiprocessors) {
  const NbitsExpand<T> f{*static_cast<const NbitsParameters*>(parameters)};
  return forEach(f, f.p.n * f.chunks(), stream, multiprocessors);
}
template <typename Functor>
int launchOwn(const void* parameters, Stream stream, int multiprocessors) {
  const auto& f = *static_cast<const Functor*>(parameters);
  return forEach(f, f.count, stream, multiprocessors);
}

}  // namespace

void functors_nbits(LaunchTable& table) {
  TypeList<float, Half, Brain>::each([&]<typename T>() {
    table.add(std::string("nbits.dot.") + NameOf<T>::value, &launchDot<T>);
    table.add(std::string("nbits.expand.") + NameOf<T>::value, &launchExpand<T>);
    table.add(std::string("nbits.table.") + NameOf<T>::value, &launchOwn<TableExpand<T>>);
  });
  table.add("nbits.gather", &launchOwn<GatherBlocks>);
}

}  // namespace cutaway::cuda

// Instances of the product functors: "product.plain.<type>", "product.dot.<type>", "product.finish.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/product_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchPlain(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ProductParameters*>(parameters);
  return forEach(Product<T>{p}, p.count, stream, multiprocessors);
}

// A warp for each 512 elements of depth, at most 256 threads: a row of 768 keeps 64 threads busy with sixteen bytes
// each.
template <typename T>
int launchDot(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ProductParameters*>(parameters);
  const int64_t loads = (p.k * static_cast<int64_t>(sizeof(T)) + 15) / 16;
  const int threads = loads <= 64 ? 32 : loads <= 256 ? 64 : loads <= 1024 ? 128 : 256;
  return forEachBlock(DotProduct<T>{p}, p.count, stream, multiprocessors, threads);
}

template <typename T>
int launchFinish(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const FinishParameters*>(parameters);
  return forEach(Finish<T>{p}, p.count, stream, multiprocessors);
}

using Numbers = TypeList<float, Half, Brain, double, int32_t, uint32_t, int64_t, uint64_t>;

}  // namespace

void functors_product(LaunchTable& table) {
  Numbers::each([&]<typename T>() {
    table.add(std::string("product.plain.") + NameOf<T>::value, &launchPlain<T>);
    table.add(std::string("product.finish.") + NameOf<T>::value, &launchFinish<T>);
  });
  FloatTypes::each([&]<typename T>() { table.add(std::string("product.dot.") + NameOf<T>::value, &launchDot<T>); });
}

}  // namespace cutaway::cuda

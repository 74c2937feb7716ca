// Instances of the activations: "unary.<function>.<type>", the function's name with a small first letter.
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/unary_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchOne(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ElementParameters<1>*>(parameters);
  return forEach(Functor{p}, p.packs, stream, multiprocessors);
}

template <typename Function>
void add(LaunchTable& table, std::string name) {
  name[0] = static_cast<char>(name[0] | 0x20);
  FloatTypes::each([&]<typename T>() { table.add("unary." + name + "." + NameOf<T>::value, &launchOne<OneElement<FloatFunction<Function, T>, T, T>>); });
}

}  // namespace

void functors_activation(LaunchTable& table) {
#define CUTAWAY_ROW(function) add<element::function>(table, #function);
  CUTAWAY_FLOAT_ACTIVATIONS(CUTAWAY_ROW)
#undef CUTAWAY_ROW
}

}  // namespace cutaway::cuda

#pragma once
// Table rows for functors of one operand, packed (ElementParameters<1>).
//
// Thread rule: used while tables are filled. Example: addFloatFunction<element::Tanh>(table, "Tanh");

#include <string>

#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/unary_functors.h"

namespace cutaway::cuda {

template <typename Functor>
int launchOne(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ElementParameters<1>*>(parameters);
  return forEach(Functor{p}, p.packs, stream, multiprocessors);
}

// "unary.<function>.<type>" for every float type, the function's name with a small first letter.
template <typename Function>
void addFloatFunction(LaunchTable& table, std::string name) {
  name[0] = static_cast<char>(name[0] | 0x20);
  FloatTypes::each([&]<typename T>() {
    table.add("unary." + name + "." + NameOf<T>::value, &launchOne<OneElement<FloatFunction<Function, T>, T, T>>);
  });
}

}  // namespace cutaway::cuda

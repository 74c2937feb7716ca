// Instances for integers and bools, one kernel a type that does what p.code says: "integer1.<type>", "integer2.<type>",
// "bool1.not", "bool2"; and comparisons and classes of every type, "compare.<type>", "class.<type>".
#include "providers/cuda/functors/binary_functors.h"
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/unary_functors.h"

namespace cutaway::cuda {
namespace {

template <int operands, typename Functor>
int launch(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ElementParameters<operands>*>(parameters);
  return forEach(Functor{p}, p.packs, stream, multiprocessors);
}

std::string named(const char* family, const char* type) {
  return std::string(family) + "." + type;
}

}  // namespace

void functors_integer(LaunchTable& table) {
  IntegerTypes::each([&]<typename T>() {
    table.add(named("integer1", NameOf<T>::value), &launch<1, OneElement<IntegerFunction<T>, T, T>>);
    table.add(named("integer2", NameOf<T>::value), &launch<2, TwoElements<IntegerPairFunction<T>, T, T>>);
    table.add(named("compare", NameOf<T>::value), &launch<2, TwoElements<CompareFunction<T>, T, bool>>);
  });
  FloatTypes::each([&]<typename T>() {
    table.add(named("compare", NameOf<T>::value), &launch<2, TwoElements<CompareFunction<T>, T, bool>>);
    table.add(named("class", NameOf<T>::value), &launch<1, OneElement<FloatClass<T>, T, bool>>);
  });
  table.add("bool1.not", &launch<1, OneElement<BoolNot, uint8_t, bool>>);
  table.add("bool2", &launch<2, TwoElements<BoolPairFunction, uint8_t, bool>>);
}

}  // namespace cutaway::cuda

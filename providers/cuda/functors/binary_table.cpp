// Instances of float arithmetic on two operands, "binary.<function>.<type>", and of powers with an exponent of another
// type, "power.<type of the base>".
#include "providers/cuda/functors/binary_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchTwo(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ElementParameters<2>*>(parameters);
  return forEach(Functor{p}, p.packs, stream, multiprocessors);
}

template <typename Function>
void add(LaunchTable& table, std::string name) {
  name[0] = static_cast<char>(name[0] | 0x20);
  FloatTypes::each([&]<typename T>() {
    table.add("binary." + name + "." + NameOf<T>::value, &launchTwo<TwoElements<FloatPairFunction<Function, T>, T, T>>);
  });
}

}  // namespace

void functors_binary(LaunchTable& table) {
#define CUTAWAY_ROW(function) add<element::function>(table, #function);
  CUTAWAY_FLOAT_PAIRS(CUTAWAY_ROW)
#undef CUTAWAY_ROW
  TypeList<float, Half, Brain, double, int32_t, int64_t>::each(
      [&]<typename T>() { table.add(std::string("power.") + NameOf<T>::value, &launchTwo<MixedPower<T>>); });
}

}  // namespace cutaway::cuda

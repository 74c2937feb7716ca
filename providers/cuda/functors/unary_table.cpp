// Instances of the unary functors: "unary.<function>.<type>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/unary_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Function, typename T>
int launchUnary(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const UnaryParameters*>(parameters);
  return forEach(Unary<Function, T>{p}, p.count, stream, multiprocessors);
}

template <typename Function>
void addFloats(LaunchTable& table, const char* name) {
  FloatTypes::each([&]<typename T>() { table.add(std::string("unary.") + name + "." + NameOf<T>::value, &launchUnary<Function, T>); });
}

}  // namespace

void functors_unary(LaunchTable& table) { addFloats<Relu>(table, "relu"); }

}  // namespace cutaway::cuda

// Instances of the places of extremes: "arg.<type>". One entry takes all paths; the parameters say which.
#include "providers/cuda/functors/arg_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchArg(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ArgParameters*>(parameters);
  switch (p.path) {
    case ArgPath::kWarps:
      return forEachBlock(ArgWarps<T>{p}, (p.outputs + kArgRowsPerBlock - 1) / kArgRowsPerBlock, stream,
                          multiprocessors, kArgRowsPerBlock * 32);
    case ArgPath::kBlocks:
      return forEachBlock(ArgBlocks<T>{p}, p.outputs, stream, multiprocessors, p.threads);
    case ArgPath::kColumns:
      return forEach(ArgColumns<T>{p}, p.outputs, stream, multiprocessors);
  }
  return 0;
}

}  // namespace

void functors_arg(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() { table.add(std::string("arg.") + NameOf<T>::value, &launchArg<T>); });
  IntegerTypes::each([&]<typename T>() { table.add(std::string("arg.") + NameOf<T>::value, &launchArg<T>); });
}

}  // namespace cutaway::cuda

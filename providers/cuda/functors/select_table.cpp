// Instances of Where, one for each width of an element in bits: "select.<bits>".
#include "providers/cuda/functors/elementwise_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchSelect(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ElementParameters<3>*>(parameters);
  return forEach(SelectElement<T>{p}, p.packs, stream, multiprocessors);
}

}  // namespace

void functors_select(LaunchTable& table) {
  table.add("select.8", &launchSelect<uint8_t>);
  table.add("select.16", &launchSelect<uint16_t>);
  table.add("select.32", &launchSelect<uint32_t>);
  table.add("select.64", &launchSelect<uint64_t>);
  table.add("select.128", &launchSelect<SixteenBytes>);
}

}  // namespace cutaway::cuda

// Instances of the functors on whole planes: "planes.<first|last|lrn>.<type>", "planes.unpool.<bytes of an element>".
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/planes_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchPlanesFirst(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const PlaneParameters*>(parameters);
  return forEachBlock(PlaneFirst<T>{p}, p.batch * p.channels, stream, multiprocessors,
                      p.cells <= 256    ? 32
                      : p.cells <= 2048 ? 128
                                        : 512);
}

template <typename T>
int launchPlanesLast(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const PlaneParameters*>(parameters);
  return forEach(PlaneLast<T>{p}, p.batch * p.channels, stream, multiprocessors);
}

template <typename T>
int launchLrn(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const LrnParameters*>(parameters);
  return forEach(Lrn<T>{p}, p.count, stream, multiprocessors);
}

template <typename Bits>
int launchUnpool(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const UnpoolParameters*>(parameters);
  return forEach(Unpool<Bits>{p}, p.count, stream, multiprocessors);
}

}  // namespace

void functors_planes(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() {
    const std::string type = NameOf<T>::value;
    table.add("planes.first." + type, &launchPlanesFirst<T>);
    table.add("planes.last." + type, &launchPlanesLast<T>);
    table.add("planes.lrn." + type, &launchLrn<T>);
  });
  table.add("planes.unpool.2", &launchUnpool<uint16_t>);
  table.add("planes.unpool.4", &launchUnpool<uint32_t>);
  table.add("planes.unpool.8", &launchUnpool<uint64_t>);
}

}  // namespace cutaway::cuda

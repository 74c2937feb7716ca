// Instances of the functors of 8-bit products: "bytes.<functor>".
#include "providers/cuda/functors/bytes_functors.h"
#include "providers/cuda/functors/dynamic_range_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename Functor>
int launchEach(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const BytesParameters*>(parameters);
  return forEach(Functor{p}, p.count, stream, multiprocessors);
}
template <typename Functor>
int launchOwn(const void* parameters, Stream stream, int multiprocessors) {
  const auto& f = *static_cast<const Functor*>(parameters);
  return forEach(f, f.count, stream, multiprocessors);
}
int launchLines(const void* parameters, Stream stream, int multiprocessors) {
  const auto& f = *static_cast<const BytesLines*>(parameters);
  return forEachBlock(f, f.lines * f.matrices, stream, multiprocessors, f.depth <= 256 ? 64 : 256);
}
int launchRange(const void* parameters, Stream stream, int multiprocessors) {
  const auto& f = *static_cast<const RangePart*>(parameters);
  return forEachBlock(f, f.blocks, stream, multiprocessors);
}
int launchScale(const void* parameters, Stream stream, int multiprocessors) {
  return forEach(*static_cast<const RangeScale*>(parameters), 1, stream, multiprocessors);
}

}  // namespace

void functors_bytes(LaunchTable& table) {
  table.add("bytes.plain", &launchEach<BytesPlain>);
  table.add("bytes.finish", &launchEach<BytesFinish>);
  table.add("bytes.lines", &launchLines);
  table.add("bytes.windows", &launchOwn<WindowLines>);
  table.add("bytes.range", &launchRange);
  table.add("bytes.scale", &launchScale);
  table.add("bytes.quantize", &launchOwn<QuantizeByScale>);
}

}  // namespace cutaway::cuda

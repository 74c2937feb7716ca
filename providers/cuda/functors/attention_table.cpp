// Instances of attention and what surrounds it: "attention.rows.<type>", "attention.merge.<type>",
// "attention.bias.<type>", "rotary.<type>", "cache.fill.<bytes>".
#include "providers/cuda/functors/attention_merge.h"
#include "providers/cuda/functors/head_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchRows(const void* parameters, Stream stream, int multiprocessors) {
  const AttentionRows<T> rows{*static_cast<const AttentionParameters*>(parameters)};
  return forEachBlock(rows, rows.blocks(), stream, multiprocessors, kAttentionThreads,
                      AttentionRows<T>::sharedBytes(rows.p));
}
template <typename T>
int launchMerge(const void* parameters, Stream stream, int multiprocessors) {
  const AttentionMerge<T> merge{{*static_cast<const AttentionParameters*>(parameters)}};
  return forEachBlock(merge, merge.rows.p.batch * merge.rows.p.keyHeads * merge.rows.groupRows(), stream,
                      multiprocessors, 64);
}
template <typename T>
int launchBias(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const RowBiasParameters*>(parameters);
  return forEach(RowBias<T>{p}, p.count, stream, multiprocessors);
}
template <typename T>
int launchRotary(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const RotaryParameters*>(parameters);
  return forEach(Rotary<T>{p}, p.count, stream, multiprocessors);
}
template <typename Unit>
int launchFill(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const HeadCacheParameters*>(parameters);
  return forEach(CacheFill<Unit>{p}, p.count, stream, multiprocessors);
}

}  // namespace

void functors_attention(LaunchTable& table) {
  TypeList<float, Half, Brain>::each([&]<typename T>() {
    table.add(std::string("attention.rows.") + NameOf<T>::value, &launchRows<T>);
    table.add(std::string("attention.merge.") + NameOf<T>::value, &launchMerge<T>);
    table.add(std::string("attention.bias.") + NameOf<T>::value, &launchBias<T>);
    table.add(std::string("rotary.") + NameOf<T>::value, &launchRotary<T>);
  });
  table.add("cache.fill.2", &launchFill<uint16_t>);
  table.add("cache.fill.4", &launchFill<uint32_t>);
  table.add("cache.fill.16", &launchFill<WideUnit>);
}

}  // namespace cutaway::cuda

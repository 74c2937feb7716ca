// Instances of TopK: "rank.<type>". One entry takes all paths; the parameters say which.
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/rank_functors.h"

namespace cutaway::cuda {
namespace {

template <typename T>
int launchRank(const void* parameters, Stream stream, int multiprocessors) {
  auto p = *static_cast<const RankParameters*>(parameters);
  const int64_t shared = p.padded * static_cast<int64_t>(sizeof(Rank<T>));
  if (p.path == RankPath::kShared)
    return forEachBlock(RankShared<T>{p}, p.lines, stream, multiprocessors, p.threads, shared);
  if (p.path == RankPath::kSelect)
    return forEachBlock(RankSelect<T>{p}, p.lines, stream, multiprocessors, p.threads, shared + 260 * 4);
  int code = forEach(RankWrite<T>{p}, p.lines * p.padded, stream, multiprocessors);
  for (p.size = 2; p.size <= p.padded; p.size *= 2) {
    for (p.stride = p.size / 2; p.stride > 0 && code == 0; p.stride /= 2)
      code = forEach(RankStep<Rank<T>>{p}, p.lines * p.padded / 2, stream, multiprocessors);
  }
  return code != 0 ? code : forEach(RankTake<T>{p}, p.lines * p.k, stream, multiprocessors);
}

}  // namespace

void functors_rank(LaunchTable& table) {
  TypeList<float, Half, Brain, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>::each(
      [&]<typename T>() { table.add(std::string("rank.") + NameOf<T>::value, &launchRank<T>); });
}

}  // namespace cutaway::cuda

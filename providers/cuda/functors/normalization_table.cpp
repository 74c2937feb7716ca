// Instances of the normalisation of rows: "norm.row.<type of x>.<type of scale and y>". One entry takes all paths; the
// parameters say which.
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/normalization_functors.h"

namespace cutaway::cuda {
namespace {

template <typename X, typename S>
int launchRows(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const RowNormParameters*>(parameters);
  constexpr auto kBytes = static_cast<int64_t>(sizeof(Compute<X>));
  switch (p.path) {
    case RowNormPath::kWarps: {
      const int64_t blocks = (p.rows + kNormRowsPerBlock - 1) / kNormRowsPerBlock;
      return forEachBlock(RowNormWarps<X, S>{p}, blocks, stream, multiprocessors, kNormRowsPerBlock * 32,
                          kNormRowsPerBlock * normPlaces(p.count, 32) * kBytes);
    }
    case RowNormPath::kBlocks:
      return forEachBlock(RowNormBlocks<X, S>{p}, p.rows, stream, multiprocessors, p.threads,
                          normPlaces(p.count, p.threads) * kBytes);
    case RowNormPath::kLongRows:
      return forEachBlock(RowNormLong<X, S>{p}, p.rows, stream, multiprocessors, 512);
  }
  return 0;
}

template <typename X, typename S>
void add(LaunchTable& table) {
  table.add(std::string("norm.row.") + NameOf<X>::value + "." + NameOf<S>::value, &launchRows<X, S>);
}

}  // namespace

void functors_normalization(LaunchTable& table) {
  add<float, float>(table);
  add<double, double>(table);
  add<Half, Half>(table);
  add<Brain, Brain>(table);
  add<float, Half>(table);
  add<Half, float>(table);
  add<float, Brain>(table);
  add<Brain, float>(table);
}

}  // namespace cutaway::cuda

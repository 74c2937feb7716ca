// Instances of the reductions: "reduce.<sum|extreme|logsumexp|any>.<type>". One entry takes all paths; the parameters
// say which.
#include "providers/cuda/functors/launch_table.h"
#include "providers/cuda/functors/reduce_functors.h"

namespace cutaway::cuda {
namespace {

template <typename Fold, typename T>
int launchReduce(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ReduceParameters*>(parameters);
  int code = 0;
  switch (p.path) {
    case ReducePath::kWarps:
      return forEachBlock(ReduceWarps<Fold, T>{p}, (p.outputs + kReduceRowsPerBlock - 1) / kReduceRowsPerBlock, stream,
                          multiprocessors);
    case ReducePath::kBlocks:
      code = forEachBlock(ReduceBlocks<Fold, T>{p}, p.outputs * p.segments, stream, multiprocessors, p.threads);
      break;
    case ReducePath::kColumns:
      code = forEach(ReduceColumns<Fold, T>{p}, p.outputs * p.segments, stream, multiprocessors);
      break;
  }
  if (code != 0 || p.segments <= 1) return code;
  return forEachBlock(ReduceJoin<Fold, T>{p}, p.outputs, stream, multiprocessors, p.segments > 64 ? 128 : 32);
}

template <template <typename> typename Fold, typename T>
void add(LaunchTable& table, const char* name) {
  table.add(std::string("reduce.") + name + "." + NameOf<T>::value, &launchReduce<Fold<T>, T>);
}

}  // namespace

void functors_reduce(LaunchTable& table) {
  FloatTypes::each([&]<typename T>() {
    add<SumFold, T>(table, "sum");
    add<ExtremeFold, T>(table, "extreme");
    add<LogSumExpFold, T>(table, "logsumexp");
    add<AnyFold, T>(table, "any");
  });
  TypeList<int32_t, uint32_t, int64_t, uint64_t, int8_t, uint8_t, bool>::each(
      [&]<typename T>() { add<AnyFold, T>(table, "any"); });
}

}  // namespace cutaway::cuda

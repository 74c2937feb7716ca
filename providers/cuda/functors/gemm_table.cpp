// Instances of the tiled product: "gemm.<type>", and for 8-bit operands "gemm.<a>.<b>" with 32-bit sums.
#include "providers/cuda/functors/gemm_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

template <typename TA, typename TB, typename TY, typename Sum>
int launchGemm(const void* parameters, Stream stream, int multiprocessors) {
  const Gemm<TA, TB, TY, Sum> gemm{*static_cast<const GemmParameters*>(parameters)};
  return forEachBlock(gemm, gemm.tilesM() * gemm.tilesN() * gemm.p.batches, stream, multiprocessors, kThreadsPerBlock,
                      gemm.sharedBytes());
}

}  // namespace

void functors_gemm(LaunchTable& table) {
  table.add("gemm.float", &launchGemm<float, float, float, float>);
  table.add("gemm.half", &launchGemm<Half, Half, Half, float>);
  table.add("gemm.brain", &launchGemm<Brain, Brain, Brain, float>);
  table.add("gemm.double", &launchGemm<double, double, double, double>);
  // Signed and unsigned products agree in their bits.
  table.add("gemm.int32", &launchGemm<uint32_t, uint32_t, uint32_t, uint32_t>);
  table.add("gemm.uint32", &launchGemm<uint32_t, uint32_t, uint32_t, uint32_t>);
  table.add("gemm.int64", &launchGemm<uint64_t, uint64_t, uint64_t, uint64_t>);
  table.add("gemm.uint64", &launchGemm<uint64_t, uint64_t, uint64_t, uint64_t>);
  table.add("gemm.int8.int8", &launchGemm<int8_t, int8_t, int32_t, int32_t>);
  table.add("gemm.int8.uint8", &launchGemm<int8_t, uint8_t, int32_t, int32_t>);
  table.add("gemm.uint8.int8", &launchGemm<uint8_t, int8_t, int32_t, int32_t>);
  table.add("gemm.uint8.uint8", &launchGemm<uint8_t, uint8_t, int32_t, int32_t>);
}

}  // namespace cutaway::cuda

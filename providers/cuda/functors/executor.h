#pragma once
// How functors run: over every index (forEach), or as blocks of threads that work together (forEachBlock). One source
// for both sides: on the host, loops; on the device, kernels.
//
// forEach(f, count): f(index). forEachBlock(f, blocks): f(block, number), where `block` gives thread(), threads(),
// sync(), shared memory and sums over the block. On the host a block has one thread, so the same code is the plain
// loop, or, with hostBlocks(), as many as on the device, taking turns; code must be right for every number of threads.
// Thread rule: as the device.
// Example:
//   struct RowSum { const float* x; float* y; int64_t n; template <typename Block> CUTAWAY_SHARED void
//   operator()(Block& block, int64_t row) const {
//     float sum = 0; for (int64_t i = block.thread(); i < n; i += block.threads()) sum += x[row * n + i];
//     sum = block.sum(sum); if (block.thread() == 0) y[row] = sum; } };

#ifdef __CUDACC__
#include "providers/cuda/functors/device_executor.h"
#else
#include "providers/cuda/functors/host_executor.h"
#endif

#pragma once
// Optimize: the pipeline of graph passes, by level, with provenance.
//
// Thread rule: pure over the model in hand. Passes propose patches; the driver applies them, re-infers new nodes,
// counts, times, and stops when cancelled. Example: CUTAWAY_TRY(OptimizeReport report, optimize(model, {.level = 3,
// .kernels = cpu.kernels()}, progress));

#include <limits>
#include <set>
#include <string>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/provider/kernel.h"
#include "engine/report/stage_reports.h"

namespace cutaway::optimize {

struct OptimizeOptions {
  int level = 3;                                 // 0..3
  std::set<std::string> disabled;                // optimization.disable_specified_optimizers
  const KernelRegistry* kernels = nullptr;       // for constant folding; nullptr: folding is left out
  int64_t foldingLimitBytes = int64_t{1} << 30;  // optimization.constant_folding_max_output_size_in_bytes; 0: no limit
  // Of one node that is folded. optimize() lowers both as more is folded, unless there is no limit.
  int64_t foldingLimitOperations = std::numeric_limits<int64_t>::max();
};

Result<OptimizeReport> optimize(Model& model, const OptimizeOptions& options, Progress& progress);

}  // namespace cutaway::optimize

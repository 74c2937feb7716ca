#pragma once
// What-if: the walk again from partition on, with other providers, options or pins, and the two partitions compared.
//
// Thread rule: evaluate() on one thread at a time, any thread; results are immutable.
// Example:
//   WhatIf whatIf(table);                                                                   // session made with
//   SessionOptions::keepOptimized CUTAWAY_TRY(WhatIfResult result, whatIf.evaluate(*session->optimizedModel(), options,
//   changed, *session->report(), progress));

#include <memory>

#include "engine/report/partition_comparison.h"
#include "engine/report/plan_comparison.h"
#include "engine/session/configuration/configuration.h"
#include "engine/session/session.h"

namespace cutaway::study {

struct WhatIfResult {
  std::shared_ptr<const WalkReport> walk;  // stages up to load and optimize shared with the present walk; partition to
                                           // pattern new. Nothing was compiled, so times of compiling are missing.
  std::shared_ptr<const PartitionComparison> comparison;
  std::shared_ptr<const PlanComparison> plans;  // the plans of both: order, allocation, pattern
  session::Configuration configuration;         // options with the change applied, to be saved
};

class WhatIf {
 public:
  explicit WhatIf(const ProviderTable& table);
  ~WhatIf();

  // optimized: as Session::optimizedModel() gives it; present: the walk that `options` led to. measureRuns > 0: both
  // sides are also run that often on random feeds (they are compiled then). INVALID_ARGUMENT for unknown providers,
  // options and pins; MODEL_LOAD_CANCELED.
  Result<WhatIfResult> evaluate(const Model& optimized, const session::SessionOptions& options,
                                const session::Configuration& change, const WalkReport& present, Progress& progress,
                                int measureRuns = 0);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

// Two walks of one model (the same optimised graphs) side by side.
PartitionComparison comparePartitions(const WalkReport& a, const WalkReport& b);

}  // namespace cutaway::study

#pragma once
// Which list of providers runs a model fastest on this machine: measured, side by side.
//
// The provider that takes the rest alone, and each provider that `auto` may choose before it. Their runs alternate, one
// of each list a round, each round beginning with another list, so that a busy moment hits all alike. A list is faster
// only when a Mann-Whitney U test tells its runs from those of the last provider alone (p below 0.05, divided by the
// number of lists tried: C. E. Bonferroni, 1936) and its median is 2 % smaller at least; of several the one with the
// smallest median is taken. A list that is far behind after some rounds is not run further. Thread rule: one thread.
// Example: CUTAWAY_TRY(const TunedPlan plan, tune({.source = source, .options = options}, table, progress));
// saveTuned(options.tuned.folder, plan);

#include <string>

#include "engine/session/choice/tuned_plans.h"

namespace cutaway::study {

struct TuneRequest {
  load::ModelSource source;
  session::SessionOptions options;  // its list of providers is not looked at
  std::string title;                // the model's, for lists of plans
  double seconds = 10;              // about so long, beside making sessions; no list has fewer than kLeastRounds runs
  uint64_t seed = 0;                // of the inputs
};

inline constexpr int kLeastRounds = 8;

// The figures are medians of one run's time on random inputs. Errors: those of loading and running the model on the
// last provider alone; INVALID_ARGUMENT where nothing can be compared; MODEL_LOAD_CANCELED. A list that cannot run is
// no error: its entry says why.
Result<session::TunedPlan> tune(const TuneRequest& request, const ProviderTable& table, Progress& progress);

// Which of the measured lists is taken: the first (the last provider alone) unless another is faster by more than
// chance. Fills the p-values and figures of `lists` from runsMs, which is parallel to it.
size_t fastestList(std::vector<MeasuredList>& lists, std::span<const std::vector<double>> runsMs);

}  // namespace cutaway::study

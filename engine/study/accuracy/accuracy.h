#pragma once
// Two configurations of one model, or two models, run on the same inputs and compared value by value, in execution
// order: where do they first differ?
//
// Only values that exist on both sides are compared; what was fused away on one side counts in notComparable
// (everyLayer keeps them all). The smallest failing submodel is found by cutting (see failing_submodel.h). Thread rule:
// one call at a time per thread; runs both sessions. Example:
//   AccuracyRequest request{.source = ModelSource::file(path), .a = optionsA, .b = optionsB};
//   CUTAWAY_TRY(AccuracyReport report, compareConfigurations(request, table, progress));

#include <filesystem>
#include <optional>

#include "engine/report/accuracy_report.h"
#include "engine/session/session.h"
#include "engine/study/accuracy/value_error.h"

namespace cutaway::study {

struct AccuracyRequest {
  load::ModelSource source;
  std::optional<load::ModelSource> other{};  // B's model, matched to A's node by node; none: it is the same
  session::SessionOptions a, b;
  std::string titleA = "A", titleB = "B";
  ErrorTolerance tolerance;
  uint64_t seed = 0;  // of inputs that `feeds` leaves out
  std::vector<execute::Feed> feeds;
  // Real inputs, compared one after the other: of every value the largest errors of all are told. Each leaves out what
  // `feeds` has. Empty: `feeds` alone.
  std::vector<std::vector<execute::Feed>> samples{};
  bool everyLayer = false;  // make every value of the main graph an output, so that none is fused away; what is
                            // computed together without this is then computed apart
  std::filesystem::path failingFolder;  // where the smallest failing submodel goes, with its inputs and A's outputs as
                                        // a test case; empty: it is not looked for
  int64_t batchBytes = int64_t{512} << 20;  // intermediate values held at once, per side
};

// The error of a side that cannot be made or run, with its title in front; MODEL_LOAD_CANCELED / FAIL when cancelled;
// INVALID_ARGUMENT: two models that do not take the same inputs, or a failing submodel of two models.
Result<AccuracyReport> compareConfigurations(const AccuracyRequest& request, const ProviderTable& table,
                                             Progress& progress);

}  // namespace cutaway::study

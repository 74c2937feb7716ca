#pragma once
// One model under many bindings of its open dimensions: planned, and run if asked, each in a session of its own.
//
// A row is what a user of these shapes gets: optimised, partitioned and planned with the sizes known, all other
// settings as they are. A binding that cannot be walked is a row with its problem. Thread rule: one call at a time per
// thread. Example:
//   request.sizes = {{"batch", {1, 8}}, {"seq", {128, 512}}};
//   CUTAWAY_TRY(ShapeSweep sweep, sweepShapes(request, table, progress));  // four rows

#include <map>
#include <string>
#include <vector>

#include "engine/report/shape_report.h"
#include "engine/session/session.h"

namespace cutaway::study {

inline constexpr size_t kMostBindings = 64;

using SizeLists = std::map<std::string, std::vector<int64_t>>;  // of each dimension that is swept

struct ShapeSweepRequest {
  load::ModelSource source;
  session::SessionOptions options;  // dims that are not swept stay as they are here
  SizeLists sizes;
  session::BenchmarkOptions runs{};  // runs and seconds 0: planned only
  uint64_t seed = 1;
};

// Every combination, the last dimension changing first.
std::vector<ShapeBinding> bindingsOf(const SizeLists& sizes);

// INVALID_ARGUMENT: nothing to sweep, more than kMostBindings, or a dimension that the model has not (its own are
// named); MODEL_LOAD_CANCELED; the session's error where the model cannot be loaded.
Result<ShapeSweep> sweepShapes(const ShapeSweepRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::study

#pragma once
// The support matrix: one model asked of many providers, each alone before the one that takes the rest.
//
// Capability only: groups are formed as in a session, nothing is compiled or run. Profiles and hardware that is not
// here count as simulated. Thread rule: one call at a time per thread.
// Example: CUTAWAY_TRY(SupportReport report, supportMatrix({.source = source, .options = options}, table, progress));

#include <string>
#include <vector>

#include "engine/report/advice_report.h"
#include "engine/session/session.h"

namespace cutaway::study {

struct SupportRequest {
  load::ModelSource source;
  session::SessionOptions options;       // its providers and pins do not matter
  std::vector<std::string> providers{};  // as --providers takes one each; empty: everyProvider()
};

// Every row of the table that onnxruntime has a counterpart of, but the last resort, and each argument of those that
// take one: "onednn", "declared(TensorRT)".
std::vector<std::string> everyProvider(const ProviderTable& table);

// The session's error where the model cannot be loaded; MODEL_LOAD_CANCELED. A provider that gives no answer is a row
// with its problem.
Result<SupportReport> supportMatrix(const SupportRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::study

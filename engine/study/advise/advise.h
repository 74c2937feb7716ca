#pragma once
// Advice for a model as it stands: which settings, and which changes of the model, make its walk better.
//
// Every advisor (advisor.h) suggests settings; each is walked from load to pattern, and its figures are put beside
// those of the walk as it is. What gains nothing is an attempt, not advice. Where nodes are refused, the cure
// (engine/study/cure) adds the changes of the model that it has proved. Ranked by the largest share that becomes less.
// Nothing is compiled and, apart from the cure's proofs, nothing is run: figures are those of plans.
// Thread rule: one call at a time per thread. Example:
//   CUTAWAY_TRY(Advised advised, advise({.source = ModelSource::file(path), .options = options}, table, progress));

#include <optional>

#include "engine/report/advice_report.h"
#include "engine/session/session.h"
#include "engine/study/cure/cure.h"

namespace cutaway::study {

struct AdviseRequest {
  load::ModelSource source;
  session::SessionOptions options;
  bool cure = true;  // also look for changes of the model; takes as long as findCure()
  uint64_t seed = 0;
};

struct Advised {
  AdviceReport report;
  std::optional<Cure> cure;  // Advice::proposal counts in it
};

// The session's error where the model as it is cannot be walked; MODEL_LOAD_CANCELED. What keeps a suggestion from
// being walked is one of the report's attempts.
Result<Advised> advise(const AdviseRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::study

#pragma once
// Opens a context model and its original, runs both on the same inputs, and compares outputs bit for bit and times.
//
// Thread rule: one verification. Example: CUTAWAY_TRY(const ContextVerification seen, verifyContext({.original = a,
// .context = b, .session = options}, table, progress));

#include "engine/session/session.h"

namespace cutaway::compile {

struct VerifyRequest {
  load::ModelSource original;
  load::ModelSource context;
  session::SessionOptions session;  // of both; the context model is opened with the same providers and level
  int runs = 3;
  uint64_t seed = 1;
  std::vector<execute::Feed> feeds;     // empty: random ones
  std::map<std::string, int64_t> dims;  // open dimensions of the inputs
  // Where given: gets the providers of the original that computed on hardware that is not here.
  std::vector<std::string>* simulated = nullptr;
};

// A context model that does not load or run is an answer (ContextVerification::problem); errors are those of the
// original, and MODEL_LOAD_CANCELED.
Result<ContextVerification> verifyContext(const VerifyRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::compile

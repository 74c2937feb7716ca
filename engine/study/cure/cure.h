#pragma once
// The cure: for the nodes that a provider refuses, changes of the model that free them, found by asking the provider
// again with changed models.
//
// Every variant (variant.h) proposes changes for what is refused; the provider is asked about each. A change that
// leaves fewer nodes to others, or the same nodes in fewer groups and copies, is a proposal. Each is proved: original
// and changed model run on the provider that takes the rest, on the same random inputs, and every output agrees within
// the tolerance. Then they are combined greedily: the best one, on top of it the best of what is proposed then, until
// nothing is gained. Asking forms groups and compiles nothing; the model with all steps is compiled once at the end.
// What is taken is the provider's answer; that the results agree is a sample, not a proof for all inputs.
// Thread rule: one call at a time per thread. Example:
//   CUTAWAY_TRY(Cure cure, findCure({.source = ModelSource::file(path), .options = options}, table, progress));
//   CUTAWAY_CHECK(saveCured(cure, kAllSteps, "cured.onnx", false));

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/report/cure_report.h"
#include "engine/session/session.h"
#include "engine/study/accuracy/value_error.h"

namespace cutaway::study {

struct CureRequest {
  load::ModelSource source;
  session::SessionOptions options;         // as the session that is to be cured
  std::string provider;                    // as in the list; empty: the first
  std::map<std::string, int64_t> sizes{};  // of open dimensions that are to be fixed, by name; others are guessed
  ErrorTolerance tolerance{};
  uint64_t seed = 0;
  bool compile = true;  // the model with all steps, at the end
};

struct Cure {
  CureReport report;
  std::shared_ptr<const Model> original;
  std::vector<std::shared_ptr<const Model>> single;    // by proposal: the original with this change alone
  std::vector<std::shared_ptr<const Model>> combined;  // by step: with all changes up to this one
};

// The bodies of control flow are left as they are; nodes in them count. INVALID_ARGUMENT: the list has no such
// provider, or only the one that takes the rest; the error of the session where the model itself cannot be asked about;
// MODEL_LOAD_CANCELED. What keeps a changed model from being asked about is one of the report's attempts.
Result<Cure> findCure(const CureRequest& request, const ProviderTable& table, Progress& progress);

// A copy with one proposal (from 0), or with all steps (kAllSteps), as a file; weights lie inside or beside it as the
// original's do. INVALID_ARGUMENT: there is no such proposal, or no step; by policy where the file exists and overwrite
// is off.
inline constexpr int kAllSteps = -1;
Result<void> saveCured(const Cure& cure, int proposal, const std::filesystem::path& path, bool overwrite);

}  // namespace cutaway::study

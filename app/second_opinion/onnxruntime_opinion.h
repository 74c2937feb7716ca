#pragma once
// Asks ONNX Runtime what it makes of a model, and puts it beside what this engine makes of it.
//
// Four sessions: ours and theirs on the model as it is; theirs once more, for its optimised model in portable form; and
// that model, with its nodes named n0, n1 ..., as it is in both. ONNX Runtime runs in its host process.
// Thread rule: any thread; long work. Example:
//   CUTAWAY_TRY(const SecondOpinion opinion, askOnnxruntime(request, builtProviders(), progress));

#include <filesystem>
#include <vector>

#include "engine/base/progress.h"
#include "engine/report/opinion_report.h"
#include "engine/session/session.h"
#include "engine/study/accuracy/value_error.h"

namespace cutaway {

struct OpinionRequest {
  std::filesystem::path model;
  session::SessionOptions options;     // ours; dims and threads hold for both
  std::filesystem::path library{};     // a folder that has ONNX Runtime; empty: where it is usually found
  std::vector<execute::Feed> feeds{};  // empty: made from the seed
  uint64_t seed = 0;
  int runs = 20;  // timed, of each engine; of a slow model as many as fit into 4 s, and at least 5
  study::ErrorTolerance tolerance{};
};

// NOT_FOUND: no ONNX Runtime, with the places searched and how to get it. Errors of our own walk are passed on; what
// ONNX Runtime refuses is its verdict in the report. MODEL_LOAD_CANCELED.
Result<SecondOpinion> askOnnxruntime(const OpinionRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway

#pragma once
// Whole models compiled by ONNX Runtime itself for a plug-in provider, as its tool ep_weight_sharing_ctx_gen does: one
// session a model in one process, whose contexts share one binary.
//
// The walk has no part in it: what the provider takes of each model is ONNX Runtime's own partition. Files appear all
// together, the binary first. Thread rule: one export. Example:
//   CUTAWAY_TRY(const std::vector<SharedFile> files, exportShared("qnn", options, jobs, {.overwrite = false},
//   progress));

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/provider/provider_entry.h"

namespace cutaway {

struct SharedJob {
  std::filesystem::path model, output;  // outputs lie in one folder
};

struct SharedFile {
  std::string path;
  std::string what;  // "model", "context binary of qnn"
  int64_t sizeBytes = 0;
};

struct SharedExportOptions {
  bool overwrite = false;
};

// The name that this build's plug-in provider has whose library is here and that is called so, by us or by ONNX Runtime
// ("qnn", "QNNExecutionProvider"); empty: there is none.
std::string pluginCalled(const std::string& name);

// Options are those of the provider, and session keys of ONNX Runtime, which have a dot. INVALID_ARGUMENT: an option or
// value that it does not have; EP_FAIL: ONNX Runtime or the provider's own words, naming the model; FAIL: a file exists
// or cannot be written; MODEL_LOAD_CANCELED.
Result<std::vector<SharedFile>> exportShared(const std::string& provider, const ProviderOptions& options,
                                             const std::vector<SharedJob>& jobs, const SharedExportOptions& how,
                                             Progress& progress);

}  // namespace cutaway

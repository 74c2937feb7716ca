#pragma once
// Several models compiled one after the other, whose context models have one binary in common.
//
// What a session with ep.share_ep_contexts for each, and ep.stop_share_ep_contexts for the last, does: all of them are
// written at the end, or none. Thread rule: one call for a group at a time. Example:
//   CUTAWAY_TRY(const auto jobs, shareJobs({"prefill.onnx", "decode.onnx"}, "out", ""));
//   CUTAWAY_TRY(const ContextWritten written, compileShared({.jobs = jobs, .session = options}, table, progress));

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/compile/compile.h"

namespace cutaway::compile {

struct ShareJob {
  std::filesystem::path model, output;
  std::string prefix;  // of context nodes and partitions, different for every model
};

// <model>_ctx.onnx in `folder`, empty: beside each model; the prefix is `prefix` and the model's name.
// INVALID_ARGUMENT: no models, one twice, or an output that is one of the models.
Result<std::vector<ShareJob>> shareJobs(std::span<const std::filesystem::path> models,
                                        const std::filesystem::path& folder, const std::string& prefix);

struct ShareRequest {
  std::vector<ShareJob> jobs;
  session::SessionOptions session;  // providers, optimisation level, session keys; those of sharing are set here
  std::string group{};              // ep.context_share_group; empty: that of the session keys
  bool overwrite = false;
  std::function<void(const ShareJob& job, const WalkReport& walk)> compiled{};  // after each model
};

// What was written, once for all of them. Errors name the model; nothing is written then. As compileModel.
Result<ContextWritten> compileShared(const ShareRequest& request, const ProviderTable& table, Progress& progress);

}  // namespace cutaway::compile

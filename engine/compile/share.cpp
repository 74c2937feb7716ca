#include "engine/compile/share.h"

#include <algorithm>
#include <set>

#include "engine/base/format.h"
#include "engine/context/share_export.h"

namespace cutaway::compile {

namespace fs = std::filesystem;

Result<std::vector<ShareJob>> shareJobs(std::span<const fs::path> models, const fs::path& folder,
                                        const std::string& prefix) {
  std::vector<ShareJob> jobs;
  std::set<fs::path> files;
  std::set<std::string> stems;
  for (const fs::path& model : models) {
    if (!files.insert(model.lexically_normal()).second)
      return fail(ErrorCode::kInvalidArgument, "{} is given twice; partitions of one binary need names of their own",
                  model.string());
    std::string stem = model.stem().string();
    for (int number = 2; !stems.insert(stem).second; ++number)
      stem = fmt::format("{}_{}", model.stem().string(), number);
    const fs::path place = folder.empty() ? model.parent_path() : folder;
    const std::string name = (folder.empty() ? model.stem().string() : stem) + "_ctx.onnx";
    jobs.push_back({model, place / name, fmt::format("{}{}_", prefix, stem)});
  }
  if (jobs.empty()) return fail(ErrorCode::kInvalidArgument, "no models are given: model1.onnx,model2.onnx,...");
  // "a_ctx.onnx" of "a.onnx" may be a model of the list itself, or a link to it.
  std::error_code ignored;
  for (const ShareJob& job : jobs) {
    const auto taken = std::ranges::find_if(
        jobs, [&](const ShareJob& each) { return fs::equivalent(each.model, job.output, ignored); });
    if (taken != jobs.end())
      return fail(ErrorCode::kInvalidArgument, "{} would take the place of the model {}: leave it out, or rename it",
                  job.output.string(), taken->model.string());
  }
  return jobs;
}

Result<ContextWritten> compileShared(const ShareRequest& request, const ProviderTable& table, Progress& progress) {
  ContextWritten all;
  for (size_t i = 0; i < request.jobs.size(); ++i) {
    const ShareJob& job = request.jobs[i];
    const bool last = i + 1 == request.jobs.size();
    CompileRequest each{.input = load::ModelSource::file(job.model), .session = request.session};
    each.hasLevel = true;
    each.outputFile = job.output;
    each.failWhenOutputExists = !request.overwrite;
    std::map<std::string, std::string>& keys = each.session.config;
    keys["ep.context_enable"] = "1";
    keys["ep.context_embed_mode"] = "0";
    keys["ep.share_ep_contexts"] = "1";
    if (!request.group.empty()) keys["ep.context_share_group"] = request.group;
    keys["ep.context_node_name_prefix"] = job.prefix;
    if (last) keys["ep.stop_share_ep_contexts"] = "1";
    auto done = compileModel(each, table, progress);
    if (!done) {
      context::dropSharedExports(keys["ep.context_share_group"]);
      return fail(atFile(std::move(done).error(), job.model.string()));
    }
    if (request.compiled) request.compiled(job, *done->walk);
    if (!last || done->walk->context == nullptr) continue;
    for (const ContextWritten& written : done->walk->context->written) {
      all.files.insert(all.files.end(), written.files.begin(), written.files.end());
      all.warnings.insert(all.warnings.end(), written.warnings.begin(), written.warnings.end());
      all.contextNodes += written.contextNodes;
      all.otherNodes += written.otherNodes;
      all.weightBytes += written.weightBytes;
      all.sharedBytes += written.sharedBytes;
      all.timeNs += written.timeNs;
    }
  }
  return all;
}

}  // namespace cutaway::compile

// ep_weight_sharing_ctx_gen: context models of several models that have one binary in common.
#include <CLI/CLI.hpp>

#include "app/about/about.h"
#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "app/ep_weight_sharing_ctx_gen/tool_options.h"
#include "app/providers/provider_table.h"
#include "engine/base/exception_text.h"
#include "engine/base/format.h"
#include "engine/base/log.h"
#include "engine/base/new_file.h"
#include "engine/base/read_mark.h"
#include "engine/compile/compile.h"
#include "providers/onnxruntime/plugin/plugin_sharing.h"

namespace cutaway::sharing {

namespace {

int report(const Error& error) {
  cli::putError("ep_weight_sharing_ctx_gen: {}\n", describe(error));
  if (error.byPolicy) return cli::kRefusedByPolicy;
  if (isWriteFailure(error)) return error.code == ErrorCode::kInvalidArgument ? cli::kUsage : cli::kNotWritten;
  if (error.code == ErrorCode::kModelLoadCanceled) return cli::kCancelled;
  if (error.code == ErrorCode::kInvalidArgument && error.where.node.empty()) return cli::kUsage;
  return cli::kBadModel;
}

Result<std::shared_ptr<const WalkReport>> compile(const ToolOptions& options, const Job& job, bool last, bool force,
                                                  Progress& progress) {
  compile::CompileRequest request{.input = load::ModelSource::file(job.model), .session = options.session};
  request.hasLevel = true;
  request.outputFile = job.output;
  request.failWhenOutputExists = !force;
  request.session.config["ep.context_node_name_prefix"] = job.prefix;
  if (last) request.session.config["ep.stop_share_ep_contexts"] = "1";
  auto done = compile::compileModel(request, builtProviders(), progress);
  if (!done) return fail(atFile(std::move(done).error(), job.model.string()));
  return std::move(done->walk);
}

// Warnings are in the log already, on stderr.
void print(const WalkReport& walk) {
  if (walk.context == nullptr) return;
  for (const ContextWritten& written : walk.context->written) {
    for (const ContextFile& file : written.files)
      cli::put("wrote {} ({}, {})\n", file.path, file.what, formatBytes(file.sizeBytes));
    if (!written.files.empty())
      cli::put("{} of weights and contexts saved by sharing\n", formatBytes(written.sharedBytes));
  }
}

// ONNX Runtime does it itself, as on a device's host.
int compileWithPlugin(const ToolOptions& options, bool force) {
  std::vector<SharedJob> jobs;
  for (const Job& job : options.jobs)
    jobs.push_back({job.model, job.output});
  cli::ConsoleProgress progress;
  if (force) allowWritingOverReadFiles();
  const auto files = exportShared(options.plugin, options.pluginOptions, jobs, {.overwrite = force}, progress);
  if (!files) return report(files.error());
  for (const SharedFile& file : *files)
    cli::put("wrote {} ({}, {})\n", file.path, file.what, formatBytes(file.sizeBytes));
  return cli::kDone;
}

int run(const RawOptions& raw) {
  const Result<ToolOptions> options = settleOptions(raw);
  if (!options) return report(options.error());
  for (const std::string& note : options->notes)
    cli::putError("note: {}\n", note);
  std::error_code ignored;
  for (const Job& job : options->jobs) {
    // "a_ctx.onnx" of "a.onnx" may be a model of the list itself, or a link to it.
    for (const Job& each : options->jobs) {
      if (!std::filesystem::equivalent(each.model, job.output, ignored)) continue;
      return report(Error{ErrorCode::kInvalidArgument,
                          fmt::format("{} would take the place of the model {}: leave it out, or rename it",
                                      job.output.string(), each.model.string()),
                          {}});
    }
    if (!raw.force && std::filesystem::exists(job.output, ignored))
      return report(Error{
          ErrorCode::kFail, fmt::format("{} already exists; --force replaces it", job.output.string()), {}, true});
  }
  if (!options->plugin.empty()) return compileWithPlugin(*options, raw.force);
  cli::ConsoleProgress progress;
  for (size_t i = 0; i < options->jobs.size(); ++i) {
    const auto walk = compile(*options, options->jobs[i], i + 1 == options->jobs.size(), raw.force, progress);
    if (!walk) return report(walk.error());
    if (raw.verbose && (*walk)->context != nullptr) {
      for (const ContextGroup& group : (*walk)->context->groups)
        cli::put("{}: {} {}, {} nodes{}{}\n", options->jobs[i].model.string(), group.provider,
                 group.name.empty() ? "(by kernel)" : group.name, group.nodes.size(), group.reason.empty() ? "" : ": ",
                 group.reason);
    }
    print(**walk);
  }
  return cli::kDone;
}

int parseAndRun(int argc, char** argv) {
  CLI::App app("Compiles several models one after the other and writes EPContext models that share one binary.",
               "ep_weight_sharing_ctx_gen");
  declareAbout(app, cli::exitMeanings());
  RawOptions raw;
  app.add_option("models", raw.models, "model1.onnx,model2.onnx,... ; each becomes <model>_ctx.onnx beside it")
      ->required();
  app.add_option(
         "-e", raw.provider,
         "provider that compiles: onednn (default), openvino, declared(NAME), a plug-in that is here such as qnn, or a "
         "name of onnxruntime")
      ->type_name("PROVIDER");
  app.add_option("-p", raw.pluginFile,
                 "JSON file with selected_ep_name and default_ep_options; libraries are not loaded")
      ->type_name("FILE");
  app.add_option("-i", raw.providerOptions, "provider options, as \"key|value key|value\"")->type_name("PAIRS");
  app.add_option("-C", raw.sessionKeys,
                 "session keys, as \"key|value key|value\"; ep.context_enable=1 and ep.context_embed_mode=0 are "
                 "forced, ep.context_file_path is refused")
      ->type_name("PAIRS");
  app.add_option("--profile-dir", raw.profileFolders, "folder with support profiles of declared hardware")
      ->type_name("DIR");
  app.add_option("--opt-level", raw.optimizationLevel, "optimisation level")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  app.add_flag("-f,--force", raw.force, "replace existing context models");
  app.add_flag("-v", raw.verbose, "say what is compiled, and more on stderr");
  app.footer("Example:\n  ep_weight_sharing_ctx_gen -e onednn prefill.onnx,decode.onnx");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kDone : cli::kUsage;
  }
  if (raw.verbose) (void)log::setLevel("info");
  return run(raw);
}

}  // namespace

}  // namespace cutaway::sharing

int main(int argc, char** argv) {
  using namespace cutaway;
  cli::beginOutput();
  int code = cli::kInternal;
  try {
    code = sharing::parseAndRun(argc, argv);
  } catch (const std::exception& error) {
    cli::putError("ep_weight_sharing_ctx_gen: RUNTIME_EXCEPTION: {}\n", cutaway::exceptionText(error));
  }
  return cli::finishOutput("ep_weight_sharing_ctx_gen", code);
}

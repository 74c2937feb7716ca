// ep_weight_sharing_ctx_gen: context models of several models that have one binary in common.
#include <CLI/CLI.hpp>

#include "app/about/about.h"
#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/large_stack.h"
#include "app/cli/last_words.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "app/ep_weight_sharing_ctx_gen/tool_options.h"
#include "app/options/parse_end.h"
#include "app/program_heap/memory_end.h"
#include "app/providers/provider_table.h"
#include "engine/base/exception_text.h"
#include "engine/base/format.h"
#include "engine/base/log.h"
#include "engine/base/new_file.h"
#include "engine/base/read_mark.h"
#include "engine/compile/share.h"
#include "providers/onnxruntime/plugin/plugin_sharing.h"

namespace cutaway::sharing {

namespace {

int report(const Error& error) {
  cli::putError("ep_weight_sharing_ctx_gen: {}\n", describe(error));
  if (error.byPolicy) return cli::kRefusedByPolicy;
  if (isWriteFailure(error)) return error.code == kNotWritable ? cli::kUsage : cli::kNotWritten;
  if (error.code == ErrorCode::kModelLoadCanceled) return cli::kCancelled;
  if (error.code == ErrorCode::kInvalidArgument && error.where.node.empty()) return cli::kUsage;
  return cli::kBadModel;
}

void printGroups(const compile::ShareJob& job, const WalkReport& walk) {
  if (walk.context == nullptr) return;
  for (const ContextGroup& group : walk.context->groups)
    cli::put("{}: {} {}, {} nodes{}{}\n", job.model.string(), group.provider,
             group.name.empty() ? "(by kernel)" : group.name, group.nodes.size(), group.reason.empty() ? "" : ": ",
             group.reason);
}

// ONNX Runtime does it itself, as on a device's host.
int compileWithPlugin(const ToolOptions& options, bool force) {
  std::vector<SharedJob> jobs;
  for (const compile::ShareJob& job : options.jobs)
    jobs.push_back({job.model, job.output});
  cli::ConsoleProgress progress;
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
  for (const compile::ShareJob& job : options->jobs) {
    if (!raw.force && std::filesystem::exists(job.output, ignored))
      return report(Error{
          ErrorCode::kFail, fmt::format("{} already exists; --force replaces it", job.output.string()), {}, true});
  }
  // A context model that is replaced is read before, to take its binary away.
  if (raw.force) allowWritingOverReadFiles();
  if (!options->plugin.empty()) return compileWithPlugin(*options, raw.force);
  cli::ConsoleProgress progress;
  compile::ShareRequest request{.jobs = options->jobs, .session = options->session, .overwrite = raw.force};
  if (raw.verbose) request.compiled = printGroups;
  // Warnings are in the log already, on stderr.
  const Result<ContextWritten> written = compile::compileShared(request, builtProviders(), progress);
  if (!written) return report(written.error());
  for (const ContextFile& file : written->files)
    cli::put("wrote {} ({}, {})\n", file.path, file.what, formatBytes(file.sizeBytes));
  if (!written->files.empty())
    cli::put("{} of weights and contexts saved by sharing\n", formatBytes(written->sharedBytes));
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
  refuseHollowValues(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli::reportParseEnd(endOfParsing(app, error));
  }
  if (raw.verbose) (void)log::setLevel("info");
  return run(raw);
}

int runCatching(int argc, char** argv) {
  try {
    return parseAndRun(argc, argv);
  } catch (const std::exception& error) {
    cli::putError("ep_weight_sharing_ctx_gen: RUNTIME_EXCEPTION: {}\n", exceptionText(error));
  }
  return cli::kInternal;
}

}  // namespace

}  // namespace cutaway::sharing

int main(int argc, char** argv) {
  using namespace cutaway;
  tellEndOfMemory({.program = "ep_weight_sharing_ctx_gen", .exitCode = cli::kInternal});
  cli::tellLastWords("ep_weight_sharing_ctx_gen");
  cli::beginOutput();
  return cli::finishOutput("ep_weight_sharing_ctx_gen", cli::onLargeStack(sharing::runCatching, argc, argv));
}

// context: what an export would keep (--preview), the export itself (-o), what is in a context model (--show), and
// whether it does what its original does (--verify).
#include <CLI/CLI.hpp>

#include "app/cli/context_verb.h"
#include "app/cli/stage_verb.h"

namespace cutaway::cli {

namespace {

Error usage(std::string message) {
  return Error{ErrorCode::kInvalidArgument, std::move(message), {}};
}

// `--verify` takes a file, or none when something is exported: a model behind it then is the one to export.
Result<void> settleVerify(ContextVerbOptions& options, size_t timesVerify) {
  if (timesVerify == 0) return {};
  if (!options.output.empty() || options.preview) {
    options.verify = true;
    if (!options.verifyFile.empty()) options.models.push_back(std::move(options.verifyFile));
    options.verifyFile.clear();
    return {};
  }
  if (options.verifyFile.empty() && options.models.size() == 1) {
    options.verifyFile = std::move(options.models.front());
    options.models.clear();
  }
  if (options.verifyFile.empty()) return fail(usage("--verify needs a context model, or -o FILE to export one first"));
  return {};
}

Result<void> checkExport(const ContextVerbOptions& options) {
  if (options.models.empty()) return fail(usage("no MODEL is given"));
  if (options.models.size() > 1 && !options.isShared)
    return fail(usage(
        fmt::format("{} models are given; several become one set only with --share-group", options.models.size())));
  if (options.embed && options.isShared)
    return fail(
        usage("--embed and --share-group exclude each other: what is inside one model cannot be shared with another"));
  return {};
}

Result<void> settle(ContextVerbOptions& options, size_t timesVerify) {
  CUTAWAY_CHECK(settleVerify(options, timesVerify));
  const int modes = int{options.preview} + int{!options.output.empty()} + int{!options.showFile.empty()} +
                    int{!options.verifyFile.empty()};
  if (modes == 0) return fail(usage("context needs one of --preview, -o FILE, --show FILE and --verify FILE"));
  if (modes > 1) return fail(usage("--preview, -o, --show and --verify FILE exclude each other; give one of them"));
  // `--json MODEL` names the model, not a file to write.
  if (options.models.empty() && (options.preview || !options.output.empty()) && !options.shared.jsonFile.empty())
    options.models.push_back(std::exchange(options.shared.jsonFile, {}));
  if (!options.showFile.empty() || !options.verifyFile.empty()) {
    if (!options.models.empty()) return fail(usage(fmt::format("'{}' is one file too many", options.models.front())));
    options.shared.model = options.showFile.empty() ? options.verifyFile : options.showFile;
  } else {
    CUTAWAY_CHECK(checkExport(options));
    if (options.preview && options.models.size() > 1) return fail(usage("--preview takes one model"));
    options.shared.model = options.models.front();
  }
  return options.shared.settle();
}

int run(ContextVerbOptions& options, size_t timesVerify) {
  if (const Result<void> settled = settle(options, timesVerify); !settled) return usageError(settled.error());
  if (options.preview) return previewContext(options);
  if (!options.showFile.empty()) return showContext(options);
  if (!options.verifyFile.empty()) return verifyContextFile(options);
  return exportContexts(options);
}

}  // namespace

Verb verb_context() {
  return {
      .name = "context",
      .help = "EPContext models: preview, export, show one, verify one against its original",
      .example = "cutaway-cli context model.onnx --providers onednn -o model_ctx.onnx --verify",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto options = std::make_shared<ContextVerbOptions>();
        command.add_option("MODEL", options->models, "the model to compile; several with --share-group");
        options->shared.declare(command, false);
        options->shared.declareJson(command);
        options->feeds.declare(command);
        command.add_flag("--preview", options->preview,
                         "what an export would keep, and what not and why; writes nothing");
        command
            .add_option("-o,--output", options->output, "write the context model here; with several models a folder")
            ->type_name("FILE");
        command.add_flag("--embed", options->embed, "contexts inside the model instead of a file beside it");
        CLI::Option* group =
            command
                .add_option("--share-group", options->shareGroup, "models of one group share one binary beside them")
                ->type_name("NAME");
        command.add_option("--prefix", options->prefix, "prefix of the names of context nodes and partitions")
            ->type_name("TEXT");
        command
            .add_option("--external-initializers", options->initializersFile,
                        "weights outside of compiled groups go to this file beside the model")
            ->type_name("NAME");
        command
            .add_option("--threshold", options->thresholdBytes,
                        "only weights of at least this size go there, such as 1KB")
            ->transform(CLI::AsSizeValue(false))
            ->type_name("SIZE");
        command.add_flag("--force", options->force, "replace an existing file");
        command
            .add_option(
                "--show", options->showFile,
                "every EPContext node of a model, its binary, what is inside, and the checks; files of others too")
            ->type_name("FILE");
        CLI::Option* verify = command
                                  .add_option("--verify", options->verifyFile,
                                              "load a context model again, run it and its original, compare bit for "
                                              "bit; with -o: what was just written")
                                  ->type_name("[FILE]")
                                  ->expected(0, 1);
        command
            .add_option("--original", options->original,
                        "the model that --verify compares with; otherwise the one that the context model names")
            ->type_name("MODEL");
        command.add_option("--runs", options->runs, "runs of each model for the times of --verify")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command.add_flag("--all", options->all, "every node and group");
        return [options, group, verify] {
          options->isShared = group->count() > 0;
          return run(*options, verify->count());
        };
      }};
}

}  // namespace cutaway::cli

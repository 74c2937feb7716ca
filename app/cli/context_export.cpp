// context MODEL... -o: the export, one model or several that share a binary.
#include <set>

#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/context_verb.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/providers/provider_table.h"
#include "engine/base/new_file.h"
#include "engine/base/read_mark.h"
#include "engine/compile/compile.h"
#include "engine/compile/verify.h"
#include "engine/report/json.h"
#include "engine/report/simulated_providers.h"

namespace cutaway::cli {

namespace {

struct Target {
  std::filesystem::path model, file;
  std::string prefix;
};

// Several models: the folder -o, "<stem>_ctx.onnx" in it, and a prefix of its own for each, because partitions of one
// binary need names of their own.
Result<std::vector<Target>> targetsOf(const ContextVerbOptions& options) {
  if (options.models.size() == 1) return std::vector<Target>{{options.models.front(), options.output, options.prefix}};
  std::error_code ignored, problem;
  const std::filesystem::path folder = options.output;
  std::filesystem::create_directories(folder, problem);
  if (problem && !std::filesystem::exists(folder, ignored)) return fail(writeFailure(folder, problem.value(), 0));
  if (!std::filesystem::is_directory(folder, ignored))
    return fail(ErrorCode::kInvalidArgument, "-o {}: several models need a folder, and this is a file", options.output);
  std::vector<Target> targets;
  std::set<std::string> stems;
  for (const std::string& model : options.models) {
    std::string stem = std::filesystem::path(model).stem().string();
    for (int number = 2; !stems.insert(stem).second; ++number)
      stem = fmt::format("{}_{}", std::filesystem::path(model).stem().string(), number);
    targets.push_back({model, folder / (stem + "_ctx.onnx"), fmt::format("{}{}_", options.prefix, stem)});
  }
  return targets;
}

Result<void> checkFree(const std::vector<Target>& targets, bool force) {
  std::error_code ignored;
  for (const Target& target : targets) {
    if (std::filesystem::equivalent(target.model, target.file, ignored))
      return fail(atFile(Error{ErrorCode::kInvalidArgument,
                               "the context model would take the place of the model: name another file",
                               {}},
                         target.file.string()));
    if (force || !std::filesystem::is_regular_file(target.file, ignored)) continue;
    return fail(
        Error{ErrorCode::kFail, fmt::format("{} already exists; --force replaces it", target.file.string()), {}, true});
  }
  return {};
}

compile::CompileRequest requestFor(const ContextVerbOptions& options, const session::SessionOptions& session,
                                   const Target& target, bool last) {
  compile::CompileRequest request{.input = load::ModelSource::file(target.model), .session = session};
  request.hasLevel = true;  // the level of an ordinary session: outputs are the same bit for bit
  request.outputFile = target.file;
  request.embed = options.embed;
  request.initializersFile = options.initializersFile;
  request.initializersThresholdBytes = static_cast<int64_t>(options.thresholdBytes);
  request.failWhenOutputExists = !options.force;
  if (!target.prefix.empty()) request.session.config["ep.context_node_name_prefix"] = target.prefix;
  if (options.isShared) {
    request.session.config["ep.share_ep_contexts"] = "1";
    request.session.config["ep.context_share_group"] = options.shareGroup;
    if (last) request.session.config["ep.stop_share_ep_contexts"] = "1";
  }
  return request;
}

std::shared_ptr<const WalkReport> withVerification(const WalkReport& walk, ContextVerification seen) {
  auto context = std::make_shared<ContextReport>(walk.context == nullptr ? ContextReport{} : *walk.context);
  context->verified = {std::move(seen)};
  auto with = std::make_shared<WalkReport>(walk);
  with->context = std::move(context);
  return with;
}

Result<ContextVerification> verify(const ContextVerbOptions& options, const session::SessionOptions& session,
                                   const Target& target, Progress& progress) {
  compile::VerifyRequest request{.original = load::ModelSource::file(target.model),
                                 .context = load::ModelSource::file(target.file),
                                 .session = session,
                                 .runs = options.runs,
                                 .seed = options.feeds.seed(),
                                 .feeds = {},
                                 .dims = session.dims,
                                 .simulated = nullptr};
  return compile::verifyContext(request, builtProviders(), progress);
}

struct Exported {
  std::vector<std::shared_ptr<const WalkReport>> walks;  // one a model
  std::optional<Error> error;
};

Exported exportAll(const ContextVerbOptions& options, const session::SessionOptions& session,
                   const std::vector<Target>& targets) {
  Exported exported;
  ConsoleProgress progress;
  for (size_t i = 0; i < targets.size(); ++i) {
    auto done = compile::compileModel(requestFor(options, session, targets[i], i + 1 == targets.size()),
                                      builtProviders(), progress);
    if (!done) return exported.error = atFile(std::move(done).error(), targets[i].model.string()), exported;
    exported.walks.push_back(std::move(done->walk));
  }
  for (size_t i = 0; i < targets.size() && options.verify; ++i) {
    auto seen = verify(options, session, targets[i], progress);
    if (!seen) return exported.error = std::move(seen).error(), exported;
    exported.walks[i] = withVerification(*exported.walks[i], *std::move(seen));
  }
  return exported;
}

Result<void> print(const ContextVerbOptions& options, const Exported& exported) {
  if (options.shared.json) {
    nlohmann::json json = exported.walks.size() == 1 ? walkToJson(*exported.walks.front(), {.graphs = false})
                                                     : nlohmann::json{{"schema_version", kReportSchemaVersion},
                                                                      {"models", nlohmann::json::array()}};
    if (exported.walks.size() != 1) {
      for (const auto& walk : exported.walks)
        json["models"].push_back(walkToJson(*walk, {.graphs = false}));
    }
    if (exported.error) json["error"] = toJson(*exported.error);
    return options.shared.writeJson(dumpJson(json, 2));
  }
  for (const auto& walk : exported.walks) {
    if (walk->context == nullptr) continue;
    for (const ContextWritten& written : walk->context->written)
      printWritten(written);
    for (const ContextVerification& seen : walk->context->verified) {
      put("\n");
      printVerification(seen, simulatedProviders(*walk));
    }
  }
  return {};
}

}  // namespace

int exportContexts(const ContextVerbOptions& options) {
  const Result<session::SessionOptions> session = options.shared.sessionOptions(Stage::kPartition, true);
  if (!session) return usageError(session.error());
  const Result<std::vector<Target>> targets = targetsOf(options);
  if (!targets) return isWriteFailure(targets.error()) ? reportError(targets.error()) : usageError(targets.error());
  if (const Result<void> free = checkFree(*targets, options.force); !free)
    return free.error().byPolicy ? reportError(free.error()) : usageError(free.error());
  // The context model that is replaced is read, to take its binary away.
  if (options.force) allowWritingOverReadFiles();

  const Exported exported = exportAll(options, *session, *targets);
  if (const Result<void> printed = print(options, exported); !printed) return reportError(printed.error());
  if (exported.error)
    return exported.error->code == ErrorCode::kInvalidArgument && exported.error->where.node.empty()
               ? usageError(*exported.error)
               : reportError(*exported.error);
  for (const auto& walk : exported.walks) {
    if (walk->context != nullptr && !walk->context->verified.empty() && !walk->context->verified.front().sameOutputs)
      return kCheckFailed;
  }
  return kDone;
}

}  // namespace cutaway::cli

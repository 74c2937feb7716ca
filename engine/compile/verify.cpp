// Verification: the original compiled and run, then the context model restored and run, on the same inputs. One after
// the other, so that only one model's weights are in memory at a time.
#include "engine/compile/verify.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/compile/same_bits.h"
#include "engine/report/simulated_providers.h"
#include "engine/session/assumed_dims.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::compile {
namespace {

// Keys that ask for an export, or hide that a context could not be used.
bool concernsExport(std::string_view key) {
  static constexpr std::string_view kKeys[] = {"ep.context_enable",
                                               "ep.context_file_path",
                                               "ep.context_embed_mode",
                                               "ep.context_node_name_prefix",
                                               "ep.share_ep_contexts",
                                               "ep.stop_share_ep_contexts",
                                               "ep.context_share_group",
                                               "ep.context_model_external_initializers_file_name",
                                               "ep.enable_weightless",
                                               "ep.enable_weightless_ep_context_nodes",
                                               "ep.context_recompile",
                                               "session.compile_only",
                                               "session.disable_model_compile"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

session::SessionOptions plainOptions(session::SessionOptions options) {
  std::erase_if(options.config, [](const auto& pair) { return concernsExport(pair.first); });
  options.context.reset();
  options.contextOnly = false;
  options.keepOptimized = false;
  options.lastStage = Stage::kPattern;
  options.prepareRun = true;
  return options;
}

struct Measured {
  std::vector<execute::Feed> outputs;
  int64_t readyNs = 0, firstRunNs = 0, runNs = 0;
};

Result<void> runAll(session::Session& session, const std::vector<execute::Feed>& feeds, int runs,
                    const CancelToken& cancel, Measured& measured) {
  execute::RunOptions options;
  options.cancel = cancel;
  const Stopwatch watch;
  CUTAWAY_TRY(execute::RunResult first, session.run(feeds, options));
  measured.firstRunNs = watch.elapsedNs();
  measured.outputs = std::move(first.outputs);
  std::vector<int64_t> times;
  for (int i = 0; i < runs; ++i) {
    CUTAWAY_TRY(const execute::RunResult again, session.run(feeds, options));
    times.push_back(again.timeNs);
  }
  std::ranges::sort(times);
  measured.runNs = times.empty() ? measured.firstRunNs : times[times.size() / 2];
  return {};
}

Result<std::unique_ptr<session::Session>> open(const load::ModelSource& source, const session::SessionOptions& options,
                                               const ProviderTable& table, Progress& progress, Measured& measured) {
  const Stopwatch watch;
  CUTAWAY_TRY(auto session, session::Session::create(source, options, table, progress));
  measured.readyNs = watch.elapsedNs();
  return session;
}

Result<Measured> measureOriginal(const VerifyRequest& request, const session::SessionOptions& options,
                                 const ProviderTable& table, Progress& progress, std::vector<execute::Feed>& feeds) {
  Measured measured;
  CUTAWAY_TRY(const auto session, open(request.original, options, table, progress, measured));
  if (feeds.empty()) {
    CUTAWAY_TRY(feeds, session::randomFeeds(*session, request.seed, request.dims, progress.token()));
  }
  if (request.simulated != nullptr) *request.simulated = simulatedProviders(*session->report());
  progress.begin("Verify", "running the original");
  if (Result<void> ran = runAll(*session, feeds, request.runs, progress.token(), measured); !ran)
    return fail(request.feeds.empty() ? session::explainAssumedDims(std::move(ran).error(), *session, request.dims)
                                      : std::move(ran).error());
  return measured;
}

// What a process does once - operator schemas, the providers' libraries - is in neither of the two times. Errors come
// again where they are looked at.
void warmUp(const load::ModelSource& source, session::SessionOptions options, const ProviderTable& table,
            Progress& progress) {
  options.lastStage = Stage::kOptimize;
  options.prepareRun = false;
  (void)session::Session::create(source, options, table, progress);
}

// Where a context model failed, as an answer.
std::string problemOf(const Error& error, std::string_view what) {
  return fmt::format("{}: {}", what, describe(error));
}

void compareOutputs(const std::vector<execute::Feed>& original, const std::vector<execute::Feed>& context,
                    ContextVerification& result) {
  result.sameOutputs = original.size() == context.size();
  if (!result.sameOutputs)
    result.problem = fmt::format("the original has {} outputs, the context model {}", original.size(), context.size());
  for (const execute::Feed& expected : original) {
    const auto found = std::ranges::find(context, expected.name, &execute::Feed::name);
    if (found == context.end()) {
      result.outputs.push_back({.name = expected.name, .problem = "the context model has no such output"});
    } else {
      result.outputs.push_back(compareBits(expected.name, expected.value, found->value));
    }
    result.sameOutputs = result.sameOutputs && result.outputs.back().sameBits;
  }
}

}  // namespace

Result<ContextVerification> verifyContext(const VerifyRequest& request, const ProviderTable& table,
                                          Progress& progress) {
  const session::SessionOptions options = plainOptions(request.session);
  const HeapLimit limit(options.memoryLimitBytes);
  std::vector<execute::Feed> feeds = request.feeds;
  warmUp(request.original, options, table, progress);
  CUTAWAY_TRY(const Measured original, measureOriginal(request, options, table, progress, feeds));
  ContextVerification result;
  result.compileNs = original.readyNs;
  result.firstRunOriginalNs = original.firstRunNs;
  result.runOriginalNs = original.runNs;

  Measured context;
  const auto session = open(request.context, options, table, progress, context);
  if (progress.cancelled()) return fail(cancelledError());
  if (!session) {
    result.problem = problemOf(session.error(), "it does not load");
    return result;
  }
  result.loads = true;
  result.loadNs = context.readyNs;
  progress.begin("Verify", "running the context model");
  const Result<void> ran = runAll(**session, feeds, request.runs, progress.token(), context);
  if (progress.cancelled()) return fail(cancelledError());
  if (!ran) {
    result.problem = problemOf(ran.error(), "it loads and does not run");
    return result;
  }
  result.firstRunContextNs = context.firstRunNs;
  result.runContextNs = context.runNs;
  compareOutputs(original.outputs, context.outputs, result);
  return result;
}

}  // namespace cutaway::compile

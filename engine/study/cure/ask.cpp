#include "engine/study/cure/ask.h"

#include <algorithm>
#include <exception>

#include "engine/base/exception_text.h"
#include "engine/base/node_name.h"
#include "engine/session/walk/later_stages.h"
#include "engine/session/walk/session_providers.h"

namespace cutaway::study {
namespace {

// Up to the optimised model, without the providers: whom the list names changes nothing there.
Result<std::unique_ptr<session::Session>> optimise(const std::shared_ptr<const Model>& model, const Question& question,
                                                   Progress& progress) {
  session::SessionOptions options = question.options;
  options.providers = {lastResort(question.table)};
  options.pins.clear();
  options.lastStage = Stage::kOptimize;
  options.prepareRun = false;
  options.keepOptimized = false;
  return session::Session::create(load::ModelSource::loaded(model), options, question.table, progress);
}

const ProviderAnswer* answerOf(const NodePlacement& placement, const std::string& provider) {
  const auto found = std::ranges::find_if(placement.answers, [&](const ProviderAnswer& each) {
    return each.provider == provider && each.verdict != Verdict::kClaimed;
  });
  return found == placement.answers.end() ? nullptr : &*found;
}

Answer read(const WalkReport& walk, const std::string& provider) {
  Answer answer;
  answer.provider = provider;
  const PartitionReport& partition = *walk.partition;
  for (const ProviderSummary& each : partition.providers)
    if (each.name == provider) answer.simulated = each.simulated;
  CureFigures& figures = answer.figures;
  for (const NodePlacement& placement : partition.nodes) {
    const bool taken = placement.provider == provider;
    ++figures.nodes;
    figures.taken += taken ? 1 : 0;
    if (placement.flops < 0)
      ++figures.unsizedNodes;
    else
      figures.flops += placement.flops, figures.takenFlops += taken ? placement.flops : 0;
    if (taken) continue;
    const GraphReport& graph = walk.optimizedGraphs->graphs[static_cast<size_t>(placement.graph)];
    const NodeReport& node = graph.nodes[static_cast<size_t>(placement.node)];
    LeftNode left{.name = nodeName(node.name, node.opType, static_cast<size_t>(placement.node)),
                  .opType = node.opType,
                  .origins = {},
                  .rewritten = !node.rewrite.empty(),
                  .inMain = placement.graph == 0};
    for (const int32_t origin : node.origins)
      left.origins.emplace_back(static_cast<size_t>(origin));
    if (const ProviderAnswer* refusal = answerOf(placement, provider)) {
      left.cause = refusal->cause;
      left.reason = refusal->reason;
    }
    answer.left.push_back(std::move(left));
  }
  for (const GroupReport& group : partition.groups)
    figures.groups += group.provider == provider ? 1 : 0;
  figures.copies = static_cast<int64_t>(partition.copies.size());
  return answer;
}

// The one that was named, or the first that is not the last resort.
Result<std::string> whom(const WalkReport& walk, const Question& question) {
  const std::string last = lastResort(question.table);
  std::string first;
  std::string names;
  for (const ProviderSummary& each : walk.partition->providers) {
    if (each.name == last) continue;
    if (!question.provider.empty() && each.name == question.provider) return each.name;
    names += (names.empty() ? "" : ", ") + each.name;
    if (first.empty()) first = each.name;
  }
  if (!question.provider.empty())
    return fail(ErrorCode::kInvalidArgument, "there is no provider '{}' in the list to be cured{}", question.provider,
                names.empty() ? "" : ": it has " + names);
  if (first.empty())
    return fail(ErrorCode::kInvalidArgument, "'{}' takes every node: a cure is for another provider, put one before it",
                last);
  return first;
}

Result<Answer> askNow(const std::shared_ptr<const Model>& model, const Question& question, Progress& progress) {
  CUTAWAY_TRY(const auto session, optimise(model, question, progress));
  session::SessionOptions options = question.options;
  options.prepareRun = false;
  options.config.erase("session.disable_cpu_ep_fallback");  // what is left is what is asked about
  CUTAWAY_TRY(const session::SessionConfig config, session::readSessionConfig(options, question.table));
  session::HeldProviders held;
  CUTAWAY_TRY(held.providers, session::createProviders(options, question.table));
  Model optimised = session->model();
  std::map<std::string, CompiledNode> compiled;
  std::unique_ptr<plan::PlanWalk> plans;
  WalkReport walk = *session->report();
  const session::LaterStages stages{.model = optimised,
                                    .providers = held.providers,
                                    .options = options,
                                    .config = config,
                                    .progress = progress,
                                    .compiled = compiled,
                                    .plans = plans,
                                    .compile = question.compile};
  CUTAWAY_CHECK(stages.run(Stage::kPartition, walk));
  CUTAWAY_TRY(const std::string provider, whom(walk, question));
  return read(walk, provider);
}

}  // namespace

std::set<size_t> Answer::leftOrigins() const {
  std::set<size_t> result;
  for (const LeftNode& each : left)
    for (const OriginId origin : each.origins)
      result.insert(origin.index());
  return result;
}

Result<Answer> ask(const std::shared_ptr<const Model>& model, const Question& question, const Progress& progress) {
  if (progress.cancelled()) return fail(cancelledError());
  Progress quiet(progress.token());  // the stages of a question are not those that the user waits for
  try {
    Result<Answer> answer = askNow(model, question, quiet);
    if (progress.cancelled()) return fail(cancelledError());
    return answer;
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
  }
}

}  // namespace cutaway::study

#include "app/second_opinion/onnxruntime_opinion.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "app/second_opinion/asking.h"
#include "engine/report/simulated_providers.h"
#include "engine/session/assumed_dims.h"
#include "engine/tensor/heap_limit.h"
#include "providers/onnxruntime/client/log_facts.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/library.h"

namespace cutaway {

namespace opinion {

namespace ort = onnxruntime;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kFewestRuns = 5;
constexpr int64_t kMostRunsNs = 4'000'000'000;

int64_t nanosecondsSince(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

}  // namespace

ort::SessionSettings Asking::settings(ort::OptimizationLevel level, const Dimensions& dims) const {
  ort::SessionSettings settings{.level = level, .intraThreads = m_request.options.threads};
  settings.customOperators = ort::customLibraryPaths();
  settings.dimensions.assign(dims.begin(), dims.end());
  return settings;
}

Result<void> Asking::runOurs() {
  session::SessionOptions options = m_request.options;
  options.prepareRun = true;
  options.lastStage = Stage::kPattern;
  const auto begin = Clock::now();
  CUTAWAY_TRY(m_session,
              session::Session::create(load::ModelSource::file(m_request.model), options, m_table, m_progress));
  m_ours.createNs = nanosecondsSince(begin);
  m_ours.walk = m_session->report();
  m_ours.simulated = simulatedProviders(*m_ours.walk);
  for (const ProviderEntry& entry : m_table)
    for (const auto& name : entry.onnxruntime)
      m_ours.otherNames[entry.name].push_back(name.name);
  m_feeds = m_request.feeds;
  if (m_feeds.empty()) {
    Result<std::vector<execute::Feed>> made =
        session::randomFeeds(*m_session, m_request.seed, options.dims, m_progress.token());
    if (!made) {
      if (m_progress.cancelled()) return fail(cancelledError());
      m_ours.runProblem = describe(made.error());
      return {};
    }
    m_feeds = std::move(*made);
  }
  m_dims = dimensionsOf(*m_session, m_feeds);
  for (const auto& [name, size] : options.dims)
    m_dims[name] = size;
  Result<execute::RunResult> ran = m_session->run(m_feeds, {.cancel = m_progress.token()});
  if (!ran) {
    if (m_progress.cancelled()) return fail(cancelledError());
    const bool isMade = m_request.feeds.empty();
    m_ours.runProblem =
        (isMade ? session::explainAssumedDims(ran.error(), *m_session, options.dims) : ran.error()).message;
    return {};
  }
  m_ours.results = std::move(ran->outputs);
  int64_t spentNs = 0;
  for (int run = 0; run < m_request.runs && (run < kFewestRuns || spentNs < kMostRunsNs); ++run) {
    CUTAWAY_TRY(const execute::RunResult again, m_session->run(m_feeds, {.cancel = m_progress.token()}));
    m_ours.runNs.push_back(again.timeNs);
    spentNs += again.timeNs;
  }
  m_runs = static_cast<int>(m_ours.runNs.size());
  return {};
}

Result<void> Asking::askAsItIs() {
  ort::SessionRequest request;
  request.path = m_request.model;
  request.settings = settings(ort::OptimizationLevel::kAll, m_request.options.dims);
  request.settings.log = true;
  request.settings.assignment = true;
  auto session = open(std::move(request));
  if (!session) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_theirs.verdict = session.error().message;
    return {};
  }
  const ort::SessionFacts& facts = (*session)->facts();
  for (const ort::ValueFacts& value : facts.inputs)
    m_theirs.inputs.push_back({value.name, typeText(value)});
  for (const ort::ValueFacts& value : facts.outputs)
    m_theirs.outputs.push_back({value.name, typeText(value)});
  m_theirs.createNs = facts.createNs;
  m_theirs.providers = {"CPUExecutionProvider"};
  for (const ort::AssignedGroup& group : facts.assignment)
    for (const ort::AssignedNode& node : group.nodes)
      m_theirs.assignment.push_back({node.name, node.opType, group.provider});
  for (const ort::OptimizerPass& pass : ort::passesIn((*session)->log())) {
    ++m_theirs.passRuns;
    if (pass.modified && std::ranges::find(m_theirs.passes, pass.name) == m_theirs.passes.end())
      m_theirs.passes.push_back(pass.name);
  }
  for (const ort::InsertedCopy& copy : ort::copiesIn((*session)->log()))
    m_theirs.copies.push_back(copy.value);
  if (study::unmatchedNodes(m_ours, m_theirs) > 0) CUTAWAY_CHECK(askAssignment());
  const auto inputs = inputsFor(facts.inputs, m_feeds);
  if (!inputs || m_feeds.empty()) {
    m_theirs.runProblem = "there are no tensors for all of its inputs";
    return {};
  }
  const auto warm = (*session)->runTensors(*inputs, {}, stopped());
  if (!warm) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_theirs.runProblem = warm.error().message;
    return {};
  }
  m_theirs.results = namedResults(facts, *warm);
  CUTAWAY_TRY(const ort::TensorRun timed,
              (*session)->runTensors(*inputs, {.runs = static_cast<uint32_t>(std::max(1, m_runs))}, stopped()));
  m_theirs.runNs = timed.runNs;
  if (study::resultsDiffer(m_ours, m_theirs, m_request.tolerance)) CUTAWAY_CHECK(askAgain());
  if (const auto memory = (*session)->memoryStatistics(stopped())) m_theirs.memory = *memory;
  return {};
}

// Whom the recorded assignment speaks of, where names do not tell: the model once more with a name for every node, and
// the graph as it was when the assignment was recorded, which is the optimised model of level 1. So every recorded name
// leads to the values that its node makes. Without that model the first record stays.
Result<void> Asking::askAssignment() {
  const auto named = withNamedNodes(load::ModelSource::file(m_request.model), m_progress);
  if (!named) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  auto request = requestOf(*named->bytes);
  if (!request) return {};
  request->settings = settings(ort::OptimizationLevel::kBasic, m_request.options.dims);
  request->settings.assignment = true;
  request->settings.optimizedModel = true;
  const auto session = open(std::move(*request));
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  const auto recorded = load::load(sourceOf((*session)->optimizedModel(), m_request.model), {}, m_progress);
  if (!recorded) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  std::map<std::string, std::vector<std::string>> made;
  forEachGraph(recorded->model.graph, [&](const Graph& graph, auto&&...) {
    for (const NodeId id : graph.nodeIds())
      for (const ValueId output : graph.node(id).outputs)
        if (output.valid()) made[graph.node(id).name].push_back(graph.value(output).name);
  });
  m_theirs.assignment.clear();
  for (const ort::AssignedGroup& group : (*session)->facts().assignment)
    for (const ort::AssignedNode& node : group.nodes)
      m_theirs.assignment.push_back({node.name, node.opType, group.provider, made[node.name]});
  return {};
}

Result<SecondOpinion> Asking::ask() {
  const auto begin = Clock::now();
  CUTAWAY_TRY(const ort::LibraryPlace place, ort::findLibrary(m_request.library));
  m_host = ort::Host::of({.library = place.path});
  CUTAWAY_TRY(const ort::LibraryFacts library, m_host->library(stopped()));
  m_theirs.name = "onnxruntime";
  m_theirs.version = library.version;
  m_theirs.library = library.path;
  m_theirs.inlinedPrefix = "_inlfunc_";
  CUTAWAY_CHECK(runOurs());
  CUTAWAY_CHECK(askAsItIs());
  if (m_theirs.verdict.empty()) CUTAWAY_CHECK(askForGraph());
  SecondOpinion opinion = study::compareEngines(m_ours, m_theirs, m_request.tolerance);
  opinion.model = m_request.model.string();
  opinion.threads = m_request.options.threads == 0   ? "all cores"
                    : m_request.options.threads == 1 ? "1 thread"
                                                     : fmt::format("{} threads", m_request.options.threads);
  addNodes(opinion);
  opinion.timeNs = nanosecondsSince(begin);
  return opinion;
}

}  // namespace opinion

Result<SecondOpinion> askOnnxruntime(const OpinionRequest& request, const ProviderTable& table, Progress& progress) {
  const HeapLimit limit(request.options.memoryLimitBytes);
  return opinion::Asking(request, table, progress).ask();
}

}  // namespace cutaway

#include "app/second_opinion/onnxruntime_opinion.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "app/second_opinion/last_bits.h"
#include "app/second_opinion/optimizer_passes.h"
#include "app/second_opinion/other_precision.h"
#include "app/second_opinion/profile_events.h"
#include "engine/report/simulated_providers.h"
#include "engine/session/assumed_dims.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/study/second_opinion/quantised_outputs.h"
#include "engine/study/second_opinion/second_opinion.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/client/log_facts.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/library.h"

namespace cutaway {

namespace {

namespace ort = onnxruntime;
using Clock = std::chrono::steady_clock;
using Dimensions = std::map<std::string, int64_t>;
constexpr uint64_t kRetries = 2;
constexpr int kFewestRuns = 5;
constexpr int64_t kMostRunsNs = 4'000'000'000;

int64_t nanosecondsSince(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

std::string typeText(const ort::ValueFacts& value) {
  if (value.kind != ort::ValueKind::kTensor) return {};
  std::string text(elementTypeName(static_cast<ElementType>(value.element)));
  if (!value.isRanked) return text;
  text += '[';
  for (size_t axis = 0; axis < value.dims.size(); ++axis) {
    if (axis > 0) text += ',';
    const std::string symbol = axis < value.symbols.size() ? value.symbols[axis] : std::string();
    text += value.dims[axis] >= 0 ? fmt::format("{}", value.dims[axis]) : symbol.empty() ? "?" : symbol;
  }
  return text + ']';
}

// Sizes of the named open dimensions of inputs, as the feeds have them.
Dimensions dimensionsOf(const session::Session& session, const std::vector<execute::Feed>& feeds) {
  Dimensions sizes;
  for (const execute::NamedType& input : session.inputs()) {
    const auto feed = std::ranges::find(feeds, input.name, &execute::Feed::name);
    if (feed == feeds.end() || !feed->value.isTensor() || !input.type.shape) continue;
    const std::span<const int64_t> dims = feed->value.tensor().dims();
    for (size_t axis = 0; axis < dims.size() && axis < input.type.shape->dims().size(); ++axis)
      if (const Dim& dim = input.type.shape->dims()[axis]; dim.isSymbol()) sizes.emplace(dim.symbol(), dims[axis]);
  }
  return sizes;
}

// The inputs in the session's order; nullopt where one is no tensor or is not there.
std::optional<std::vector<Tensor>> inputsFor(const std::vector<ort::ValueFacts>& inputs,
                                             const std::vector<execute::Feed>& feeds) {
  std::vector<Tensor> tensors;
  for (const ort::ValueFacts& input : inputs) {
    const auto feed = std::ranges::find(feeds, input.name, &execute::Feed::name);
    if (feed == feeds.end() || !feed->value.isTensor()) return std::nullopt;
    tensors.push_back(feed->value.tensor());
  }
  return tensors;
}

std::vector<execute::Feed> namedResults(const ort::SessionFacts& facts, const ort::TensorRun& ran) {
  std::vector<execute::Feed> results;
  for (size_t i = 0; i < facts.outputs.size() && i < ran.outputs.size(); ++i)
    if (ran.kinds[i] == ort::ValueKind::kTensor) results.push_back({facts.outputs[i].name, ran.outputs[i]});
  return results;
}

struct NamedGraph {
  std::shared_ptr<const std::vector<std::byte>> bytes;
  std::set<std::string> mainNodes;
  std::set<std::string> openSizes;  // symbols: a graph that ONNX Runtime wrote for some sizes has fewer than its model
};

Result<std::shared_ptr<const std::vector<std::byte>>> bytesOf(const Model& model) {
  const auto written = std::make_shared<std::vector<std::byte>>();
  CUTAWAY_CHECK(load::writeModelBytes(model, [&](std::span<const std::byte> part) -> Result<void> {
    written->insert(written->end(), part.begin(), part.end());
    return {};
  }));
  return written;
}

// The optimised model still refers to the weights that lie beside the model it was made of.
load::ModelSource sourceOf(std::string_view optimized, const std::filesystem::path& model) {
  const auto bytes = std::make_shared<const std::string>(optimized);
  load::ModelSource source = load::ModelSource::memory(std::as_bytes(std::span(*bytes)), bytes);
  std::error_code unknown;  // without a current folder: the model is named by its whole path then
  source.externalFolder = std::filesystem::absolute(model, unknown).parent_path();
  return source;
}

// The model with every node under a name of its own, n0, n1 ...: both engines then speak of the same nodes.
Result<NamedGraph> withNamedNodes(const load::ModelSource& source, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {}, progress));
  NamedGraph named;
  int64_t count = 0;
  forEachGraph(loaded.model.graph, [&](Graph& graph, auto&&...) {
    for (const NodeId id : graph.nodeIds()) {
      graph.mutableNode(id).name = fmt::format("n{}", count++);
      if (&graph == &loaded.model.graph) named.mainNodes.insert(graph.node(id).name);
    }
    for (const ValueId id : graph.valueIds()) {
      const std::optional<Shape>& shape = graph.value(id).type.shape;
      for (size_t axis = 0; shape && axis < shape->dims().size(); ++axis)
        if (const Dim& dim = shape->dims()[axis]; dim.isSymbol()) named.openSizes.insert(dim.symbol());
    }
  });
  CUTAWAY_TRY(named.bytes, bytesOf(loaded.model));
  return named;
}

Result<ort::SessionRequest> requestOf(const std::vector<std::byte>& model) {
  ort::SessionRequest request;
  CUTAWAY_TRY(request.model, ort::SharedMemory::of({reinterpret_cast<const char*>(model.data()), model.size()}));
  request.modelBytes = model.size();
  return request;
}

class Asking {
 public:
  Asking(const OpinionRequest& request, const ProviderTable& table, Progress& progress)
      : m_request(request), m_table(table), m_progress(progress) {}

  Result<SecondOpinion> ask();

 private:
  Result<void> runOurs();
  Result<void> askAsItIs();
  Result<void> askAssignment();
  Result<void> askAgain();
  Result<void> askNudged(uint64_t seed);
  Result<void> runOnCpu();
  Result<void> runIn(ElementType type, std::vector<execute::Feed>& results);
  Result<void> runPlain();
  // What is tried to explain a difference: without providers whose hardware is not here, for these are what it is
  // about.
  session::SessionOptions trialOptions() const;
  std::vector<execute::Feed> resultsOf(ort::SessionRequest request, const std::vector<execute::Feed>& feeds);
  Result<void> askForGraph();
  Result<void> inferSameGraph(const NamedGraph& graph);
  Result<void> askSameGraph(const NamedGraph& graph);
  Result<void> planSameGraph(const NamedGraph& graph);
  Result<std::unique_ptr<ort::HostedSession>> open(ort::SessionRequest request,
                                                   std::vector<ort::LogLine>* log = nullptr) {
    return ort::HostedSession::open(m_host, std::move(request), [this] { return m_progress.cancelled(); }, log);
  }
  // As it is, without optimisation.
  Result<std::unique_ptr<ort::HostedSession>> openBytes(const std::vector<std::byte>& bytes, bool profile);
  ort::Stopped stopped() {
    return [this] { return m_progress.cancelled(); };
  }
  ort::SessionSettings settings(ort::OptimizationLevel level, const Dimensions& dims) const;
  void addNodes(SecondOpinion& opinion) const;

  const OpinionRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  std::shared_ptr<ort::Host> m_host;
  std::unique_ptr<session::Session> m_session;  // ours on the model as it is
  std::vector<execute::Feed> m_feeds;
  Dimensions m_dims;
  study::OurEngine m_ours;
  study::OtherEngine m_theirs;
  std::map<int32_t, std::vector<int64_t>> m_nodeTimes;  // ours on the same graph, a run each
  int64_t m_nodeRuns = 0;
  int m_runs = m_request.runs;  // of each engine: those that this one had time for
};

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
    Result<std::vector<execute::Feed>> made = session::randomFeeds(*m_session, m_request.seed, options.dims);
    if (!made) {
      m_ours.runProblem = made.error().message;
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

// How far rounding carries in this model: both engines once more with inputs and weights moved by their last bit, and
// ONNX Runtime without optimisation. Ours without optimisation is not asked: a wrong fusion of ours must not excuse
// itself. And ONNX Runtime with exact products of bytes, which saturate on CPUs without VNNI.
Result<void> Asking::askAgain() {
  for (uint64_t seed = 1; seed <= kRetries && !m_progress.cancelled(); ++seed)
    CUTAWAY_CHECK(askNudged(seed));
  ort::SessionRequest plain;
  plain.path = m_request.model;
  plain.settings = settings(ort::OptimizationLevel::kNone, m_request.options.dims);
  m_theirs.plainResults = resultsOf(std::move(plain), m_feeds);
  if (!m_theirs.plainResults.empty()) m_theirs.retries.push_back(m_theirs.plainResults);
  CUTAWAY_CHECK(runOnCpu());
  if (!m_ours.quantised.empty()) CUTAWAY_CHECK(runPlain());
  CUTAWAY_CHECK(runIn(ElementType::kDouble, m_ours.doubleResults));
  ort::SessionRequest exact;
  exact.path = m_request.model;
  exact.settings = settings(ort::OptimizationLevel::kAll, m_request.options.dims);
  exact.settings.keys.emplace_back("session.x64quantprecision", "1");
  m_theirs.exactProducts = resultsOf(std::move(exact), m_feeds);
  if (m_progress.cancelled()) return fail(cancelledError());
  return {};
}

session::SessionOptions Asking::trialOptions() const {
  session::SessionOptions options = m_request.options;
  if (!m_ours.simulated.empty()) options.providers = {"cpu"};
  options.prepareRun = true;
  options.lastStage = Stage::kPattern;
  return options;
}

// Whether a simulated provider is what makes the difference, and what half precision, in which such hardware computes,
// does to the model.
Result<void> Asking::runOnCpu() {
  if (m_ours.simulated.empty()) return {};
  const auto session =
      session::Session::create(load::ModelSource::file(m_request.model), trialOptions(), m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(m_feeds, {.cancel = m_progress.token()})) m_ours.cpuResults = std::move(ran->outputs);
  return runIn(ElementType::kFloat16, m_ours.halfResults);
}

// Ours without optimisation: whether results of a quantised graph come from a fusion of ours.
Result<void> Asking::runPlain() {
  session::SessionOptions options = trialOptions();
  if (options.optimizationLevel == 0) {
    m_ours.plainResults = m_ours.simulated.empty() ? m_ours.results : m_ours.cpuResults;
    return {};
  }
  options.optimizationLevel = 0;
  const auto session = session::Session::create(load::ModelSource::file(m_request.model), options, m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(m_feeds, {.cancel = m_progress.token()}))
    m_ours.plainResults = std::move(ran->outputs);
  return {};
}

Result<void> Asking::askNudged(uint64_t seed) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(m_request.model), {}, m_progress));
  m_ours.quantised = study::quantisedOutputs(loaded.model.graph);
  nudgeWeights(loaded.model.graph, seed);
  const std::vector<execute::Feed> feeds = nudgedFeeds(m_feeds, seed);
  const auto bytes = bytesOf(loaded.model);
  if (!bytes) return {};  // too large for one message: nothing is known then
  CUTAWAY_TRY(ort::SessionRequest request, requestOf(**bytes));
  request.settings = settings(ort::OptimizationLevel::kAll, m_request.options.dims);
  if (std::vector<execute::Feed> results = resultsOf(std::move(request), feeds); !results.empty())
    m_theirs.retries.push_back(std::move(results));
  const auto session =
      session::Session::create(load::ModelSource::memory(**bytes, *bytes), trialOptions(), m_table, m_progress);
  if (!session) return {};
  if (auto ran = (*session)->run(feeds, {.cancel = m_progress.token()}))
    m_ours.retries.push_back(std::move(ran->outputs));
  return {};
}

// Not optimised: a wrong fusion of ours must not be what both are measured by.
Result<void> Asking::runIn(ElementType type, std::vector<execute::Feed>& results) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(m_request.model), {}, m_progress));
  const auto feeds = retypedFeeds(m_feeds, type);
  if (!feeds || !retype(loaded.model, type)) return {};
  session::SessionOptions options{
      .dims = m_request.options.dims, .optimizationLevel = 0, .lastStage = Stage::kPattern, .prepareRun = true};
  const auto session = session::Session::create(
      load::ModelSource::loaded(std::make_shared<const Model>(std::move(loaded.model))), options, m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(*feeds, {.cancel = m_progress.token()})) results = std::move(ran->outputs);
  return {};
}

// Empty where it does not run.
std::vector<execute::Feed> Asking::resultsOf(ort::SessionRequest request, const std::vector<execute::Feed>& feeds) {
  const auto session = open(std::move(request));
  const auto inputs = session ? inputsFor((*session)->facts().inputs, feeds) : std::nullopt;
  if (!inputs) return {};
  const auto ran = (*session)->runTensors(*inputs, {}, stopped());
  return ran ? namedResults((*session)->facts(), *ran) : std::vector<execute::Feed>();
}

// Its optimised model in portable form, for the sizes of the feeds, and that graph as it is in both engines.
Result<void> Asking::askForGraph() {
  ort::SessionRequest request;
  request.path = m_request.model;
  request.settings = settings(ort::OptimizationLevel::kExtended, m_dims);
  request.settings.optimizedModel = true;
  request.settings.log = true;
  const auto session = open(std::move(request));
  if (!session) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_theirs.graphProblem = "no optimised model: " + session.error().message;
    return {};
  }
  for (const ort::OptimizerPass& pass : ort::passesIn((*session)->log()))
    if (pass.modified &&
        std::ranges::find(m_theirs.graphPasses, pass.name, &study::OtherPass::name) == m_theirs.graphPasses.end())
      m_theirs.graphPasses.push_back(optimizerPass(pass.name));
  const load::ModelSource optimized = sourceOf((*session)->optimizedModel(), m_request.model);
  const auto graph = withNamedNodes(optimized, m_progress);
  if (!graph) {
    m_theirs.graphProblem = "its optimised model: " + graph.error().message;
    return {};
  }
  session::SessionOptions look{.optimizationLevel = 0, .lastStage = Stage::kResolve, .prepareRun = false};
  const auto seen = session::Session::create(optimized, look, m_table, m_progress);
  if (seen) m_theirs.optimized = (*seen)->report()->loadedGraphs;
  if (!seen) m_theirs.graphProblem = "its optimised model: " + seen.error().message;
  CUTAWAY_CHECK(askSameGraph(*graph));
  return planSameGraph(*graph);
}

Result<std::unique_ptr<ort::HostedSession>> Asking::openBytes(const std::vector<std::byte>& bytes, bool profile) {
  CUTAWAY_TRY(ort::SessionRequest request, requestOf(bytes));
  request.settings = settings(ort::OptimizationLevel::kNone, m_dims);
  request.settings.profile = profile;
  return open(std::move(request));
}

Result<void> Asking::askSameGraph(const NamedGraph& graph) {
  const auto session = openBytes(*graph.bytes, true);
  if (!session) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_theirs.graphProblem = "its optimised model as it is: " + session.error().message;
    return {};
  }
  const auto inputs = inputsFor((*session)->facts().inputs, m_feeds);
  if (!inputs) return {};
  // One request a run: results of the run before must not lie in the arena when the next one begins.
  Result<ort::TensorRun> ran = (*session)->runTensors(*inputs, {}, stopped());
  for (int run = 1; ran && run < std::max(3, m_runs); ++run)
    ran = (*session)->runTensors(*inputs, {}, stopped());
  const auto profile = ran ? (*session)->endProfile(stopped()) : Result<std::string>(tl::unexpected(ran.error()));
  if (!profile) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_theirs.graphProblem = "its optimised model as it is: " + profile.error().message;
    return {};
  }
  CUTAWAY_TRY(RunEvents events, readRunEvents(*profile, graph.mainNodes));
  m_theirs.events = std::move(events.events);
  m_theirs.eventRuns = events.timedRuns;
  m_theirs.blockBytes = events.blockBytes;
  return {};
}

// What its shape inference finds before running: a session that gives every value out tells.
Result<void> Asking::inferSameGraph(const NamedGraph& named) {
  CUTAWAY_TRY(load::LoadResult loaded,
              load::load(load::ModelSource::memory(*named.bytes, named.bytes), {}, m_progress));
  Graph& graph = loaded.model.graph;
  for (const NodeId id : graph.nodeIds())
    for (const ValueId output : graph.node(id).outputs)
      if (output.valid() && std::ranges::find(graph.outputs(), output) == graph.outputs().end())
        graph.addOutput(output);
  CUTAWAY_TRY(const auto bytes, bytesOf(loaded.model));
  const auto session = openBytes(*bytes, false);
  if (!session && m_progress.cancelled()) return fail(cancelledError());
  if (session)
    for (const ort::ValueFacts& value : (*session)->facts().outputs)
      m_theirs.inferred.emplace_back(value.name, typeText(value));
  return {};
}

Result<void> Asking::planSameGraph(const NamedGraph& graph) {
  session::SessionOptions options;
  options.optimizationLevel = 0;
  options.planRules = "onnxruntime";
  options.threads = m_request.options.threads;
  for (const auto& [name, size] : m_dims)
    if (graph.openSizes.contains(name)) options.dims.emplace(name, size);
  const auto session =
      session::Session::create(load::ModelSource::memory(*graph.bytes, graph.bytes), options, m_table, m_progress);
  if (!session) {
    if (m_progress.cancelled()) return fail(cancelledError());
    m_ours.sameGraphProblem = session.error().message;
    return {};
  }
  m_ours.sameGraph = (*session)->report();
  if (m_feeds.empty() || !m_ours.runProblem.empty()) return {};
  // The first run makes the frame, as theirs allocates in it: its node times are left out on both sides.
  const auto measured = session::measure(**session, m_feeds, {.runs = 1, .profile = true}, m_progress.token());
  if (measured) m_ours.sameGraph = session::withRun(*m_ours.sameGraph, *measured);
  for (int run = 0; measured && run < std::max(1, m_runs); ++run) {
    const auto again = (*session)->run(m_feeds, {.cancel = m_progress.token(), .profile = true});
    if (!again) break;
    m_ours.sameGraphResults = again->outputs;
    for (const NodeTiming& timing : again->timings)
      if (timing.graph == 0 && timing.node >= 0) m_nodeTimes[timing.node].push_back(timing.totalNs);
    ++m_nodeRuns;
  }
  if (m_progress.cancelled()) return fail(cancelledError());
  return m_theirs.blockBytes >= 0 && study::plannedBlock(*m_ours.sameGraph) != m_theirs.blockBytes
             ? inferSameGraph(graph)
             : Result<void>();
}

void Asking::addNodes(SecondOpinion& opinion) const {
  std::map<std::string, NodeOpinion> byName;
  if (m_ours.sameGraph && m_ours.sameGraph->partitionedGraphs && m_ours.sameGraph->schedule) {
    const GraphReport& graph = m_ours.sameGraph->partitionedGraphs->graphs.front();
    for (const GraphSchedule& schedule : m_ours.sameGraph->schedule->graphs)
      for (size_t step = 0; schedule.graph == 0 && step < schedule.steps.size(); ++step) {
        const NodeReport& node = graph.nodes[static_cast<size_t>(schedule.steps[step].node)];
        NodeOpinion& row = byName[node.name];
        row = {.node = node.name, .opType = node.opType, .output = {}, .stepOurs = static_cast<int32_t>(step)};
        if (!node.outputs.empty() && node.outputs.front() >= 0)
          row.output = graph.values[static_cast<size_t>(node.outputs.front())].name;
      }
    opinion.nodeRunsOurs = m_nodeRuns;
    for (const auto& [node, times] : m_nodeTimes)
      byName[graph.nodes[static_cast<size_t>(node)].name].timeOurs = study::nodeSpread(times);
  }
  for (size_t step = 0; step < m_theirs.events.size(); ++step) {
    const study::OtherEvent& event = m_theirs.events[step];
    NodeOpinion& row = byName[event.node];
    row.node = event.node;
    row.stepTheirs = static_cast<int32_t>(step);
    row.timeTheirs = event.time;
    row.bytesTheirs = event.bytesInUse;
  }
  opinion.nodeRunsTheirs = m_theirs.eventRuns;
  for (auto& [name, row] : byName)
    opinion.nodes.push_back(std::move(row));
  const auto place = [](const NodeOpinion& row) { return row.stepTheirs < 0 ? row.stepOurs : row.stepTheirs; };
  std::ranges::stable_sort(opinion.nodes, {}, place);
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

}  // namespace

Result<SecondOpinion> askOnnxruntime(const OpinionRequest& request, const ProviderTable& table, Progress& progress) {
  return Asking(request, table, progress).ask();
}

}  // namespace cutaway

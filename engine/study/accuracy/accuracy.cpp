#include "engine/study/accuracy/accuracy.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "engine/report/simulated_providers.h"
#include "engine/session/assumed_dims.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/accuracy/failing_submodel.h"

namespace cutaway::study {
namespace {

Error ofSide(Error error, const std::string& title) {
  error.message = fmt::format("{}: {}", title, error.message);
  return error;
}

// One configuration: its session, and who makes each value of the main graph.
class Side {
 public:
  static Result<Side> open(const AccuracyRequest& request, bool second, const ProviderTable& table,
                           Progress& progress) {
    session::SessionOptions options = second ? request.b : request.a;
    options.lastStage = Stage::kPattern;
    options.prepareRun = true;
    Side side;
    side.m_title = second ? request.titleB : request.titleA;
    auto session = session::Session::create(request.source, options, table, progress);
    if (!session) return fail(ofSide(std::move(session).error(), side.m_title));
    side.m_session = std::move(*session);
    const GraphReport& graph = side.m_session->report()->partitionedGraphs->graphs.front();
    for (const NodeReport& node : graph.nodes) {
      for (const int32_t output : node.outputs) {
        if (output != kNone) side.m_makers.emplace(graph.values[static_cast<size_t>(output)].name, &node);
      }
    }
    return side;
  }

  session::Session& session() { return *m_session; }
  const std::unordered_map<std::string, const NodeReport*>& makers() const { return m_makers; }
  const NodeReport* maker(const std::string& value) const {
    const auto found = m_makers.find(value);
    return found == m_makers.end() ? nullptr : found->second;
  }
  std::vector<std::string> outputNames() const {
    std::vector<std::string> names;
    for (const execute::NamedType& output : m_session->outputs())
      names.push_back(output.name);
    return names;
  }

  Result<std::vector<execute::Feed>> valuesOf(const std::vector<std::string>& names,
                                              const std::vector<execute::Feed>& feeds, const CancelToken& cancel) {
    auto result = m_session->run(feeds, {.cancel = cancel, .profile = false, .keepValues = names, .outputs = {}});
    if (!result) return fail(ofSide(std::move(result).error(), m_title));
    return std::move(result->kept);
  }

 private:
  std::string m_title;
  std::unique_ptr<session::Session> m_session;
  std::unordered_map<std::string, const NodeReport*> m_makers;
};

int64_t expectedBytes(const Graph& graph, const std::string& name) {
  constexpr int64_t kUnknown = int64_t{16} << 20;
  return staticByteSize(graph.value(graph.findValue(name)).type).value_or(kUnknown);
}

// The model with every value that a node of the main graph makes among its outputs.
Result<load::ModelSource> withEveryLayer(const load::ModelSource& source, const session::SessionOptions& options,
                                         Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {}, progress));
  CUTAWAY_TRY(const ResolveReport resolved,
              resolve::resolve(loaded.model, {.dims = options.dims, .trace = false}, progress));
  Graph& graph = loaded.model.graph;
  for (const NodeId id : graph.nodeIds()) {
    const std::vector<ValueId> made = graph.node(id).outputs;
    for (const ValueId value : made) {
      const bool isTensor = value.valid() && graph.value(value).type.element != ElementType::kUndefined;
      if (isTensor && graph.value(value).outputCount == 0) graph.addOutput(value);
    }
  }
  return load::ModelSource::loaded(std::make_shared<const Model>(std::move(loaded.model)));
}

class Comparison {
 public:
  Comparison(const AccuracyRequest& request, const ProviderTable& table, Progress& progress, Side a, Side b)
      : m_request(request), m_table(table), m_progress(progress), m_a(std::move(a)), m_b(std::move(b)) {
    m_report.configurationA = request.titleA;
    m_report.configurationB = request.titleB;
    m_report.relativeTolerance = request.tolerance.relative;
    m_report.absoluteTolerance = request.tolerance.absolute;
  }

  Result<AccuracyReport> run() {
    CUTAWAY_CHECK(makeFeeds());
    const std::vector<std::string> names = commonValues();
    m_progress.begin("Compare", fmt::format("{} values", names.size()));
    for (size_t begin = 0; begin < names.size();) {
      std::vector<std::string> batch = nextBatch(names, begin);
      if (auto compared = compareBatch(batch); !compared) return fail(placed(std::move(compared).error()));
      m_progress.update(begin, names.size());
    }
    judge();
    tellSimulated();
    if (!m_request.failingFolder.empty() && m_report.firstDivergence != kNone) CUTAWAY_CHECK(cutFailing());
    return std::move(m_report);
  }

 private:
  // A node refused what it was fed: whose file, and what was assumed for inputs that nobody gave.
  Error placed(Error error) {
    if (m_request.feeds.empty()) error = session::explainAssumedDims(std::move(error), m_a.session(), m_request.a.dims);
    return m_request.source.path.empty() ? error : atFile(std::move(error), m_request.source.path.string());
  }

  Result<void> makeFeeds() {
    CUTAWAY_TRY(m_feeds, session::randomFeeds(m_a.session(), m_request.seed, m_request.a.dims));
    for (const execute::Feed& given : m_request.feeds) {
      const auto slot = std::find_if(m_feeds.begin(), m_feeds.end(),
                                     [&](const execute::Feed& feed) { return feed.name == given.name; });
      if (slot != m_feeds.end()) {
        *slot = given;
      } else {
        m_feeds.push_back(given);
      }
    }
    return {};
  }

  // Values made by nodes on both sides, in A's execution order.
  std::vector<std::string> commonValues() {
    std::vector<std::string> names;
    for (const std::string& name : executionOrder()) {
      if (m_b.maker(name) != nullptr) names.push_back(name);
    }
    m_report.notComparable =
        static_cast<int64_t>(m_a.makers().size() + m_b.makers().size()) - 2 * static_cast<int64_t>(names.size());
    return names;
  }

  std::vector<std::string> executionOrder() {
    const WalkReport& walk = *m_a.session().report();
    const GraphReport& graph = walk.partitionedGraphs->graphs.front();
    std::vector<std::string> names;
    const auto schedule = std::find_if(walk.schedule->graphs.begin(), walk.schedule->graphs.end(),
                                       [](const GraphSchedule& each) { return each.graph == 0; });
    if (schedule == walk.schedule->graphs.end()) return names;
    for (const ScheduleStep& step : schedule->steps) {
      for (const int32_t output : graph.nodes[static_cast<size_t>(step.node)].outputs) {
        if (output != kNone) names.push_back(graph.values[static_cast<size_t>(output)].name);
      }
    }
    return names;
  }

  std::vector<std::string> nextBatch(const std::vector<std::string>& names, size_t& begin) {
    std::vector<std::string> batch;
    int64_t bytes = 0;
    while (begin < names.size()) {
      const int64_t size = expectedBytes(m_a.session().model().graph, names[begin]);
      if (!batch.empty() && bytes + size > m_request.batchBytes) break;
      bytes += size;
      batch.push_back(names[begin++]);
    }
    return batch;
  }

  Result<void> compareBatch(const std::vector<std::string>& names) {
    CUTAWAY_TRY(const std::vector<execute::Feed> left, m_a.valuesOf(names, m_feeds, m_progress.token()));
    CUTAWAY_TRY(const std::vector<execute::Feed> right, m_b.valuesOf(names, m_feeds, m_progress.token()));
    std::unordered_map<std::string, const RuntimeValue*> rightByName;
    for (const execute::Feed& value : right)
      rightByName[value.name] = &value.value;
    for (const execute::Feed& value : left) {
      const auto found = rightByName.find(value.name);
      if (found == rightByName.end()) continue;
      m_report.values.push_back(describe(value.name));
      measureError(value.value, *found->second, m_request.tolerance, m_report.values.back());
    }
    return {};
  }

  ValueAccuracy describe(const std::string& name) const {
    const NodeReport& a = *m_a.maker(name);
    ValueAccuracy accuracy;
    accuracy.value = name;
    accuracy.node = a.name;
    accuracy.opType = a.opType;
    accuracy.providerA = a.provider;
    accuracy.providerB = m_b.maker(name)->provider;
    accuracy.isOutput = m_outputs.contains(name);
    return accuracy;
  }

  void judge() {
    double worst = 0;
    for (size_t i = 0; i < m_report.values.size(); ++i) {
      const ValueAccuracy& value = m_report.values[i];
      const bool differs = value.outsideTolerance > 0 || !value.problem.empty();
      if (differs && m_report.firstDivergence == kNone) m_report.firstDivergence = static_cast<int32_t>(i);
      const double error =
          !value.problem.empty() || value.nonFiniteMismatches > 0
              ? 1e300
              : value.maxAbsolute / (m_request.tolerance.absolute + m_request.tolerance.relative * scaleOf(value));
      if (error <= worst) continue;
      worst = error;
      m_report.worst = static_cast<int32_t>(i);
    }
    if (m_report.values.empty())
      m_report.warnings.emplace_back(
          "no value exists on both sides: each side is compiled into one piece; outputs are compared only when both "
          "keep their names");
  }

  // Numbers of hardware that is not here would be taken for that hardware's.
  void tellSimulated() {
    for (const auto& [side, title] : {std::pair{&m_a, &m_request.titleA}, std::pair{&m_b, &m_request.titleB}}) {
      for (const std::string& name : simulatedProviders(*side->session().report()))
        m_report.warnings.push_back(
            fmt::format("{}: {} is hardware that is not here; CPU kernels or a simulator computed its nodes: this says "
                        "nothing about the accuracy of that hardware",
                        *title, name));
    }
  }

  // The size of the numbers, as far as the two error measures tell it.
  static double scaleOf(const ValueAccuracy& value) {
    return value.maxRelative > 0 ? value.maxAbsolute / value.maxRelative : 0;
  }

  Result<void> cutFailing() {
    m_progress.begin("Compare", "looking for the smallest failing submodel");
    std::set<std::string> agreeing;
    for (const ValueAccuracy& value : m_report.values) {
      if (value.outsideTolerance == 0 && value.problem.empty()) agreeing.insert(value.value);
    }
    const FailingSearch search{m_request, m_report.values[static_cast<size_t>(m_report.firstDivergence)].value,
                               std::move(agreeing), m_feeds};
    CUTAWAY_TRY(const std::optional<FailingSubmodel> found, findFailingSubmodel(search, m_table, m_progress));
    if (!found) {
      m_report.warnings.emplace_back(
          "no part of the model differs when it runs alone: the difference comes from what is computed together, or a "
          "provider leaves so small a part to the next one (try its option minimum_nodes=1)");
      return {};
    }
    CUTAWAY_CHECK(saveFailingSubmodel(*found, m_request.failingFolder));
    m_report.failingModel = (m_request.failingFolder / "model.onnx").string();
    m_report.failingNodes = found->nodes;
    return {};
  }

  const AccuracyRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  Side m_a, m_b;
  std::unordered_set<std::string> m_outputs = [this] {
    const std::vector<std::string> names = m_a.outputNames();
    return std::unordered_set<std::string>(names.begin(), names.end());
  }();
  std::vector<execute::Feed> m_feeds;
  AccuracyReport m_report;
};

}  // namespace

Result<AccuracyReport> compareConfigurations(const AccuracyRequest& request, const ProviderTable& table,
                                             Progress& progress) {
  if (request.everyLayer) {
    AccuracyRequest layers = request;
    layers.everyLayer = false;
    CUTAWAY_TRY(layers.source, withEveryLayer(request.source, request.a, progress));
    return compareConfigurations(layers, table, progress);
  }
  CUTAWAY_TRY(Side a, Side::open(request, false, table, progress));
  CUTAWAY_TRY(Side b, Side::open(request, true, table, progress));
  return Comparison(request, table, progress, std::move(a), std::move(b)).run();
}

}  // namespace cutaway::study

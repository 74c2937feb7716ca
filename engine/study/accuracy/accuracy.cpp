#include "engine/study/accuracy/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "engine/report/simulated_providers.h"
#include "engine/session/assumed_dims.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/accuracy/align_models.h"
#include "engine/study/accuracy/failing_submodel.h"
#include "engine/tensor/element_numbers.h"
#include "engine/tensor/heap_limit.h"

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
    const load::ModelSource& source = second && request.other ? *request.other : request.source;
    auto session = session::Session::create(source, options, table, progress);
    if (!session) return fail(ofSide(std::move(session).error(), side.m_title));
    side.m_session = std::move(*session);
    const WalkReport& walk = *side.m_session->report();
    for (const GroupReport& group : walk.partition->groups) {
      if (group.compiled && group.graph == 0) side.m_groups.insert(group.name);
    }
    const GraphReport& graph = walk.partitionedGraphs->graphs.front();
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
  // A node that stands for many: what is inside made the value.
  bool isGroup(const NodeReport& node) const { return m_groups.contains(node.name); }
  const GraphReport& graph() const { return m_session->report()->partitionedGraphs->graphs.front(); }

  // Values that nodes of the main graph make, in the order of its steps, with the number of the step.
  std::vector<std::pair<std::string, size_t>> inOrder() const {
    std::vector<std::pair<std::string, size_t>> names;
    const WalkReport& walk = *m_session->report();
    const auto schedule = std::ranges::find(walk.schedule->graphs, 0, &GraphSchedule::graph);
    if (schedule == walk.schedule->graphs.end()) return names;
    for (size_t step = 0; step < schedule->steps.size(); ++step) {
      for (const int32_t output : graph().nodes[static_cast<size_t>(schedule->steps[step].node)].outputs) {
        if (output != kNone) names.emplace_back(graph().values[static_cast<size_t>(output)].name, step);
      }
    }
    return names;
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
  std::unordered_set<std::string> m_groups;
};

// The root mean square of a tensor's numbers; 0: it has none, or is none.
double sizeOf(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().elementCount() == 0) return 0;
  double squares = 0;
  if (!forEachNumber(value.tensor(), [&](double number) { squares += number * number; })) return 0;
  return std::sqrt(squares / static_cast<double>(value.tensor().elementCount()));
}

// Exporters make names of hundreds of letters. Cut between letters, whatever their number of bytes.
std::string shortName(const std::string& name) {
  constexpr size_t kMost = 60;
  if (name.size() <= kMost) return name;
  size_t size = kMost;
  while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80)
    --size;
  return name.substr(0, size) + "...";
}

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

Result<Model> resolved(const load::ModelSource& source, const session::SessionOptions& options, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {}, progress));
  CUTAWAY_TRY(const ResolveReport report,
              resolve::resolve(loaded.model, {.dims = options.dims, .trace = false}, progress));
  return std::move(loaded.model);
}

// B's values get A's names; how much of A was found in B.
Result<std::string> alignSides(AccuracyRequest& asked, Progress& progress) {
  if (!asked.failingFolder.empty())
    return fail(ErrorCode::kInvalidArgument, "a failing submodel is one of two configurations, not of two models");
  CUTAWAY_TRY(Model a, resolved(asked.source, asked.a, progress));
  CUTAWAY_TRY(Model b, resolved(*asked.other, asked.b, progress));
  CUTAWAY_TRY(AlignedModel aligned, alignModel(a, std::move(b)));
  asked.source = load::ModelSource::loaded(std::make_shared<const Model>(std::move(a)));
  asked.other = load::ModelSource::loaded(std::make_shared<const Model>(std::move(aligned.model)));
  return fmt::format("{} of {} nodes of A were found among the {} of B; values that others make are not compared",
                     aligned.matched, aligned.nodesA, aligned.nodesB);
}

class Comparison {
 public:
  Comparison(const AccuracyRequest& request, const ProviderTable& table, Progress& progress, Side a, Side b,
             bool everyLayer)
      : m_request(request),
        m_table(table),
        m_progress(progress),
        m_a(std::move(a)),
        m_b(std::move(b)),
        m_everyLayer(everyLayer) {
    m_report.configurationA = request.titleA;
    m_report.configurationB = request.titleB;
    m_report.relativeTolerance = request.tolerance.relative;
    m_report.absoluteTolerance = request.tolerance.absolute;
  }

  Result<AccuracyReport> run() {
    const std::vector<std::string> names = commonValues();
    const size_t samples = std::max<size_t>(1, m_request.samples.size());
    m_progress.begin("Compare", fmt::format("{} values", names.size()));
    std::vector<ValueAccuracy> largest;
    for (size_t sample = 0; sample < samples; ++sample) {
      CUTAWAY_CHECK(compareSample(sample, names));
      m_progress.update(sample + 1, samples);
      mergeLargest(m_report.values, sample, largest);
    }
    m_report.values = std::move(largest);
    judge();
    if (samples > 1) {
      m_report.warnings.push_back(fmt::format("every value has its largest errors over {} inputs", samples));
      CUTAWAY_CHECK(makeFeeds(m_firstDiffering));
    }
    tellSimulated();
    if (m_everyLayer) tellGrowth();
    if (!m_request.failingFolder.empty() && m_report.firstDivergence != kNone) CUTAWAY_CHECK(cutFailing());
    return std::move(m_report);
  }

 private:
  // A node refused what it was fed: whose file, and what was assumed for inputs that nobody gave.
  Error placed(Error error) {
    if (m_request.feeds.empty() && m_request.samples.empty())
      error = session::explainAssumedDims(std::move(error), m_a.session(), m_request.a.dims);
    return m_request.source.path.empty() ? error : atFile(std::move(error), m_request.source.path.string());
  }

  Result<void> compareSample(size_t sample, const std::vector<std::string>& names) {
    CUTAWAY_CHECK(makeFeeds(sample));
    m_report.values.clear();
    for (size_t begin = 0; begin < names.size();) {
      const std::vector<std::string> batch = nextBatch(names, begin);
      if (auto compared = compareBatch(batch); !compared) return fail(placed(std::move(compared).error()));
    }
    return {};
  }

  // What is told of a value over all samples is the worst of each measure.
  void mergeLargest(std::vector<ValueAccuracy>& values, size_t sample, std::vector<ValueAccuracy>& largest) {
    const bool differs = std::ranges::any_of(
        values, [](const ValueAccuracy& value) { return value.outsideTolerance > 0 || !value.problem.empty(); });
    if (differs) m_firstDiffering = std::min(m_firstDiffering, sample);
    if (largest.empty()) {
      largest = std::move(values);
      return;
    }
    for (size_t i = 0; i < std::min(values.size(), largest.size()); ++i) {
      ValueAccuracy& all = largest[i];
      const ValueAccuracy& one = values[i];
      all.maxAbsolute = std::max(all.maxAbsolute, one.maxAbsolute);
      all.maxRelative = std::max(all.maxRelative, one.maxRelative);
      all.rootMeanSquare = std::max(all.rootMeanSquare, one.rootMeanSquare);
      all.cosine = std::min(all.cosine, one.cosine);
      all.elements += one.elements;
      all.nonFiniteMismatches += one.nonFiniteMismatches;
      all.outsideTolerance += one.outsideTolerance;
      if (all.problem.empty()) all.problem = one.problem;
    }
  }

  Result<void> makeFeeds(size_t sample) {
    std::vector<execute::Feed> all = m_request.feeds;
    if (sample < m_request.samples.size())
      all.insert(all.end(), m_request.samples[sample].begin(), m_request.samples[sample].end());
    m_feeds.clear();
    Result<std::vector<execute::Feed>> random =
        session::randomFeeds(m_a.session(), m_request.seed, m_request.a.dims, m_progress.token(), all);
    if (!random) return fail(placed(std::move(random).error()));
    m_feeds = *std::move(random);
    for (const execute::Feed& given : all) {
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

  // Values made by nodes on both sides, in A's execution order. What one step of A makes, a group, has the order in
  // which B makes it.
  std::vector<std::string> commonValues() {
    std::unordered_map<std::string, size_t> placeInB;
    for (const auto& [name, step] : m_b.inOrder())
      placeInB.emplace(name, placeInB.size());
    std::vector<std::pair<std::string, size_t>> common = m_a.inOrder();
    std::erase_if(common, [&](const auto& each) { return m_b.maker(each.first) == nullptr; });
    std::ranges::stable_sort(common, {},
                             [&](const auto& each) { return std::pair(each.second, placeInB[each.first]); });
    std::vector<std::string> names;
    for (auto& [name, step] : common)
      names.push_back(std::move(name));
    m_report.notComparable =
        static_cast<int64_t>(m_a.makers().size() + m_b.makers().size()) - 2 * static_cast<int64_t>(names.size());
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
      if (const double size = m_everyLayer ? sizeOf(*found->second) : 0; size > 0) {
        double& share = m_shares[value.name];
        share = std::max(share, m_report.values.back().rootMeanSquare / size);
      }
    }
    return {};
  }

  ValueAccuracy describe(const std::string& name) const {
    const NodeReport& a = *m_a.maker(name);
    const NodeReport& b = *m_b.maker(name);
    const NodeReport& maker = m_a.isGroup(a) && !m_b.isGroup(b) ? b : a;
    ValueAccuracy accuracy;
    accuracy.value = name;
    accuracy.node = maker.name;
    accuracy.opType = maker.opType;
    accuracy.providerA = a.provider;
    accuracy.providerB = b.provider;
    accuracy.isOutput = m_outputs.contains(name);
    return accuracy;
  }

  void judge() {
    double worst = 0;
    for (size_t i = 0; i < m_report.values.size(); ++i) {
      const ValueAccuracy& value = m_report.values[i];
      const bool differs = value.outsideTolerance > 0 || !value.problem.empty();
      if (differs && m_report.firstDivergence == kNone) m_report.firstDivergence = static_cast<int32_t>(i);
      const double error = !value.problem.empty() || value.nonFiniteMismatches > 0 ? 1e300 : value.maxRelative;
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
            fmt::format("{}: {} is hardware that is not here, and something computed its nodes in its place: the "
                        "vendor's simulator for a plug-in, CPU kernels for a declared profile, which say nothing about "
                        "the accuracy of that hardware",
                        *title, name));
    }
  }

  // The nodes whose results are further apart than what they were given: there the arithmetic differs, and not only the
  // input. Nodes of the side that keeps them apart.
  void tellGrowth() {
    m_report.warnings.emplace_back(
        "every value is an output here, so compilers fuse less than they do for the model itself: without this the "
        "outputs alone are compared, as the model has them");
    const bool bKeepsNodes = std::ranges::any_of(
        m_report.values, [&](const ValueAccuracy& value) { return m_a.isGroup(*m_a.maker(value.value)); });
    const Side& side = bKeepsNodes ? m_b : m_a;
    struct Growth {
      const ValueAccuracy* value = nullptr;
      double given = 0, gives = 0;
    };
    std::vector<Growth> growths;
    for (const ValueAccuracy& value : m_report.values) {
      const NodeReport& node = *side.maker(value.value);
      const auto share = m_shares.find(value.value);
      const bool isSame = value.providerA == value.providerB && !m_request.other;
      if (side.isGroup(node) || isSame || share == m_shares.end()) continue;
      const Growth growth{.value = &value, .given = shareGiven(side, node, 0), .gives = share->second};
      if (growth.gives > growth.given && growth.gives > kLeastShare) growths.push_back(growth);
    }
    std::ranges::stable_sort(growths, std::greater(), [](const Growth& each) { return each.gives - each.given; });
    if (growths.empty()) return;
    std::string text;
    for (size_t i = 0; i < std::min(growths.size(), kMostGrowths); ++i)
      text += fmt::format("{}{} '{}' from {:.1e} to {:.1e}", text.empty() ? "" : ", ", growths[i].value->opType,
                          shortName(growths[i].value->node.empty() ? growths[i].value->value : growths[i].value->node),
                          growths[i].given, growths[i].gives);
    m_report.warnings.push_back(
        fmt::format("the two part most at (root mean square of their difference, as a share of B's values, of the "
                    "worst input and of the "
                    "output): {}",
                    text));
  }

  // How far the inputs of a node are apart; of those that were not compared, how far their maker's inputs are.
  double shareGiven(const Side& side, const NodeReport& node, int depth) const {
    double given = 0;
    for (const int32_t input : node.inputs) {
      if (input == kNone) continue;
      const std::string& name = side.graph().values[static_cast<size_t>(input)].name;
      const auto known = m_shares.find(name);
      if (known != m_shares.end())
        given = std::max(given, known->second);
      else if (const NodeReport* maker = side.maker(name); maker != nullptr && depth < kFarthestBack)
        given = std::max(given, shareGiven(side, *maker, depth + 1));
    }
    return given;
  }

  static constexpr int kFarthestBack = 8;
  static constexpr double kLeastShare = 1e-6;
  static constexpr size_t kMostGrowths = 3;

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
  bool m_everyLayer = false;
  std::unordered_map<std::string, double> m_shares;  // of values: how far they are apart, as a share of B's
  std::unordered_set<std::string> m_outputs = [this] {
    const std::vector<std::string> names = m_a.outputNames();
    return std::unordered_set<std::string>(names.begin(), names.end());
  }();
  std::vector<execute::Feed> m_feeds;
  size_t m_firstDiffering = std::numeric_limits<size_t>::max();  // of the samples
  AccuracyReport m_report;
};

}  // namespace

Result<AccuracyReport> compareConfigurations(const AccuracyRequest& request, const ProviderTable& table,
                                             Progress& progress) {
  const HeapLimit limit(request.a.memoryLimitBytes);  // both sides lie in memory together
  AccuracyRequest asked = request;
  std::string found;
  if (request.other) {
    CUTAWAY_TRY(found, alignSides(asked, progress));
  }
  if (request.everyLayer) {
    CUTAWAY_TRY(asked.source, withEveryLayer(asked.source, request.a, progress));
    if (asked.other) {
      CUTAWAY_TRY(*asked.other, withEveryLayer(*asked.other, request.b, progress));
    }
  }
  CUTAWAY_TRY(Side a, Side::open(asked, false, table, progress));
  CUTAWAY_TRY(Side b, Side::open(asked, true, table, progress));
  Result<AccuracyReport> report =
      Comparison(asked, table, progress, std::move(a), std::move(b), request.everyLayer).run();
  if (report && !found.empty()) report->warnings.insert(report->warnings.begin(), found);
  return report;
}

}  // namespace cutaway::study

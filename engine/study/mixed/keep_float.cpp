#include "engine/study/mixed/keep_float.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "engine/graph/graph_query.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/cure/workpiece.h"
#include "engine/study/difference/match_nodes.h"
#include "engine/tensor/element_numbers.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {
namespace {

using HeldModel = std::shared_ptr<const Model>;
using Outputs = std::vector<execute::Feed>;

// What a slot of a node reads in its place while the node stays float.
struct Replacement {
  size_t slot = 0;
  std::string value;               // of the quantised model; empty: a weight
  const Tensor* weight = nullptr;  // of the float model
  std::string weightName;
};

struct Candidate {
  NodeId node;  // in the typed model
  std::vector<Replacement> inputs;
};

std::optional<std::vector<double>> numbersOf(const RuntimeValue& value) {
  if (!value.isTensor()) return std::nullopt;
  std::vector<double> numbers;
  if (!forEachNumber(value.tensor(), [&](double number) { numbers.push_back(number); })) return std::nullopt;
  return numbers;
}

bool isOperator(const Node& node, std::string_view opType) {
  return node.domain.empty() && node.opType == opType;
}

Result<Model> read(const load::ModelSource& source, Progress& progress) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(source, {}, progress));
  return std::move(loaded.model);
}

Result<Model> typed(const Model& model, const session::SessionOptions& options, Progress& progress) {
  Model copy = model;
  CUTAWAY_TRY(const ResolveReport report, resolve::resolve(copy, {.dims = options.dims, .trace = false}, progress));
  return copy;
}

// The quantised nodes, and what each of them would read in float.
class Places {
 public:
  Places(const Model& exact, const Model& quantised)
      : m_exact(exact),
        m_quantised(quantised),
        m_graphsExact(resolve::describeGraphs(exact)),
        m_graphsQuantised(resolve::describeGraphs(quantised)) {
    const GraphReport& a = m_graphsExact.graphs.front();
    const GraphReport& b = m_graphsQuantised.graphs.front();
    const NodeMatching matching = matchNodes(MatchGraph(a), MatchGraph(b));
    for (size_t node = 0; node < b.nodes.size(); ++node) {
      const NodeReport& made = b.nodes[node];
      if (matching.toA[node] != kNone && !made.outputs.empty() && made.outputs.front() != kNone)
        m_twins.emplace(b.values[static_cast<size_t>(made.outputs.front())].name, matching.toA[node]);
    }
  }

  std::vector<Candidate> all() const {
    std::vector<Candidate> found;
    const Graph& graph = m_quantised.graph;
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (isOperator(node, "QuantizeLinear") || isOperator(node, "DequantizeLinear")) continue;
      Candidate candidate{.node = id, .inputs = {}};
      for (size_t slot = 0; slot < node.inputs.size(); ++slot)
        if (std::optional<Replacement> input = before(node, slot)) candidate.inputs.push_back(*std::move(input));
      if (!candidate.inputs.empty()) found.push_back(std::move(candidate));
    }
    return found;
  }

 private:
  std::optional<Replacement> before(const Node& node, size_t slot) const {
    const Graph& graph = m_quantised.graph;
    const ValueId input = node.inputs[slot];
    const NodeId maker = input.valid() ? graph.value(input).producer : NodeId();
    if (!maker.valid() || !isOperator(graph.node(maker), "DequantizeLinear")) return std::nullopt;
    const ValueId steps = graph.node(maker).inputs.front();
    if (constantOf(graph, steps) != nullptr) return weightBefore(node, slot);
    const NodeId rounder = graph.value(steps).producer;
    if (!rounder.valid() || !isOperator(graph.node(rounder), "QuantizeLinear")) return std::nullopt;
    return Replacement{.slot = slot, .value = graph.value(graph.node(rounder).inputs.front()).name, .weightName = {}};
  }

  std::optional<Replacement> weightBefore(const Node& node, size_t slot) const {
    const auto twin = m_twins.find(m_quantised.graph.value(node.outputs.front()).name);
    if (twin == m_twins.end()) return std::nullopt;
    const GraphReport& graph = m_graphsExact.graphs.front();
    const NodeReport& exact = graph.nodes[static_cast<size_t>(twin->second)];
    if (slot >= exact.inputs.size() || exact.inputs[slot] == kNone) return std::nullopt;
    const std::string& name = graph.values[static_cast<size_t>(exact.inputs[slot])].name;
    const Tensor* const weight = constantOf(m_exact.graph, m_exact.graph.findValue(name));
    if (weight == nullptr || weight->type() != ElementType::kFloat) return std::nullopt;
    return Replacement{.slot = slot, .value = {}, .weight = weight, .weightName = name};
  }

  const Model& m_exact;
  const Model& m_quantised;
  ModelGraphs m_graphsExact, m_graphsQuantised;
  std::map<std::string, int32_t> m_twins;  // first output of a quantised node: its node in the float model
};

class Search {
 public:
  Search(const MixedRequest& request, const ProviderTable& table, Progress& progress, Model exact, Model quantised)
      : m_request(request),
        m_table(table),
        m_progress(progress),
        m_exact(std::make_shared<const Model>(std::move(exact))),
        m_quantised(std::make_shared<const Model>(std::move(quantised))) {}

  Result<MixedModel> run() {
    CUTAWAY_TRY(m_exactTyped, typed(*m_exact, m_request.options, m_progress));
    CUTAWAY_TRY(m_typed, typed(*m_quantised, m_request.options, m_progress));
    m_candidates = Places(m_exactTyped, m_typed).all();
    if (m_candidates.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "no node of the quantised model reads a DequantizeLinear: only models with QuantizeLinear and "
                  "DequantizeLinear around their nodes can keep some of them float");
    CUTAWAY_CHECK(runExact());
    MixedReport& report = m_mixed.report;
    report.goal = m_request.goal;
    CUTAWAY_TRY(report.quantisedError, errorOf(m_quantised));
    report.mixedError = report.quantisedError;
    m_mixed.model = m_quantised;
    CUTAWAY_CHECK(tryEach());
    CUTAWAY_CHECK(keepTogether());
    return std::move(m_mixed);
  }

 private:
  Result<std::unique_ptr<session::Session>> open(const HeldModel& model) {
    session::SessionOptions options = m_request.options;
    options.lastStage = Stage::kPattern;
    options.prepareRun = true;
    Progress quiet(m_progress.token());
    return session::Session::create(load::ModelSource::loaded(model), options, m_table, quiet);
  }

  Result<void> runExact() {
    CUTAWAY_TRY(const auto session, open(m_exact));
    CUTAWAY_TRY(m_feeds, session::randomFeeds(*session, m_request.seed, m_request.options.dims, m_progress.token(),
                                              m_request.feeds));
    std::ranges::copy(m_request.feeds, std::back_inserter(m_feeds));
    CUTAWAY_TRY(execute::RunResult result, session->run(m_feeds, {.cancel = m_progress.token()}));
    m_expected = std::move(result.outputs);
    return {};
  }

  // Outputs are those in the same place.
  Result<double> errorOf(const HeldModel& model) {
    if (m_progress.cancelled()) return fail(cancelledError());
    CUTAWAY_TRY(const auto session, open(model));
    for (const execute::NamedType& input : session->inputs())
      if (std::ranges::find(m_feeds, input.name, &execute::Feed::name) == m_feeds.end())
        return fail(ErrorCode::kInvalidArgument,
                    "the quantised model asks for the input '{}', which the float model has not: they cannot be run on "
                    "the same numbers",
                    input.name);
    CUTAWAY_TRY(const execute::RunResult result, session->run(m_feeds, {.cancel = m_progress.token()}));
    if (result.outputs.size() != m_expected.size())
      return fail(ErrorCode::kInvalidArgument, "the models have {} and {} outputs", m_expected.size(),
                  result.outputs.size());
    double worst = 0;
    for (size_t i = 0; i < m_expected.size(); ++i) {
      const auto expected = numbersOf(m_expected[i].value), got = numbersOf(result.outputs[i].value);
      if (!expected || !got || expected->size() != got->size())
        return fail(ErrorCode::kInvalidArgument,
                    "output '{}' of the float model and '{}' of the quantised one are not "
                    "numbers of the same shape",
                    m_expected[i].name, result.outputs[i].name);
      worst = std::max(worst, share(*expected, *got));
    }
    return worst;
  }

  static double share(const std::vector<double>& expected, const std::vector<double>& got) {
    double apart = 0, size = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      apart += (got[i] - expected[i]) * (got[i] - expected[i]);
      size += expected[i] * expected[i];
    }
    if (std::isnan(apart) || std::isnan(size)) return std::numeric_limits<double>::infinity();
    return apart == 0 ? 0 : std::sqrt(apart / std::max(size, std::numeric_limits<double>::min()));
  }

  HeldModel with(const std::vector<size_t>& kept) const {
    static const std::vector<RefusedNode> kNothingRefused;
    static const std::map<std::string, int64_t> kNoSizes;
    const CureContext context{.model = *m_quantised, .typed = m_typed, .refused = kNothingRefused, .sizes = kNoSizes};
    Workpiece piece(context);
    std::map<std::string, ValueId> weights;
    for (const size_t number : kept) {
      const NodeId node = piece.find(m_typed.graph, m_candidates[number].node);
      if (!node.valid()) continue;
      for (const Replacement& input : m_candidates[number].inputs) {
        ValueId value;
        if (input.weight == nullptr) {
          value = piece.graph().findValue(input.value);
        } else {
          ValueId& made = weights[input.weightName];
          if (!made.valid()) made = piece.constant(input.weightName, *input.weight);
          value = made;
        }
        if (value.valid()) piece.graph().setNodeInput(node, input.slot, value);
      }
    }
    return std::make_shared<const Model>(piece.finish());
  }

  Result<void> tryEach() {
    MixedReport& report = m_mixed.report;
    m_progress.begin("Keep float", fmt::format("{} quantised nodes", m_candidates.size()));
    for (size_t i = 0; i < m_candidates.size(); ++i) {
      CUTAWAY_TRY(const double alone, errorOf(with({i})));
      const Node& node = m_typed.graph.node(m_candidates[i].node);
      report.nodes.push_back({.node = node.name, .opType = operatorName(node), .alone = alone});
      m_order.push_back(i);
      ++report.runs;
      m_progress.update(i + 1, m_candidates.size());
    }
    std::ranges::stable_sort(m_order, {}, [&](size_t i) { return report.nodes[i].alone; });
    std::vector<MixedNode> ordered;
    for (const size_t i : m_order)
      ordered.push_back(std::move(report.nodes[i]));
    report.nodes = std::move(ordered);
    return {};
  }

  Result<void> keepTogether() {
    MixedReport& report = m_mixed.report;
    std::vector<size_t> kept;
    for (size_t place = 0; place < m_order.size() && !report.reached() && report.kept < m_request.mostKept; ++place) {
      kept.push_back(m_order[place]);
      const HeldModel model = with(kept);
      CUTAWAY_TRY(const double error, errorOf(model));
      ++report.runs;
      if (error >= report.mixedError) {
        kept.pop_back();
        continue;
      }
      report.nodes[place].together = report.mixedError = error;
      m_mixed.model = model;
      ++report.kept;
    }
    return {};
  }

  const MixedRequest& m_request;
  const ProviderTable& m_table;
  Progress& m_progress;
  HeldModel m_exact, m_quantised;
  Model m_exactTyped, m_typed;
  std::vector<Candidate> m_candidates;
  std::vector<size_t> m_order;  // candidates, the least error alone first
  Outputs m_feeds, m_expected;
  MixedModel m_mixed;
};

}  // namespace

Result<MixedModel> keepFloat(const MixedRequest& request, const ProviderTable& table, Progress& progress) {
  const HeapLimit limit(request.options.memoryLimitBytes);
  CUTAWAY_TRY(Model exact, read(request.exact, progress));
  CUTAWAY_TRY(Model quantised, read(request.quantised, progress));
  return Search(request, table, progress, std::move(exact), std::move(quantised)).run();
}

}  // namespace cutaway::study

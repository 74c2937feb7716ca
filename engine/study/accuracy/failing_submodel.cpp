#include "engine/study/accuracy/failing_submodel.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/new_file.h"
#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/provider/group_builder.h"
#include "engine/stages/load/save.h"
#include "engine/stages/load/tensor_file.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::study {
namespace {

using Values = std::unordered_map<std::string, RuntimeValue>;

// Cones of more nodes than this are taken as they are: each step is a session on both sides.
constexpr size_t kMostDepths = 24;

class Search {
 public:
  Search(const FailingSearch& search, const ProviderTable& table, Progress& progress)
      : m_search(search), m_table(table), m_progress(progress) {}

  Result<std::optional<FailingSubmodel>> run() {
    CUTAWAY_CHECK(loadModel());
    if (!m_model.graph.findValue(m_search.divergent).valid()) return std::optional<FailingSubmodel>();
    CUTAWAY_CHECK(findReferenceValues());
    std::string target = m_search.divergent;
    if (!differs(m_cut, target)) {
      if (m_cutInputs.empty()) return std::optional<FailingSubmodel>();
      m_cutInputs.clear();  // the nearest agreeing values are too near: from the model's inputs, then
      CUTAWAY_CHECK(findReferenceValues());
      if (!differs(m_cut, target)) return std::optional<FailingSubmodel>();
    }
    target = firstInnerDivergence().value_or(target);
    return smallestCone(target);
  }

 private:
  Result<void> loadModel() {
    CUTAWAY_TRY(load::LoadResult loaded, load::load(m_search.request.source, {}, m_progress));
    m_model = std::move(loaded.model);
    CUTAWAY_TRY(const ResolveReport resolved,
                resolve::resolve(m_model, {.dims = m_search.request.a.dims, .trace = false}, m_progress));
    const Graph& graph = m_model.graph;
    // The cut stops at agreeing values, but not at the divergent one itself.
    for (const std::string& name : m_search.agreeing) {
      if (name != m_search.divergent && graph.findValue(name).valid()) m_cutInputs.push_back(name);
    }
    return {};
  }

  // The part between m_cutInputs and the divergent value, and A's values on its border and inside.
  Result<void> findReferenceValues() {
    CUTAWAY_CHECK(notCancelled());
    keepNeededInputs();
    const std::string& divergent = m_search.divergent;
    CUTAWAY_TRY(m_cut, cutSubmodel(m_model, m_cutInputs, {&divergent, 1}));
    m_values.clear();
    for (const execute::Feed& feed : m_search.feeds)
      m_values[feed.name] = feed.value;
    if (!m_cutInputs.empty()) CUTAWAY_CHECK(addValuesOf(m_cutInputs, {}));
    return {};
  }

  // Of all agreeing values only those that the divergent one reads through disagreeing ones.
  void keepNeededInputs() {
    const Graph& graph = m_model.graph;
    std::vector<char> isStop(graph.valueSlots(), 0), seen(graph.valueSlots(), 0);
    for (const std::string& name : m_cutInputs)
      isStop[graph.findValue(name).index()] = 1;
    std::vector<std::string> needed;
    std::vector<ValueId> open{graph.findValue(m_search.divergent)};
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (!id.valid() || seen[id.index()]) continue;
      seen[id.index()] = 1;
      if (isStop[id.index()]) {
        needed.push_back(graph.value(id).name);
        continue;
      }
      if (!graph.value(id).producer.valid()) continue;
      const Node& node = graph.node(graph.value(id).producer);
      open.insert(open.end(), node.inputs.begin(), node.inputs.end());
      open.insert(open.end(), node.implicitInputs.begin(), node.implicitInputs.end());
    }
    std::sort(needed.begin(), needed.end());
    m_cutInputs = std::move(needed);
  }

  // A's values of these names: they become outputs of the part of the model that makes them.
  Result<void> addValuesOf(const std::vector<std::string>& names, const std::vector<std::string>& inputs) {
    CUTAWAY_TRY(Submodel part, cutSubmodel(m_model, inputs, names));
    CUTAWAY_TRY(Values made, runOn(part.model, m_search.request.a));
    for (auto& [name, value] : made)
      m_values[name] = std::move(value);
    return {};
  }

  Result<Values> runOn(const Model& model, session::SessionOptions options) {
    options.lastStage = Stage::kPattern;
    options.prepareRun = true;
    CUTAWAY_TRY(auto session, session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(model)),
                                                       options, m_table, m_progress));
    std::vector<execute::Feed> feeds;
    for (const execute::NamedType& input : session->inputs()) {
      const auto found = m_values.find(input.name);
      if (found != m_values.end()) feeds.push_back({input.name, found->second});
    }
    execute::RunOptions run;
    run.cancel = m_progress.token();
    CUTAWAY_TRY(execute::RunResult result, session->run(feeds, run));
    Values values;
    for (execute::Feed& output : result.outputs)
      values[output.name] = std::move(output.value);
    return values;
  }

  // Do the sides disagree on this part alone? A side that cannot run it does not count as disagreeing.
  bool differs(const Submodel& part, const std::string& output) {
    const Result<Values> a = runOn(part.model, m_search.request.a);
    const Result<Values> b = runOn(part.model, m_search.request.b);
    return a && b && a->contains(output) && b->contains(output) && isApart(a->at(output), b->at(output));
  }

  bool isApart(const RuntimeValue& a, const RuntimeValue& b) const {
    ValueAccuracy accuracy;
    measureError(a, b, m_search.request.tolerance, accuracy);
    return accuracy.outsideTolerance > 0 || !accuracy.problem.empty();
  }

  // Values inside the cut, in topological order, all made outputs: the first that differs.
  std::optional<std::string> firstInnerDivergence() {
    const Graph& graph = m_cut.model.graph;
    std::vector<std::string> inner;
    const Result<std::vector<NodeId>> order = topologicalOrder(graph);
    if (!order) return std::nullopt;
    for (const NodeId id : *order) {
      for (const ValueId output : graph.node(id).outputs) {
        if (output.valid()) inner.push_back(graph.value(output).name);
      }
    }
    const Result<Submodel> exposed = cutSubmodel(m_model, m_cutInputs, inner);
    if (!exposed) return std::nullopt;
    const Result<Values> a = runOn(exposed->model, m_search.request.a);
    const Result<Values> b = runOn(exposed->model, m_search.request.b);
    if (!a || !b) return std::nullopt;
    for (const auto& [name, value] : *a)
      m_values[name] = value;
    for (const std::string& name : inner) {
      if (a->contains(name) && b->contains(name) && isApart(a->at(name), b->at(name))) return name;
    }
    return std::nullopt;
  }

  // Nodes that make the target within `depth` steps, inside the cut.
  std::vector<std::string> coneInputs(const std::string& target, size_t depth, size_t& nodes) const {
    const Graph& graph = m_cut.model.graph;
    std::vector<char> seen(graph.nodeSlots(), 0);
    std::vector<NodeId> level{graph.value(graph.findValue(target)).producer}, all;
    seen[level.front().index()] = 1;
    for (size_t step = 0; step < depth && !level.empty(); ++step) {
      all.insert(all.end(), level.begin(), level.end());
      std::vector<NodeId> above;
      for (const NodeId id : level) {
        for (const ValueId value : graph.node(id).inputs) {
          const NodeId producer = value.valid() ? graph.value(value).producer : NodeId{};
          if (!producer.valid() || seen[producer.index()]) continue;
          seen[producer.index()] = 1;
          above.push_back(producer);
        }
      }
      level = std::move(above);
    }
    nodes = all.size();
    std::vector<std::string> inputs;
    for (const ValueId value : borderOf(graph, all, false).inputs)
      inputs.push_back(graph.value(value).name);
    return inputs;
  }

  Result<std::optional<FailingSubmodel>> smallestCone(const std::string& target) {
    size_t before = 0;
    for (size_t depth = 1; depth <= kMostDepths; ++depth) {
      CUTAWAY_CHECK(notCancelled());
      size_t nodes = 0;
      const std::vector<std::string> inputs = coneInputs(target, depth, nodes);
      if (nodes == before) break;  // the whole cut
      before = nodes;
      const bool known =
          std::all_of(inputs.begin(), inputs.end(), [&](const std::string& name) { return m_values.contains(name); });
      if (!known) continue;
      const Result<Submodel> part = cutSubmodel(m_model, inputs, {&target, 1});
      if (part && differs(*part, target)) return describe(*part, target);
    }
    const Result<Submodel> whole = cutSubmodel(m_model, m_cutInputs, {&target, 1});
    if (whole && differs(*whole, target)) return describe(*whole, target);
    // An inner value may differ only while it is an output; the value that was seen to differ always does.
    return target == m_search.divergent ? describe(m_cut, target) : smallestCone(m_search.divergent);
  }

  Result<std::optional<FailingSubmodel>> describe(const Submodel& part, const std::string& target) {
    FailingSubmodel failing{.model = part.model, .inputs = {}, .outputs = {}, .nodes = {}, .output = target};
    const Graph& graph = part.model.graph;
    for (const ValueId input : graph.inputs()) {
      const auto found = m_values.find(graph.value(input).name);
      if (found != m_values.end()) failing.inputs.push_back({found->first, found->second});
    }
    for (const NodeId id : graph.nodeIds())
      failing.nodes.push_back(nodeName(graph, id));
    CUTAWAY_TRY(Values made, runOn(part.model, m_search.request.a));
    for (const ValueId output : graph.outputs())
      failing.outputs.push_back({graph.value(output).name, made[graph.value(output).name]});
    return std::optional<FailingSubmodel>(std::move(failing));
  }

  Result<void> notCancelled() const {
    if (m_progress.cancelled()) return fail(cancelledError());
    return {};
  }

  const FailingSearch& m_search;
  const ProviderTable& m_table;
  Progress& m_progress;
  Model m_model;
  std::vector<std::string> m_cutInputs;
  Submodel m_cut;
  Values m_values;  // A's
};

}  // namespace

Result<std::optional<FailingSubmodel>> findFailingSubmodel(const FailingSearch& search, const ProviderTable& table,
                                                           Progress& progress) {
  return Search(search, table, progress).run();
}

Result<void> saveFailingSubmodel(const FailingSubmodel& failing, const std::filesystem::path& folder) {
  const std::filesystem::path set = folder / "test_data_set_0";
  std::error_code made;
  std::filesystem::create_directories(folder, made);
  if (made) return fail(writeFailure(folder, made.value(), 0));
  CUTAWAY_CHECK(load::save(failing.model, folder / "model.onnx", {}));
  std::filesystem::create_directories(set, made);
  if (made) return fail(writeFailure(set, made.value(), 0));
  for (size_t i = 0; i < failing.inputs.size(); ++i) {
    CUTAWAY_CHECK(load::writeTensorFile(set / fmt::format("input_{}.pb", i), failing.inputs[i].name,
                                        failing.inputs[i].value, load::TensorFileFormat::kPb));
  }
  for (size_t i = 0; i < failing.outputs.size(); ++i) {
    CUTAWAY_CHECK(load::writeTensorFile(set / fmt::format("output_{}.pb", i), failing.outputs[i].name,
                                        failing.outputs[i].value, load::TensorFileFormat::kPb));
  }
  return {};
}

}  // namespace cutaway::study

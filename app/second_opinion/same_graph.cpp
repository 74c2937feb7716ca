#include <algorithm>
#include <optional>

#include "app/second_opinion/asking.h"
#include "app/second_opinion/optimizer_passes.h"
#include "app/second_opinion/profile_events.h"
#include "providers/onnxruntime/client/log_facts.h"

namespace cutaway::opinion {

namespace ort = onnxruntime;

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

}  // namespace cutaway::opinion

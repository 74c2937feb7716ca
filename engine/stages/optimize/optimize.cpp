// Drives the passes: every pass over every graph, bodies before the graph around them, again until nothing changes.
//
// A pass looks at each node once and again only at nodes near a change, so that the work is proportional to the graph
// plus the changes.

#include "engine/stages/optimize/optimize.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "engine/base/clock.h"
#include "engine/base/input_budget.h"
#include "engine/base/span_log.h"
#include "engine/graph/doing_node.h"
#include "engine/graph/topology.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/folding_room.h"
#include "engine/stages/optimize/gradient/expand_gradients.h"
#include "engine/stages/optimize/graph_pass.h"
#include "engine/stages/optimize/layouts/expand_layouts.h"
#include "engine/stages/optimize/plugin_passes.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway::optimize {

namespace {

constexpr int kMaxRounds = 10;
constexpr size_t kNodesBetweenChecks = 64;

struct GraphPlace {
  Graph* graph = nullptr;
  int32_t parent = -1;  // in the list of places
  NodeId parentNode;
};

std::vector<GraphPlace> graphPlaces(Graph& root) {
  std::vector<GraphPlace> places{{&root, -1, {}}};
  for (size_t i = 0; i < places.size(); ++i) {
    Graph& graph = *places[i].graph;
    for (size_t n = 0; n < graph.nodeSlots(); ++n) {
      Node& node = graph.mutableNode(NodeId{n});
      if (!node.removed)
        forEachBody(node, [&](const std::string&, Graph& body) {
          places.push_back({&body, static_cast<int32_t>(i), NodeId{n}});
        });
    }
  }
  return places;
}

// When each node last changed, counted in edits, so that later rounds know what is new.
struct ChangeLog {
  std::vector<uint64_t> changedAt;
  uint64_t capturesChangedAt = 0;  // of a body, and so of those within it
  void touch(NodeId id, uint64_t now) {
    if (id.index() >= changedAt.size()) changedAt.resize(id.index() + 1, 0);
    changedAt[id.index()] = now;
  }
  uint64_t at(NodeId id) const { return id.index() < changedAt.size() ? changedAt[id.index()] : 0; }
};

class Optimizer {
 public:
  Optimizer(Model& model, const OptimizeOptions& options, Progress& progress, OptimizeReport& report)
      : m_model(model), m_options(options), m_progress(progress), m_report(report) {
    const std::vector<const Graph*> order = resolve::graphsInReportOrder(model);
    for (size_t i = 0; i < order.size(); ++i)
      m_graphIndex.emplace(order[i], static_cast<int32_t>(i));
  }

  Result<void> run() {
    limitFolding();
    m_report.level = m_options.level;
    m_report.nodesBefore = countNodes();
    CUTAWAY_CHECK(expandAll());
    const std::vector<GraphPass> added = pluginPasses();
    std::vector<const GraphPass*> pipeline(passPipeline().begin(), passPipeline().end());
    for (const GraphPass& each : added)
      pipeline.push_back(&each);
    std::vector<bool> active(pipeline.size());
    for (size_t p = 0; p < pipeline.size(); ++p) {
      const GraphPass& pass = *pipeline[p];
      PassReport& report = m_report.passes.emplace_back();
      report.name = pass.name;
      report.purpose = pass.purpose;
      report.level = pass.level;
      active[p] = pass.level <= m_options.level && !m_options.disabled.contains(std::string(pass.name));
      report.skipped = !active[p];
    }
    m_lastRun.assign(pipeline.size(), 0);
    if (m_options.level > 0) dropUnusedConstants();
    for (int round = 0; round < kMaxRounds; ++round) {
      int64_t rewrites = 0;
      for (size_t p = 0; p < pipeline.size(); ++p) {
        if (!active[p]) continue;
        CUTAWAY_TRY(const int64_t made, runPass(*pipeline[p], p));
        rewrites += made;
      }
      if (rewrites == 0) break;
    }
    for (PassReport& each : m_expansions)
      m_report.passes.push_back(std::move(each));
    compactAll();
    m_report.nodesAfter = countNodes();
    return {};
  }

 private:
  int64_t countNodes() const {
    int64_t count = 0;
    forEachGraph(std::as_const(m_model.graph),
                 [&](const Graph& graph) { count += static_cast<int64_t>(graph.nodeCount()); });
    return count;
  }

  // Not passes: whatever the level, nobody can run these nodes as they stand.
  Result<void> expandAll() {
    Stopwatch watch;
    int64_t before = m_report.nodesBefore;
    CUTAWAY_TRY(std::vector<Expansion> layouts, expandLayouts(m_model, m_progress, m_report.warnings));
    tellExpansions("LayoutExpansion",
                   "writes nodes in layouts of onnxruntime's optimiser (channels in blocks, channels last) as the "
                   "ordinary operators they stand for",
                   std::move(layouts), before, watch.elapsedNs());
    watch.restart();
    before = countNodes();
    CUTAWAY_TRY(std::vector<Expansion> gradients, expandGradients(m_model, m_progress));
    tellExpansions("GradientExpansion", "writes the derivatives that a Gradient asks for as ordinary operators",
                   std::move(gradients), before, watch.elapsedNs());
    return {};
  }

  void tellExpansions(const char* name, const char* purpose, std::vector<Expansion> expansions, int64_t nodesBefore,
                      int64_t timeNs) {
    if (expansions.empty()) return;
    PassReport& pass = m_expansions.emplace_back();
    pass.name = name;
    pass.purpose = purpose;
    pass.rounds = 1;
    pass.rewrites = static_cast<int64_t>(expansions.size());
    pass.nodesBefore = nodesBefore;
    pass.nodesAfter = countNodes();
    pass.timeNs = timeNs;
    for (Expansion& each : expansions) {
      RewriteReport& rewrite = m_report.rewrites.emplace_back();
      rewrite.pass = pass.name;
      rewrite.note = std::move(each.note);
      const auto known = m_graphIndex.find(each.graph);
      rewrite.graph = known == m_graphIndex.end() ? 0 : known->second;
      for (const OriginId origin : each.origins)
        rewrite.origins.push_back(static_cast<int32_t>(origin.index()));
      rewrite.removed.push_back(each.node);
      rewrite.added = std::move(each.added);
    }
  }

  void dropUnusedConstants() {
    forEachGraph(m_model.graph, [](Graph& graph) {
      for (const ValueId id : graph.initializers()) {
        const Value& value = graph.value(id);
        if (value.uses.empty() && value.outputCount == 0 && !value.isInput) {
          graph.clearInitializer(id);
          graph.removeValue(id);
        }
      }
    });
  }

  Result<int64_t> runPass(const GraphPass& pass, size_t index) {
    PassReport& report = m_report.passes[index];
    const SpanScope span(pass.name);
    Stopwatch watch;
    m_progress.begin("Optimize", pass.name);
    const int64_t nodesBefore = countNodes();
    const uint64_t since = m_lastRun[index];
    m_lastRun[index] = ++m_edits;
    limitFolding();
    std::vector<GraphPlace> places = graphPlaces(m_model.graph);
    // Contexts know the graph around them, for constants.
    std::deque<PassContext> contexts;
    for (const GraphPlace& place : places)
      contexts.emplace_back(m_model, *place.graph, place.parent < 0 ? nullptr : &contexts[place.parent], m_options);
    std::vector<uint64_t> capturesChangedAt;
    for (const GraphPlace& place : places)
      capturesChangedAt.push_back(
          std::max(m_changes[place.graph].capturesChangedAt, place.parent < 0 ? 0 : capturesChangedAt[place.parent]));
    int64_t rewrites = 0;
    for (size_t i = places.size(); i-- > 0;) {
      const uint64_t news = capturesChangedAt[i] >= since ? 0 : since;
      CUTAWAY_TRY(const int64_t made, runOnGraph(pass, *places[i].graph, contexts[i], news));
      rewrites += made;
      if (made == 0) continue;
      CUTAWAY_CHECK(verify(pass, *places[i].graph));
      rebindCaptures(places, i);
    }
    if (report.rounds == 0) report.nodesBefore = report.nodesAfter = nodesBefore;
    ++report.rounds;
    report.rewrites += rewrites;
    report.nodesAfter += countNodes() - nodesBefore;
    report.timeNs += watch.elapsedNs();
    return rewrites;
  }

  Result<int64_t> runOnGraph(const GraphPass& pass, Graph& graph, const PassContext& context, uint64_t since) {
    ChangeLog& log = m_changes[&graph];
    m_openInput.clear();
    CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(graph));
    std::deque<NodeId> work;
    std::vector<bool> waiting(graph.nodeSlots());
    const auto push = [&](NodeId id) {
      if (id.index() >= waiting.size()) waiting.resize(graph.nodeSlots());
      if (graph.node(id).removed || waiting[id.index()]) return;
      waiting[id.index()] = true;
      work.push_back(id);
    };
    for (const NodeId id : order) {
      if (pass.wholeGraph || since == 0 || log.at(id) >= since) push(id);
    }
    int64_t rewrites = 0;
    size_t count = 0;
    while (!work.empty()) {
      if (++count % kNodesBetweenChecks == 0 && m_progress.cancelled()) return fail(cancelledError());
      const NodeId id = work.front();
      work.pop_front();
      waiting[id.index()] = false;
      if (graph.node(id).removed) continue;
      const DoingNode doing(graph, id);
      std::optional<GraphPatch> patch = pass.propose(context, id);
      if (!patch) continue;
      CUTAWAY_TRY(const std::vector<NodeId> near, apply(pass, graph, context, *std::move(patch)));
      ++rewrites;
      ++m_edits;
      for (const NodeId each : near) {
        if (graph.node(each).removed) continue;
        log.touch(each, m_edits);
        forEachBody(graph.node(each), [&](const std::string&, const Graph& body) {
          m_changes[&body].capturesChangedAt = m_edits;  // they may be constants now
        });
        push(each);
      }
    }
    return rewrites;
  }

  void limitFolding() {
    if (m_options.foldingLimitBytes == 0) return;  // the user wants none
    m_options.foldingLimitBytes = std::min(m_options.foldingLimitBytes, m_foldingRoom.bytes());
    m_options.foldingLimitOperations = std::min(m_options.foldingLimitOperations, m_foldingRoom.operations());
  }

  // Applies a patch; gives the nodes whose surroundings changed.
  Result<std::vector<NodeId>> apply(const GraphPass& pass, Graph& graph, const PassContext& context, GraphPatch patch) {
    RewriteReport rewrite;
    rewrite.pass = pass.name;
    rewrite.note = patch.note;
    const auto known = m_graphIndex.find(&graph);
    rewrite.graph = known == m_graphIndex.end() ? 0 : known->second;
    for (const NodeId id : patch.removeNodes)
      rewrite.removed.push_back(context.label(id));
    m_report.foldedBytes += m_foldingRoom.take(graph, patch);
    limitFolding();
    const bool folds = patch.addNodes.empty() && !patch.addInitializers.empty();
    std::vector<NodeId> near = neighbours(graph, patch);
    std::vector<const Graph*> bodiesBefore;
    for (const NodeId id : patch.removeNodes)
      std::ranges::copy(bodiesOf(graph.node(id)), std::back_inserter(bodiesBefore));
    auto applied = applyPatch(graph, std::move(patch), pass.name);
    if (!applied) {
      Error error = std::move(applied).error();
      error.message = fmt::format("the pass {} proposed a wrong edit: {}", pass.name, error.message);
      return fail(std::move(error));
    }
    std::vector<const Graph*> bodiesAfter;
    for (const NodeId id : applied->added)
      std::ranges::copy(bodiesOf(graph.node(id)), std::back_inserter(bodiesAfter));
    followBodies(bodiesBefore, bodiesAfter);
    for (const NodeId id : applied->added) {
      settle(graph, id);
      rewrite.added.push_back(context.label(id));
      near.push_back(id);
      for (const ValueId output : graph.node(id).outputs) {
        if (!output.valid()) continue;
        for (const Use& use : graph.value(output).uses)
          near.push_back(use.node);
      }
    }
    for (const OriginId origin : applied->origins)
      rewrite.origins.push_back(static_cast<int32_t>(origin.index()));
    m_report.rewrites.push_back(std::move(rewrite));
    std::erase_if(near, [&](NodeId id) { return graph.node(id).removed; });
    if (folds) {
      for (const NodeId id : near)
        inferFromConstants(graph, id, context);
    }
    return near;
  }

  // What was computed a moment before may be the shape that a node was waiting for, such as the target of an Expand.
  // Only where all of its inputs are constants: it is computed itself once the size of its result is known.
  void inferFromConstants(Graph& graph, NodeId id, const PassContext& context) {
    const Node& node = graph.node(id);
    if (!readsConstants(node, id, context)) return;
    const auto isOpen = [&](ValueId output) {
      const std::optional<Shape>& shape = graph.value(output).type.shape;
      return !shape || !shape->staticDims();
    };
    if (node.hasBodies() ||
        !std::ranges::any_of(node.outputs, [&](ValueId each) { return each.valid() && isOpen(each); }))
      return;
    PartialData partial;
    std::vector<InferenceWarning> warnings;  // resolve has told them, and kernels will
    static_cast<void>(inferNode(m_model, graph, id, {}, partial, warnings));
  }

  // Asked again after each fold of an input: goes on where it ended the last time, and looks at all of them before it
  // says yes.
  bool readsConstants(const Node& node, NodeId id, const PassContext& context) {
    size_t& open = m_openInput[id.index()];
    const auto isConstant = [&](ValueId each) { return !each.valid() || context.constant(each) != nullptr; };
    const auto firstOpen = [&](size_t from) {
      const auto begin = node.inputs.begin() + static_cast<std::ptrdiff_t>(std::min(from, node.inputs.size()));
      return static_cast<size_t>(std::find_if_not(begin, node.inputs.end(), isConstant) - node.inputs.begin());
    };
    open = firstOpen(open);
    if (open == node.inputs.size()) open = firstOpen(0);
    return open == node.inputs.size();
  }

  // The bodies of a node and those within them.
  static std::vector<const Graph*> bodiesOf(const Node& node) {
    std::vector<const Graph*> bodies;
    forEachBody(node, [&](const std::string&, const Graph& body) {
      forEachGraph(body, [&](const Graph& graph) { bodies.push_back(&graph); });
    });
    return bodies;
  }

  // Bodies that a rewrite took over keep their places in the report; of those that are gone nothing is kept, as their
  // addresses may be others' soon.
  void followBodies(std::span<const Graph* const> before, std::span<const Graph* const> after) {
    std::vector<int32_t> places;
    for (const Graph* body : before) {
      const auto known = m_graphIndex.find(body);
      places.push_back(known == m_graphIndex.end() ? 0 : known->second);
      m_graphIndex.erase(body);
      m_changes.erase(body);
    }
    for (size_t i = 0; i < after.size() && after.size() == before.size(); ++i)
      m_graphIndex[after[i]] = places[i];
  }

  // Makers of what removed nodes read, readers of what they made and of what is replaced.
  static std::vector<NodeId> neighbours(const Graph& graph, const GraphPatch& patch) {
    std::vector<NodeId> near;
    const auto addReaders = [&](ValueId id) {
      for (const Use& use : graph.value(id).uses)
        near.push_back(use.node);
    };
    for (const NodeId id : patch.removeNodes) {
      const Node& node = graph.node(id);
      for (const auto* list : {&node.inputs, &node.implicitInputs}) {
        for (const ValueId input : *list) {
          if (input.valid() && graph.value(input).producer.valid()) near.push_back(graph.value(input).producer);
        }
      }
      for (const ValueId output : node.outputs) {
        if (output.valid()) addReaders(output);
      }
    }
    for (const auto& [from, to] : patch.replaceValues) {
      addReaders(from);
      if (graph.value(to).producer.valid()) near.push_back(graph.value(to).producer);
    }
    return near;
  }

  // A new node gets its versions and the types of what it makes.
  void settle(Graph& graph, NodeId id) {
    Node& node = graph.mutableNode(id);
    if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(m_model.opsets, node.domain));
    if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(newestOpset(node.domain));
    PartialData partial;
    std::vector<InferenceWarning> warnings;
    if (auto inferred = inferNode(m_model, graph, id, {}, partial, warnings); !inferred)
      m_report.warnings.push_back(describe(inferred.error()));
  }

  Result<void> verify(const GraphPass& pass, const Graph& graph) const {
    const auto broken = [&](std::string_view what) {
      return fail(ErrorCode::kFail, "the pass {} broke the graph '{}': {}", pass.name, graph.name(), what);
    };
    if (!topologicalOrder(graph)) return broken("it has a cycle");
    for (size_t i = 0; i < graph.valueSlots(); ++i) {
      const Value& value = graph.value(ValueId{i});
      if (value.removed || (value.uses.empty() && value.outputCount == 0)) continue;
      if (!value.producer.valid() && !value.isInput && !value.initializer && !value.outerScope)
        return broken(fmt::format("nothing makes '{}'", value.name));
    }
    return {};
  }

  // A body that changed may capture less than before; so may the graphs around it.
  static void rebindCaptures(const std::vector<GraphPlace>& places, size_t index) {
    for (int32_t at = static_cast<int32_t>(index); at > 0; at = places[at].parent) {
      Graph& body = *places[at].graph;
      for (const ValueId id : body.valueIds()) {
        const Value& value = body.value(id);
        if (value.outerScope && value.uses.empty() && value.outputCount == 0) body.removeValue(id);
      }
      places[places[at].parent].graph->bindCaptures(places[at].parentNode);
    }
  }

  void compactAll() {
    forEachGraph(m_model.graph, [](Graph& graph) {
      const bool holes = graph.nodeCount() != graph.nodeSlots() || graph.valueIds().size() != graph.valueSlots();
      if (holes) graph.compact();
    });
  }

  Model& m_model;
  OptimizeOptions m_options;  // folding gets narrower as it goes
  FoldingRoom m_foldingRoom{m_model};
  Progress& m_progress;
  OptimizeReport& m_report;
  std::unordered_map<const Graph*, int32_t> m_graphIndex;
  std::unordered_map<const Graph*, ChangeLog> m_changes;
  std::vector<uint64_t> m_lastRun;
  std::vector<PassReport> m_expansions;            // layouts, gradients
  std::unordered_map<size_t, size_t> m_openInput;  // of the graph in hand, by node: an input that is no constant
  uint64_t m_edits = 0;
};

}  // namespace

Result<OptimizeReport> optimize(Model& model, const OptimizeOptions& options, Progress& progress) {
  OptimizeReport report;
  Stopwatch watch;
  progress.begin("Optimize", "");
  if (auto done = Optimizer(model, options, progress, report).run(); !done)
    return fail(atFile(std::move(done).error(), model.path.string()));
  report.timeNs = watch.elapsedNs();
  return report;
}

}  // namespace cutaway::optimize

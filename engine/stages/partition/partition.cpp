#include "engine/stages/partition/partition.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/context_binary/context_node.h"
#include "engine/schema/schema.h"
#include "engine/stages/partition/assignment.h"
#include "engine/stages/partition/capture.h"
#include "engine/stages/partition/casts.h"
#include "engine/stages/partition/contested.h"
#include "engine/stages/partition/copy_remedies.h"
#include "engine/stages/partition/describe.h"
#include "engine/stages/partition/final_checks.h"
#include "engine/stages/partition/fuse.h"
#include "engine/stages/partition/inline_functions.h"
#include "engine/stages/partition/layout.h"
#include "engine/stages/partition/placement_index.h"
#include "engine/stages/partition/places.h"
#include "engine/stages/partition/policies.h"
#include "engine/stages/partition/restore_contexts.h"
#include "engine/stages/partition/user_rules.h"
#include "engine/stages/resolve/describe_again.h"

namespace cutaway::partition {

namespace {

using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

class Partitioner {
 public:
  Partitioner(std::shared_ptr<Model> model, Providers providers, const PartitionOptions& options, Progress& progress)
      : m_owned(std::move(model)),
        m_model(*m_owned),
        m_providers(providers),
        m_options(options),
        m_round(options),
        m_progress(progress),
        m_calls(progress.token()),
        m_names(std::make_shared<GroupNamer>(m_model)),
        m_fusedNames(m_model, providerNames(providers), options.contextPrefix),
        m_contexts(m_owned, providers, options, progress, m_calls) {
    for (const std::unique_ptr<ExecutionProvider>& provider : providers)
      m_result.report.providers.push_back({.name = provider->name(), .device = provider->device().name, .reason = {}});
    m_order.resize(providers.size());
    std::iota(m_order.begin(), m_order.end(), size_t{0});
    const auto behind = static_cast<std::ptrdiff_t>(std::min(options.behindLast, providers.size() - 1));
    std::rotate(m_order.end() - 1 - behind, m_order.end() - 1, m_order.end());
  }

  Result<Partition> run() {
    const Stopwatch watch;
    CUTAWAY_CHECK(assignUntilStable());
    CUTAWAY_CHECK(notCancelled());
    if (m_options.askAboutTaken)
      CUTAWAY_CHECK(askAboutTaken({m_owned, m_providers, m_order, m_progress, m_calls}, m_assignments));
    castForUnclaimed();
    m_result.askedGraphs = m_options.describedBefore != nullptr
                               ? resolve::describeAgain(m_model, *m_options.describedBefore)
                               : resolve::describeGraphs(m_model);
    m_result.contextNodes = m_contexts.reports(m_result.askedGraphs);
    CUTAWAY_CHECK(notCancelled());
    reportInAskingOrder();
    describeAssignments(m_model, m_assignments, m_providers, m_result.report);
    if (std::string warning = placementWarning(m_result.report); !warning.empty())
      m_result.report.warnings.push_back(std::move(warning));
    CUTAWAY_CHECK(checkPlacements(m_model, m_result, m_options, m_providers.back()->name()));
    CUTAWAY_CHECK(notCancelled());
    if (m_options.compile) CUTAWAY_CHECK(m_rules->writeFiles(m_model));
    m_placements.emplace(m_model, m_result.report);
    fuseGroups();
    if (m_options.captureGroups) m_result.captured = captureGroups(m_model, m_assignments);
    CUTAWAY_CHECK(rewriteAssigned());
    copyAcrossDevices();
    CUTAWAY_CHECK(notCancelled());
    closeHoles();
    CUTAWAY_CHECK(notCancelled());
    m_result.report.timeNs = watch.elapsedNs();
    return std::move(m_result);
  }

  bool abandoned() const { return m_calls.abandoned(); }

 private:
  // Bodies before the graph that holds them, so that a provider knows what became of a body when it is asked about its
  // node.
  std::vector<Graph*> bodiesFirst() {
    std::vector<Graph*> graphs;
    forEachGraph(m_model.graph, [&](Graph& graph) { graphs.push_back(&graph); });
    std::reverse(graphs.begin(), graphs.end());
    return graphs;
  }

  Result<void> assignUntilStable() {
    CUTAWAY_TRY(UserRules rules, UserRules::read(m_options, m_providers, m_model));
    m_rules.emplace(std::move(rules));
    // With functions in the model, who takes a call whole decides what there is to compile: groups are formed without
    // compiling until nothing is inlined any more.
    bool rehearsal = m_options.compile && !m_model.functions.empty();
    for (;;) {
      m_round.compile = m_options.compile && !rehearsal;
      m_round.disableCompile = m_options.disableCompile && !rehearsal;
      m_names->setCompiles(m_round.compile && !m_round.disableCompile);
      m_assignments.clear();
      m_rules->bind(m_model);
      for (Graph* graph : bodiesFirst())
        m_assignments.emplace_back(*graph);
      CUTAWAY_CHECK(m_contexts.take(m_assignments));
      for (size_t i = 0; i < m_order.size(); ++i)
        CUTAWAY_CHECK(askEverywhere(i));
      CUTAWAY_CHECK(askLastAgain());
      CUTAWAY_TRY(const bool inlined, inlineLeftovers());
      if (!inlined && !rehearsal) break;
      rehearsal = rehearsal && inlined;
      // The graphs changed under the answers: ask everybody again. Only calls that nobody took were replaced, so this
      // ends.
      for (GraphAssignment& assignment : m_assignments)
        undoLayouts(assignment);
      m_fusedNames.restart();
      m_names->restart();
      m_result.report.warnings.clear();
      forEachGraph(m_model.graph, [](Graph& graph) {
        for (const NodeId id : graph.nodeIds())
          graph.mutableNode(id).provider.clear();
      });
    }
    for (GraphAssignment& assignment : m_assignments)
      finishLayouts(assignment);
    for (std::string& warning : m_rules->warnings())
      m_result.report.warnings.push_back(std::move(warning));
    return {};
  }

  // One provider about every graph. Nodes that were kept for it and that it refuses go to the providers before it
  // first: they have not been asked.
  Result<void> askEverywhere(size_t position) {
    const size_t index = m_order[position];
    m_progress.begin("Partition", "asking " + m_providers[index]->name());
    for (GraphAssignment& assignment : m_assignments) {
      CUTAWAY_CHECK(askProvider(assignment, *m_providers[index], contextOf(index)));
      const std::vector<NodeId> again = m_rules->kept().release(*assignment.graph, static_cast<int32_t>(index),
                                                                [&](NodeId id) { return lastReason(assignment, id); });
      for (size_t earlier = 0; earlier < position && !again.empty(); ++earlier)
        CUTAWAY_CHECK(askProvider(assignment, *m_providers[m_order[earlier]], contextOf(m_order[earlier]), again));
    }
    return {};
  }

  // Who takes the rest and was asked before others was passed over for what was kept for those: what they did not take
  // in the end is the rest, too.
  Result<void> askLastAgain() {
    const size_t last = m_providers.size() - 1;
    if (m_order.back() == last) return {};
    for (GraphAssignment& assignment : m_assignments) {
      std::vector<NodeId> left;
      std::ranges::copy_if(assignment.order, std::back_inserter(left), [&](NodeId id) {
        const Node& node = assignment.graph->node(id);
        return !node.removed && node.provider.empty() && !context_binary::isContextNode(node);
      });
      if (!left.empty()) CUTAWAY_CHECK(askProvider(assignment, *m_providers[last], contextOf(last), left));
    }
    return {};
  }

  AssignmentContext contextOf(size_t index) {
    return {m_owned,
            m_round,
            m_progress,
            m_result.report.providers[index],
            m_fusedNames,
            *m_rules,
            static_cast<int32_t>(index),
            m_calls,
            m_names,
            m_assignments,
            m_result.report.warnings,
            m_providers.back()->kernels()};
  }

  static std::string lastReason(const GraphAssignment& assignment, NodeId id) {
    const std::vector<ProviderAnswer>& answers = assignment.answers[id.index()];
    return answers.empty() ? SharedText("the provider gave no reason") : answers.back().reason;
  }

  Result<bool> inlineLeftovers() {
    bool inlined = false;
    Inliner inliner(m_model);
    for (GraphAssignment& assignment : m_assignments) {
      for (const NodeId id : assignment.graph->nodeIds()) {
        if (!assignment.graph->node(id).provider.empty()) continue;
        CUTAWAY_CHECK(notCancelled());
        CUTAWAY_TRY(const bool done, inliner.inlineCall(*assignment.graph, id));
        inlined = inlined || done;
      }
    }
    if (inlined) {
      for (GraphAssignment& assignment : m_assignments)
        undoLayouts(assignment);
      std::vector<InferenceWarning> warnings;
      CUTAWAY_CHECK(inferGraph(m_model, m_model.graph, {}, warnings, [&] { return m_progress.cancelled(); }));
    }
    return inlined;
  }

  // Whoever answers later looks up its summary by its place among the providers: this comes when all have answered.
  void reportInAskingOrder() {
    std::vector<ProviderSummary> inOrder;
    for (const size_t index : m_order)
      inOrder.push_back(std::move(m_result.report.providers[index]));
    m_result.report.providers = std::move(inOrder);
  }

  // Before graphs are described, so that casts are in the report like any node.
  void castForUnclaimed() {
    const std::unordered_map<const Graph*, int32_t> index = indexGraphs(m_model);
    for (GraphAssignment& assignment : m_assignments) {
      for (CopyReport& cast : runInFloat(m_model, assignment, index.at(assignment.graph), m_providers))
        m_result.report.copies.push_back(std::move(cast));
    }
  }

  // Between steps that each take a good part of 100 ms on very large graphs.
  Result<void> notCancelled() const {
    if (m_progress.cancelled()) return fail(cancelledError());
    return {};
  }

  void fuseGroups() {
    for (GraphAssignment& assignment : m_assignments) {
      for (AcceptedGroup& group : assignment.groups) {
        // A restored node stays what it is, so that it can be looked into; only its name may have to change.
        if (group.restored) {
          assignment.graph->mutableNode(group.nodes.front()).name = group.fusedName;
        } else {
          fuseGroup(*assignment.graph, group);
        }
        m_result.compiled.emplace(group.fusedName, std::move(group.compiled));
      }
    }
  }

  Result<void> rewriteAssigned() {
    const std::vector<Graph*> graphs = bodiesFirst();
    for (const std::unique_ptr<ExecutionProvider>& provider : m_providers) {
      for (Graph* graph : graphs) {
        const Result<std::vector<ProviderRewrite>> rewrites = m_calls.call<std::vector<ProviderRewrite>>(
            *provider, [model = m_owned, graph, level = m_options.optimizationLevel, each = provider.get()] {
              return each->rewriteAssigned(*model, *graph, level);
            });
        if (!rewrites && !m_progress.cancelled())
          return fail(Error{rewrites.error().code,
                            fmt::format("provider {} failed to rewrite the nodes it has taken: {}", provider->name(),
                                        rewrites.error().message),
                            rewrites.error().where});
        CUTAWAY_CHECK(notCancelled());
        for (const ProviderRewrite& rewrite : *rewrites)
          m_result.report.providerRewrites.push_back(
              fmt::format("{}: {}: {}", provider->name(), rewrite.name, rewrite.note));
      }
    }
    return {};
  }

  void copyAcrossDevices() {
    if (std::all_of(m_providers.begin(), m_providers.end(),
                    [](const auto& provider) { return provider->device() == heapAllocator().device(); }))
      return;
    const std::unordered_map<const Graph*, int32_t> index = indexGraphs(m_model);
    for (Graph* graph : bodiesFirst()) {
      const NodePlaces places = placesIn(*graph, m_providers);
      // A provider's graph as it is before any copy: copies are inserted while advice on the next one is asked.
      const Graph before = *graph;
      const CopyRemedies remedies(before, places, [&](NodeId id, const std::string& provider) {
        return m_placements->refusal(graph, id, provider);
      });
      insertCopies(*graph, places, index.at(graph), m_result.report.copies,
                   [&](ValueId value, const Device& to) { return remedies.of(value, to); });
    }
  }

  // Plans and reports of later stages count nodes and values without holes.
  void closeHoles() {
    const std::unordered_map<const Graph*, int32_t> index = indexGraphs(m_model);
    for (Graph* graph : bodiesFirst()) {
      const int32_t graphIndex = index.at(graph);
      const Graph::Renumbering renumbering = graph->compact();
      for (CopyReport& copy : m_result.report.copies) {
        if (copy.graph != graphIndex || copy.causeNode == kNone) continue;
        const NodeId now = renumbering.nodes[static_cast<size_t>(copy.causeNode)];
        copy.causeNode = now.valid() ? static_cast<int32_t>(now.index()) : kNone;
      }
    }
  }

  std::shared_ptr<Model> m_owned;  // shared with calls to providers, which may outlive this
  Model& m_model;
  Providers m_providers;
  const PartitionOptions& m_options;
  PartitionOptions m_round;  // of the question under way
  Progress& m_progress;
  Partition m_result;
  std::vector<size_t> m_order;  // places in m_providers, in asking order
  std::optional<UserRules> m_rules;
  std::vector<GraphAssignment> m_assignments;
  std::optional<PlacementIndex> m_placements;
  ProviderCalls m_calls;
  std::shared_ptr<GroupNamer> m_names;
  FusedNames m_fusedNames;
  ContextNodes m_contexts;
};

}  // namespace

Result<Partition> partitionModel(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                 const PartitionOptions& options, Progress& progress) {
  if (providers.empty()) return fail(ErrorCode::kInvalidArgument, "no execution provider is given");
  // The model moves into shared hands while providers look at it, and back when none of them can any more.
  const auto owned = std::make_shared<Model>(std::move(model));
  Partitioner partitioner(owned, providers, options, progress);
  Result<Partition> result = partitioner.run();
  if (!partitioner.abandoned()) model = std::move(*owned);
  return result;
}

}  // namespace cutaway::partition

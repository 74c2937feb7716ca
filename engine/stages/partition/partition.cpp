#include "engine/stages/partition/partition.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/schema/schema.h"
#include "engine/stages/partition/assignment.h"
#include "engine/stages/partition/copies.h"
#include "engine/stages/partition/fuse.h"
#include "engine/stages/partition/groups.h"
#include "engine/stages/partition/inline_functions.h"
#include "engine/stages/partition/pins.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway {

namespace {

// What would help where an operator is of a domain that nobody here knows.
constexpr std::string_view kCustomHint = "; a custom operator runs when the model brings a function of its name along, or known operators stand in its place";

using Providers = std::span<const std::unique_ptr<ExecutionProvider>>;

std::vector<std::string> namesOf(Providers providers) {
  std::vector<std::string> names;
  for (const std::unique_ptr<ExecutionProvider>& provider : providers) names.push_back(provider->name());
  return names;
}

class Partitioner {
 public:
  Partitioner(Model& model, Providers providers, const PartitionOptions& options, Progress& progress) : m_model(model), m_providers(providers), m_options(options), m_progress(progress), m_kept(namesOf(providers)) {
    for (const std::unique_ptr<ExecutionProvider>& provider : providers) m_result.report.providers.push_back({.name = provider->name(), .device = provider->device().name, .reason = {}});
  }

  Result<Partition> run() {
    const Stopwatch watch;
    CUTAWAY_CHECK(assignUntilStable());
    CUTAWAY_CHECK(notCancelled());
    m_result.askedGraphs = describeGraphs(m_model);
    CUTAWAY_CHECK(notCancelled());
    describeAssignment();
    CUTAWAY_CHECK(checkPolicies());
    CUTAWAY_CHECK(notCancelled());
    for (GraphAssignment& assignment : m_assignments) {
      for (AcceptedGroup& group : assignment.groups) {
        fuseGroup(*assignment.graph, group);
        m_result.compiled.emplace(group.fusedName, std::move(group.compiled));
      }
    }
    CUTAWAY_CHECK(rewriteAndCopy());
    CUTAWAY_CHECK(notCancelled());
    closeHoles();
    CUTAWAY_CHECK(notCancelled());
    m_result.report.timeNs = watch.elapsedNs();
    return std::move(m_result);
  }

 private:
  // Bodies before the graph that holds them, so that a provider knows what became of a body when it is asked about its node.
  std::vector<Graph*> bodiesFirst() {
    std::vector<Graph*> graphs;
    forEachGraph(m_model.graph, [&](Graph& graph) { graphs.push_back(&graph); });
    std::reverse(graphs.begin(), graphs.end());
    return graphs;
  }

  Result<void> assignUntilStable() {
    CUTAWAY_TRY(const std::vector<int32_t> pinRules, addPinRules(m_options.pins, m_kept));
    for (;;) {
      m_assignments.clear();
      m_kept.forgetNodes();
      bindPins(m_model, m_options.pins, pinRules, m_kept);
      for (Graph* graph : bodiesFirst()) m_assignments.emplace_back(*graph);
      for (size_t i = 0; i < m_providers.size(); ++i) CUTAWAY_CHECK(askEverywhere(i));
      CUTAWAY_TRY(const bool inlined, inlineLeftovers());
      if (!inlined) break;
      // The graphs changed under the answers: ask everybody again. Only calls that nobody took were replaced, so this ends.
      m_fusedCounter = 0;
      forEachGraph(m_model.graph, [](Graph& graph) {
        for (const NodeId id : graph.nodeIds()) graph.mutableNode(id).provider.clear();
      });
    }
    for (std::string& warning : m_kept.warnings()) m_result.report.warnings.push_back(std::move(warning));
    return {};
  }

  // One provider about every graph. Nodes that were kept for it and that it refuses go to the providers before it first: they have not been asked.
  Result<void> askEverywhere(size_t index) {
    m_progress.begin("Partition", "asking " + m_providers[index]->name());
    for (GraphAssignment& assignment : m_assignments) {
      CUTAWAY_CHECK(askProvider(assignment, *m_providers[index], contextOf(index)));
      const std::vector<NodeId> again = m_kept.release(*assignment.graph, static_cast<int32_t>(index), [&](NodeId id) { return lastReason(assignment, id); });
      for (size_t earlier = 0; earlier < index && !again.empty(); ++earlier) CUTAWAY_CHECK(askProvider(assignment, *m_providers[earlier], contextOf(earlier), again));
    }
    return {};
  }

  AssignmentContext contextOf(size_t index) { return {m_model, m_options, m_progress, m_result.report.providers[index], m_fusedCounter, m_kept, static_cast<int32_t>(index)}; }

  static std::string lastReason(const GraphAssignment& assignment, NodeId id) {
    const std::vector<ProviderAnswer>& answers = assignment.answers[id.index()];
    return answers.empty() ? std::string("the provider gave no reason") : answers.back().reason;
  }

  Result<bool> inlineLeftovers() {
    bool inlined = false;
    for (GraphAssignment& assignment : m_assignments) {
      for (const NodeId id : assignment.graph->nodeIds()) {
        if (!assignment.graph->node(id).provider.empty()) continue;
        CUTAWAY_TRY(const bool done, inlineCall(m_model, *assignment.graph, id));
        inlined = inlined || done;
      }
    }
    if (inlined) {
      std::vector<InferenceWarning> warnings;
      CUTAWAY_CHECK(inferGraph(m_model, m_model.graph, {}, warnings, [&] { return m_progress.cancelled(); }));
    }
    return inlined;
  }

  // Between steps that each take a good part of 100 ms on very large graphs.
  Result<void> notCancelled() const {
    if (m_progress.cancelled()) return fail(cancelledError());
    return {};
  }

  void describeAssignment() {
    indexGraphs();
    for (GraphAssignment& assignment : m_assignments) describeGraph(assignment);
    for (ProviderSummary& provider : m_result.report.providers) {
      for (const NodePlacement& node : m_result.report.nodes) {
        provider.claimedNodes += node.provider == provider.name ? 1 : 0;
        provider.refusedNodes += std::any_of(node.answers.begin(), node.answers.end(), [&](const ProviderAnswer& answer) {
          return answer.provider == provider.name && answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
        });
      }
    }
  }

  void indexGraphs() {
    m_graphIndex.clear();
    const std::vector<const Graph*> graphs = graphsInReportOrder(m_model);
    for (size_t i = 0; i < graphs.size(); ++i) m_graphIndex[graphs[i]] = static_cast<int32_t>(i);
  }

  void describeGraph(GraphAssignment& assignment) {
    const Graph& graph = *assignment.graph;
    const int32_t graphIndex = m_graphIndex.at(&graph);
    std::vector<int32_t> position(graph.nodeSlots(), kNone);
    int32_t next = 0;
    for (const NodeId id : graph.nodeIds()) position[id.index()] = next++;
    GraphGroups groups = findGroups(assignment, position, graphIndex);
    const int32_t firstGroup = static_cast<int32_t>(m_result.report.groups.size());
    for (GroupReport& group : groups.groups) m_result.report.groups.push_back(std::move(group));
    assignment.answers.resize(graph.nodeSlots());
    for (const NodeId id : graph.nodeIds()) {
      const int32_t group = groups.groupOfNode[id.index()];
      sortInAskingOrder(assignment.answers[id.index()]);
      const std::string& provider = graph.node(id).provider;
      m_result.report.unassignedNodes += provider.empty() ? 1 : 0;
      m_result.report.nodes.push_back(
          {.graph = graphIndex, .node = position[id.index()], .provider = provider, .group = group == kNone ? kNone : firstGroup + group, .answers = std::move(assignment.answers[id.index()])});
    }
    std::sort(m_result.report.nodes.begin(), m_result.report.nodes.end(), [](const NodePlacement& a, const NodePlacement& b) { return std::pair(a.graph, a.node) < std::pair(b.graph, b.node); });
  }

  // Providers that were asked again, or that gave a group back, answered late.
  void sortInAskingOrder(std::vector<ProviderAnswer>& answers) const {
    const auto earlier = [this](const ProviderAnswer& a, const ProviderAnswer& b) { return m_kept.indexOf(a.provider) < m_kept.indexOf(b.provider); };
    if (!std::is_sorted(answers.begin(), answers.end(), earlier)) std::stable_sort(answers.begin(), answers.end(), earlier);
  }

  Result<void> checkPolicies() const {
    if (m_options.disableCpuFallback) {
      for (const NodePlacement& node : m_result.report.nodes) {
        if (node.provider.empty() || node.provider == "cpu") return fail(policyError(node));
      }
    }
    if (!m_options.runnable || m_result.report.unassignedNodes == 0) return {};
    for (const NodePlacement& node : m_result.report.nodes) {
      if (node.provider.empty()) return fail(unassignedError(node));
    }
    return {};
  }

  const NodeReport& reported(const NodePlacement& node) const { return m_result.askedGraphs.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)]; }

  Error policyError(const NodePlacement& node) const {
    const NodeReport& report = reported(node);
    return {ErrorCode::kFail, fmt::format("{} would run on the CPU, and session.disable_cpu_ep_fallback forbids that{}", report.opType, reasons(node)), {{}, report.name, {}}, true};
  }

  Error unassignedError(const NodePlacement& node) const {
    const NodeReport& report = reported(node);
    if (report.opType == "EPContext") return contextError(report);
    const int64_t opset = importedVersion(m_model.opsets, report.domain);
    return {ErrorCode::kNotImplemented, fmt::format("no provider runs operator {} of domain '{}', opset {}{}{}", report.opType, report.domain.empty() ? "ai.onnx" : report.domain, opset, reasons(node), isKnownDomain(report.domain) ? "" : kCustomHint), {{}, report.name, {}}};
  }

  Error contextError(const NodeReport& report) const {
    std::string source = "an unnamed provider";
    for (const AttributeReport& attribute : report.attributes) {
      if (attribute.name == "source") source = attribute.text;
    }
    return {ErrorCode::kNotImplemented, fmt::format("this EPContext node was compiled by {}; the session has {}", source, fmt::join(namesOf(m_providers), ", ")), {{}, report.name, {}}};
  }

  static std::string reasons(const NodePlacement& node) {
    std::string text;
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.verdict != Verdict::kClaimed) text += fmt::format("; {}: {}", answer.provider, answer.reason);
    }
    return text;
  }

  Result<void> rewriteAndCopy() {
    std::vector<Graph*> graphs = bodiesFirst();
    for (const std::unique_ptr<ExecutionProvider>& provider : m_providers) {
      for (Graph* graph : graphs) {
        CUTAWAY_TRY(const std::vector<ProviderRewrite> rewrites, provider->rewriteAssigned(m_model, *graph, m_options.optimizationLevel));
        for (const ProviderRewrite& rewrite : rewrites) m_result.report.providerRewrites.push_back(fmt::format("{}: {}: {}", provider->name(), rewrite.name, rewrite.note));
      }
    }
    if (std::all_of(m_providers.begin(), m_providers.end(), [](const auto& provider) { return provider->device() == heapAllocator().device(); })) return {};
    indexGraphs();
    for (Graph* graph : graphs) insertCopies(*graph, placesIn(*graph), m_graphIndex.at(graph), m_result.report.copies);
    return {};
  }

  // Plans and reports of later stages count nodes and values without holes.
  void closeHoles() {
    indexGraphs();
    for (Graph* graph : bodiesFirst()) {
      const int32_t graphIndex = m_graphIndex.at(graph);
      const Graph::Renumbering renumbering = graph->compact();
      for (CopyReport& copy : m_result.report.copies) {
        if (copy.graph != graphIndex || copy.causeNode == kNone) continue;
        const NodeId now = renumbering.nodes[static_cast<size_t>(copy.causeNode)];
        copy.causeNode = now.valid() ? static_cast<int32_t>(now.index()) : kNone;
      }
    }
  }

  NodePlaces placesIn(const Graph& graph) const {
    const auto placeOf = [this, &graph](NodeId id, size_t slot, std::span<const int> KernelRow::*hostSlots) -> const Device& {
      const ExecutionProvider* provider = findProvider(graph.node(id).provider);
      if (provider == nullptr) return heapAllocator().device();
      if (const KernelRegistry* kernels = provider->kernels()) {
        const KernelRegistry::Match match = kernels->find(graph, id);
        if (match.row != nullptr && std::count((match.row->*hostSlots).begin(), (match.row->*hostSlots).end(), static_cast<int>(slot)) > 0) return heapAllocator().device();
      }
      return provider->device();
    };
    return {.input = [placeOf](NodeId id, size_t slot) -> const Device& { return placeOf(id, slot, &KernelRow::hostInputs); },
            .output = [placeOf](NodeId id, size_t slot) -> const Device& { return placeOf(id, slot, &KernelRow::hostOutputs); },
            .providerOf = [this](const Device& device) {
              for (const std::unique_ptr<ExecutionProvider>& provider : m_providers) {
                if (provider->device() == device) return provider->name();
              }
              return std::string("cpu");
            }};
  }

  const ExecutionProvider* findProvider(const std::string& name) const {
    for (const std::unique_ptr<ExecutionProvider>& provider : m_providers) {
      if (provider->name() == name) return provider.get();
    }
    return nullptr;
  }

  Model& m_model;
  Providers m_providers;
  const PartitionOptions& m_options;
  Progress& m_progress;
  Partition m_result;
  Reservations m_kept;
  std::vector<GraphAssignment> m_assignments;
  std::unordered_map<const Graph*, int32_t> m_graphIndex;
  int m_fusedCounter = 0;
};

}  // namespace

Result<Partition> partitionModel(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers, const PartitionOptions& options, Progress& progress) {
  if (providers.empty()) return fail(ErrorCode::kInvalidArgument, "no execution provider is given");
  return Partitioner(model, providers, options, progress).run();
}

}  // namespace cutaway

#include "engine/stages/partition/layout.h"

#include <algorithm>
#include <iterator>

#include "engine/graph/topology.h"
#include "engine/stages/partition/layout_plan.h"

namespace cutaway::partition {

namespace {

// Questions with channels last about one graph; whatever is not confirmed by then is released.
constexpr int kMostRounds = 4;
constexpr const char* kRule = "a layout is confirmed";

class LayoutQuestions {
 public:
  LayoutQuestions(GraphAssignment& assignment, ExecutionProvider& provider, const AssignmentContext& context,
                  std::vector<NodeId> free)
      : m_assignment(assignment),
        m_graph(*assignment.graph),
        m_provider(provider),
        m_context(context),
        m_free(std::move(free)),
        m_claimed(m_graph.nodeSlots(), 0),
        m_opset(importedVersion(context.model->opsets, "")) {}

  Result<LayoutAnswer> ask(bool mayTurn) {
    CUTAWAY_TRY(CapabilityAnswer said, question(m_free));
    if (!mayTurn || m_provider.preferredLayout() != LayoutPreference::kNhwc)
      return LayoutAnswer{std::move(said), std::move(m_free)};
    markClaimed(said);
    if (planLayout(m_graph, m_assignment.order, m_claimed).sensitive.empty() || tooNew())
      return LayoutAnswer{std::move(said), std::move(m_free)};
    for (int round = 1;; ++round) {
      const LayoutPlan plan = planLayout(m_graph, m_assignment.order, m_claimed);
      if (plan.sensitive.empty()) break;
      CUTAWAY_TRY(std::optional<LayoutAnswer> confirmed, askTurned(plan, round == kMostRounds));
      if (confirmed) return *std::move(confirmed);
    }
    CapabilityAnswer last;
    if (!m_free.empty()) {
      CUTAWAY_TRY(last, question(m_free));
    }
    return LayoutAnswer{std::move(last), std::move(m_free)};
  }

  // The provider fell over later, which says more than what it released before.
  void forgetReleases() {
    for (const NodeId id : m_released)
      m_assignment.answers[id.index()].pop_back();
  }

 private:
  Result<CapabilityAnswer> question(const std::vector<NodeId>& free) {
    return askCapability(m_assignment, m_provider, m_context, free);
  }

  void markClaimed(const CapabilityAnswer& said) {
    std::vector<char> offered(m_graph.nodeSlots(), 0);
    for (const NodeId id : m_free)
      offered[id.index()] = 1;
    for (const ComputeCapability& claim : said.claims) {
      for (const NodeId id : claim.subGraph.nodes) {
        if (id.valid() && id.index() < offered.size() && offered[id.index()]) m_claimed[id.index()] = 1;
      }
    }
  }

  bool tooNew() const {
    if (m_opset <= kNewestLayoutOpset) return false;
    std::string text = fmt::format(
        "provider {} is asked about channels first only: the model imports ai.onnx {}, and channels last are known up "
        "to opset {}",
        m_provider.name(), m_opset, kNewestLayoutOpset);
    if (std::find(m_context.warnings.begin(), m_context.warnings.end(), text) == m_context.warnings.end())
      m_context.warnings.push_back(std::move(text));
    return true;
  }

  // nullopt: something was released, and the graph is as before.
  Result<std::optional<LayoutAnswer>> askTurned(const LayoutPlan& plan, bool lastRound) {
    LayoutEdits edits(m_graph, m_opset);
    const size_t slotsBefore = m_graph.nodeSlots();
    std::vector<NodeId> orderBefore = m_assignment.order;
    CUTAWAY_CHECK(edits.apply(plan));
    m_assignment.contraction.grow();
    Result<std::vector<NodeId>> order = topologicalOrder(m_graph);
    if (!order) {
      edits.undo();
      return fail(order.error());
    }
    m_assignment.order = *std::move(order);
    const std::vector<NodeId> free = offeredNow(slotsBefore);
    Result<CapabilityAnswer> said = question(free);
    if (m_context.progress.cancelled())
      return fail(cancelledError());  // a provider that hangs may still look at the graph
    if (said) {
      std::vector<NodeId> refused = notClaimed(plan.sensitive, *said);
      if (refused.empty()) {
        m_assignment.layouts.push_back(std::move(edits));
        m_assignment.answers.resize(m_graph.nodeSlots());
        return std::optional(LayoutAnswer{*std::move(said), free, true});
      }
      release(refused, *said);
      if (lastRound) release(plan.sensitive, *said);
    }
    edits.undo();
    m_assignment.order = std::move(orderBefore);
    if (!said) return fail(said.error());
    return std::optional<LayoutAnswer>();
  }

  // New nodes are offered with the others.
  std::vector<NodeId> offeredNow(size_t slotsBefore) const {
    std::vector<char> offered(m_graph.nodeSlots(), 0);
    for (const NodeId id : m_free)
      offered[id.index()] = 1;
    std::fill(offered.begin() + static_cast<std::ptrdiff_t>(slotsBefore), offered.end(), 1);
    std::vector<NodeId> free;
    std::copy_if(m_assignment.order.begin(), m_assignment.order.end(), std::back_inserter(free),
                 [&](NodeId id) { return offered[id.index()] != 0; });
    return free;
  }

  std::vector<NodeId> notClaimed(const std::vector<NodeId>& asked, const CapabilityAnswer& said) const {
    std::vector<char> claimed(m_graph.nodeSlots(), 0);
    for (const ComputeCapability& claim : said.claims) {
      for (const NodeId id : claim.subGraph.nodes) {
        if (id.valid() && id.index() < claimed.size()) claimed[id.index()] = 1;
      }
    }
    std::vector<NodeId> refused;
    std::copy_if(asked.begin(), asked.end(), std::back_inserter(refused),
                 [&](NodeId id) { return !claimed[id.index()]; });
    return refused;
  }

  void release(const std::vector<NodeId>& nodes, const CapabilityAnswer& said) {
    std::vector<char> leaves(m_graph.nodeSlots(), 0);
    std::vector<ProviderAnswer> answers(m_graph.nodeSlots());
    for (const NodeId id : nodes)
      leaves[id.index()] = m_claimed[id.index()];
    for (const Refusal& refusal : said.refusals) {
      if (refusal.node.valid() && refusal.node.index() < leaves.size() && leaves[refusal.node.index()])
        answers[refusal.node.index()] = {{},           Verdict::kReleased, RefusalCause::kOther, refusal.reason,
                                         refusal.rule, refusal.seen,       refusal.remedy};
    }
    for (const NodeId id : nodes) {
      if (!leaves[id.index()]) continue;
      m_claimed[id.index()] = 0;
      // A kernel that works channels first is no worse for not having the other form: the node is not turned, and
      // offered again as it is.
      if (m_provider.kernels() != nullptr) continue;
      leaves[id.index()] = 2;
      ProviderAnswer& answer = answers[id.index()];
      answer.provider = m_context.summary.name;
      answer.verdict = Verdict::kReleased;
      answer.reason = fmt::format("claimed, and not claimed again with channels last: {}",
                                  answer.reason.empty() ? "the provider gave no reason" : answer.reason);
      if (answer.rule.empty()) answer.rule = kRule;
      m_assignment.answers[id.index()].push_back(std::move(answer));
      m_released.push_back(id);
    }
    std::erase_if(m_free, [&](NodeId id) { return leaves[id.index()] == 2; });
  }

  GraphAssignment& m_assignment;
  Graph& m_graph;
  ExecutionProvider& m_provider;
  const AssignmentContext& m_context;
  std::vector<NodeId> m_free;
  std::vector<char> m_claimed;  // by index of the nodes there were with the first question
  std::vector<NodeId> m_released;
  int64_t m_opset;
};

}  // namespace

Result<LayoutAnswer> askInItsLayout(GraphAssignment& assignment, ExecutionProvider& provider,
                                    const AssignmentContext& context, std::vector<NodeId> free, bool mayTurn) {
  LayoutQuestions questions(assignment, provider, context, std::move(free));
  Result<LayoutAnswer> answer = questions.ask(mayTurn);
  if (!answer) questions.forgetReleases();
  return answer;
}

void settleLayout(GraphAssignment& assignment, const std::string& provider) {
  if (assignment.layouts.empty()) return;
  LayoutEdits& edits = assignment.layouts.back();
  const Graph& graph = *assignment.graph;
  const std::vector<NodeId> sensitive = edits.sensitive();
  if (std::all_of(sensitive.begin(), sensitive.end(), [&](NodeId id) { return !graph.node(id).provider.empty(); }))
    return;
  if (!edits.anyTakenBy(provider)) {
    edits.undo();
    assignment.layouts.pop_back();
  } else {
    for (const NodeId id : sensitive) {
      if (graph.node(id).provider.empty()) edits.putBack(id);
    }
    edits.dropIdleTransposes();
  }
  assignment.contraction.grow();
  assignment.answers.resize(graph.nodeSlots());
  assignment.order.clear();
}

void undoLayouts(GraphAssignment& assignment) {
  for (auto edits = assignment.layouts.rbegin(); edits != assignment.layouts.rend(); ++edits)
    edits->undo();
  assignment.layouts.clear();
  assignment.order.clear();
}

void finishLayouts(GraphAssignment& assignment) {
  for (LayoutEdits& edits : assignment.layouts)
    edits.dropIdleValues();
}

}  // namespace cutaway::partition

#include "engine/stages/partition/assignment.h"

#include <algorithm>
#include <iterator>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/span_log.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/stages/partition/body_groups.h"
#include "engine/stages/partition/claim_checks.h"
#include "engine/stages/partition/compile_groups.h"
#include "engine/stages/partition/cpu_placement.h"
#include "engine/stages/partition/island_weight.h"
#include "engine/stages/partition/layout.h"

namespace cutaway::partition {

namespace {

constexpr const char* kNoReason = "the provider gave no reason";
// Paths are looked for and told for so many groups of one answer; the others get the plain sentence.
constexpr int kMostPaths = 16;

// What a question refers to, owned together: a provider that hangs may look at it long after everybody else has gone.
struct Question {
  std::shared_ptr<const Model> model;
  const Graph* graph;
  std::vector<NodeId> free;
  std::vector<int32_t> takenGroups;
  Progress progress;
  std::shared_ptr<GroupNamer> names;

  CapabilityRequest request() const {
    return {.model = *model,
            .graph = *graph,
            .free = free,
            .progress = progress,
            .names = names.get(),
            .takenGroups = takenGroups};
  }
};

// Answers of one provider to one question; each offered node gets one.
class AnswerBook {
 public:
  AnswerBook(GraphAssignment& assignment, const std::string& provider, std::span<const NodeId> free)
      : m_assignment(assignment),
        m_provider(assignment.texts.of(provider)),
        m_free(free),
        m_open(assignment.graph->nodeSlots(), 0) {
    for (const NodeId id : free)
      m_open[id.index()] = 1;
  }

  bool put(NodeId id, Verdict verdict, RefusalCause cause, std::string_view reason, std::string_view rule = {},
           std::string_view seen = {}, std::string_view remedy = {}) {
    if (id.index() >= m_open.size() || !m_open[id.index()]) return false;
    m_open[id.index()] = 0;
    TextPool& texts = m_assignment.texts;
    m_assignment.answers[id.index()].push_back(
        {m_provider, verdict, cause, texts.of(reason), texts.of(rule), texts.of(seen), texts.of(remedy)});
    return true;
  }

  void putOnTheRest(RefusalCause cause, const std::string& reason, const std::string& rule = {}) {
    for (const NodeId id : m_free)
      put(id, Verdict::kRefused, cause, reason, rule);
  }

 private:
  GraphAssignment& m_assignment;
  const SharedText m_provider;
  std::span<const NodeId> m_free;
  std::vector<char> m_open;
};

// What is taken or kept for another provider is not offered.
std::vector<NodeId> offeredNodes(GraphAssignment& assignment, const AssignmentContext& context) {
  const SharedText providerName = assignment.texts.of(context.summary.name);
  std::vector<NodeId> offered;
  for (const NodeId id : assignment.order) {
    const std::string& owner = assignment.graph->node(id).provider;
    if (context_binary::isContextNode(assignment.graph->node(id))) continue;  // answered already (restore_contexts.h)
    const ReservationRule* other = context.rules.kept().keptForAnother(*assignment.graph, id, context.provider);
    if (!owner.empty()) {
      assignment.answers[id.index()].push_back({providerName, Verdict::kAlreadyTaken, RefusalCause::kOther,
                                                assignment.texts.of("already taken by " + owner)});
    } else if (other != nullptr) {
      assignment.answers[id.index()].push_back(context.rules.kept().passedOver(*other, context.provider));
    } else {
      offered.push_back(id);
    }
  }
  return offered;
}

// The nodes asked about again, in topological order; what the provider said of them before is void.
std::vector<NodeId> askedAgain(GraphAssignment& assignment, std::span<const NodeId> only,
                               const std::string& providerName) {
  std::vector<char> wanted(assignment.graph->nodeSlots(), 0);
  for (const NodeId id : only) {
    wanted[id.index()] = assignment.graph->node(id).provider.empty() ? 1 : 0;
    if (wanted[id.index()])
      std::erase_if(assignment.answers[id.index()],
                    [&](const ProviderAnswer& entry) { return entry.provider == providerName; });
  }
  std::vector<NodeId> nodes;
  std::copy_if(assignment.order.begin(), assignment.order.end(), std::back_inserter(nodes),
               [&](NodeId id) { return wanted[id.index()] != 0; });
  return nodes;
}

std::string pathText(const Graph& graph, const std::vector<NodeId>& path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i == 3 && path.size() > 6) {
      text += fmt::format(" -> ({} more)", path.size() - 5);
      i = path.size() - 2;
    }
    text += (text.empty() ? "" : " -> ") + nodeLabel(graph, path[i]);
  }
  return text;
}

// All sound groups of the answer, together with those taken before, must leave the graph acyclic.
void refuseCycles(const GraphAssignment& assignment, const CapabilityAnswer& said,
                  std::vector<ClaimVerdict>& verdicts) {
  std::vector<std::span<const NodeId>> groups;
  std::vector<size_t> claimOf;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i].accepted || said.claims[i].subGraph.nodes.size() < 2) continue;
    groups.push_back(said.claims[i].subGraph.nodes);
    claimOf.push_back(i);
  }
  const std::vector<char> offenders = assignment.contraction.offenders(groups);
  int paths = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!offenders[i]) continue;
    const std::vector<NodeId> path =
        paths++ < kMostPaths ? assignment.contraction.pathBack(groups[i]) : std::vector<NodeId>();
    const std::string seen = path.empty() ? "a cycle with other groups" : pathText(*assignment.graph, path);
    verdicts[claimOf[i]] = {
        false,
        RefusalCause::kCycle,
        path.empty()
            ? "it would close a cycle together with other groups"
            : fmt::format("a path leaves the group and comes back: one node in its place would close a cycle ({})",
                          seen),
        "groups close no cycle",
        seen,
        "a group without the nodes behind the path, or one that takes in the nodes on it"};
  }
}

// A group comes with the border its MetaDef names, or with the natural one when the lists are empty.
void fillBorder(const Graph& graph, AcceptedGroup& group) {
  if (!group.metaDef.inputs.empty() || !group.metaDef.outputs.empty()) return;
  GroupBorder border = borderOf(graph, group.nodes, false);
  group.metaDef.inputs = std::move(border.inputs);
  group.metaDef.outputs = std::move(border.outputs);
}

void takeClaim(GraphAssignment& assignment, ExecutionProvider& provider, IndexedSubGraph& claim,
               const AssignmentContext& context, std::vector<AcceptedGroup>& toCompile) {
  for (const NodeId id : claim.nodes)
    assignment.graph->setProvider(id, context.summary.name);
  if (!claim.metaDef) return;
  AcceptedGroup group{.nodes = std::move(claim.nodes), .metaDef = std::move(*claim.metaDef), .provider = &provider};
  fillBorder(*assignment.graph, group);
  group.fusedName = context.fusedNames.next(context.summary.name, group.metaDef.name);
  assignment.contraction.contract(group.nodes);
  toCompile.push_back(std::move(group));
}

// What is claimed well and given back by a rule of the engine: shape arithmetic first, so that the budget is spent on
// what stays.
std::vector<Refusal> releaseClaims(const GraphAssignment& assignment, const ExecutionProvider& provider,
                                   std::span<const ComputeCapability> claims, const AssignmentContext& context,
                                   std::vector<char>& wanted) {
  std::vector<Refusal> released;
  if (context.hostKernels != nullptr) {
    const auto mayMove = [&](NodeId id) {
      return context.rules.kept().keptFor(*assignment.graph, id, context.provider) == nullptr;
    };
    released = keepShapeArithmeticOnHost({*assignment.graph, assignment.order, provider, *context.hostKernels, mayMove},
                                         claims, wanted);
  }
  if (context.options.weighIslands) {
    std::vector<Refusal> dear = weighIslands({*assignment.graph, provider, context.options.threads}, claims, wanted);
    released.insert(released.end(), std::make_move_iterator(dear.begin()), std::make_move_iterator(dear.end()));
  }
  std::vector<Refusal> unpaid = context.rules.release(context.provider, *assignment.graph, claims, wanted);
  released.insert(released.end(), std::make_move_iterator(unpaid.begin()), std::make_move_iterator(unpaid.end()));
  return released;
}

// Marks what is taken; refused claims become answers, and one warning for each kind of nonsense.
std::vector<AcceptedGroup> takeClaims(GraphAssignment& assignment, ExecutionProvider& provider,
                                      std::span<const NodeId> free, CapabilityAnswer& said,
                                      const AssignmentContext& context, AnswerBook& book) {
  std::vector<ClaimVerdict> verdicts = checkClaims(*assignment.graph, free, said, context.options.minimumGroupNodes);
  refuseStolenBodies(assignment, said, context.assignments, context.summary.name, verdicts);
  refuseCycles(assignment, said, verdicts);
  std::vector<char> wanted;
  for (const ClaimVerdict& verdict : verdicts)
    wanted.push_back(verdict.accepted ? 1 : 0);
  const std::vector<Refusal> released = releaseClaims(assignment, provider, said.claims, context, wanted);
  std::vector<AcceptedGroup> toCompile;
  // Taken nodes get their answers first: a node in a good claim and a bad one is claimed.
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (!wanted[i]) continue;
    for (const NodeId id : said.claims[i].subGraph.nodes)
      book.put(id, Verdict::kClaimed, RefusalCause::kOther, {});
    takeClaim(assignment, provider, said.claims[i].subGraph, context, toCompile);
  }
  for (const Refusal& each : released)
    book.put(each.node, Verdict::kReleased, each.cause, each.reason, each.rule, each.seen, each.remedy);
  size_t nonsense = 0;
  const ClaimVerdict* first = nullptr;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const ClaimVerdict& verdict = verdicts[i];
    if (verdict.accepted) continue;
    for (const NodeId id : said.claims[i].subGraph.nodes)
      book.put(id, Verdict::kGroupRejected, verdict.cause, verdict.reason, verdict.rule, verdict.seen, verdict.remedy);
    if (verdict.cause == RefusalCause::kTooSmall) continue;
    if (nonsense++ == 0) first = &verdict;
  }
  if (nonsense > 0)
    context.warnings.push_back(fmt::format("provider {}: {} of {} claims {} refused; the first: {}",
                                           context.summary.name, nonsense, verdicts.size(),
                                           nonsense == 1 ? "was" : "were", first->reason));
  return toCompile;
}

void recordRefusals(std::span<const Refusal> refusals, const AssignmentContext& context, AnswerBook& book) {
  size_t unasked = 0;
  for (const Refusal& refusal : refusals) {
    const bool told = book.put(refusal.node, Verdict::kRefused, refusal.cause,
                               refusal.reason.empty() ? std::string_view(kNoReason) : refusal.reason, refusal.rule,
                               refusal.seen, refusal.remedy);
    unasked += told ? 0 : 1;
  }
  if (unasked > 0)
    context.warnings.push_back(
        fmt::format("provider {}: {} refusals are of nodes that were not offered or have an answer already",
                    context.summary.name, unasked));
  book.putOnTheRest(RefusalCause::kOther, kNoReason);
}

}  // namespace

void giveBack(GraphAssignment& assignment, const AcceptedGroup& group, const ProviderAnswer& why) {
  assignment.contraction.release(group.nodes);
  for (const NodeId id : group.nodes) {
    assignment.graph->mutableNode(id).provider.clear();
    auto& answers = assignment.answers[id.index()];
    std::erase_if(answers, [&](const ProviderAnswer& entry) { return entry.provider == why.provider; });
    answers.push_back(why);
  }
}

Result<CapabilityAnswer> askCapability(const GraphAssignment& assignment, ExecutionProvider& provider,
                                       const AssignmentContext& context, std::vector<NodeId> free) {
  const std::span<const int32_t> taken = assignment.contraction.groupOfNode();
  auto question = std::make_shared<const Question>(Question{context.model,
                                                            assignment.graph,
                                                            std::move(free),
                                                            {taken.begin(), taken.end()},
                                                            Progress(context.progress.token()),
                                                            context.names});
  Result<CapabilityAnswer> said = context.calls.call<CapabilityAnswer>(
      provider, [question, &provider] { return provider.capability(question->request()); });
  if (context.progress.cancelled()) return fail(cancelledError());
  return said;
}

Result<void> askProvider(GraphAssignment& assignment, ExecutionProvider& provider, const AssignmentContext& context,
                         std::span<const NodeId> only) {
  if (context.progress.cancelled()) return fail(cancelledError());
  assignment.answers.resize(assignment.graph->nodeSlots());
  if (assignment.order.empty()) {
    CUTAWAY_TRY(assignment.order, topologicalOrder(*assignment.graph));
    for (const NodeId id : assignment.order)
      assignment.answers[id.index()].reserve(context.rules.kept().providers().size());
  }
  std::vector<NodeId> free =
      only.empty() ? offeredNodes(assignment, context) : askedAgain(assignment, only, context.summary.name);
  if (free.empty()) return {};

  const Stopwatch watch;
  const SpanScope span("ask ", context.summary.name);
  Result<LayoutAnswer> answer = askInItsLayout(assignment, provider, context, free, only.empty());
  if (context.progress.cancelled()) return fail(cancelledError());
  context.summary.askTimeNs += watch.elapsedNs();
  if (answer) free = std::move(answer->free);
  AnswerBook book(assignment, context.summary.name, free);
  if (!answer) {
    const std::string reason = fmt::format("asking the provider failed: {}", answer.error().message);
    log::warn(log::Category::kProviders, "provider {}: {}", context.summary.name, reason);
    context.warnings.push_back(fmt::format("provider {} claims nothing of graph '{}': {}", context.summary.name,
                                           assignment.graph->name(), reason));
    book.putOnTheRest(RefusalCause::kBadAnswer, reason, "capability()");
    return {};
  }
  std::vector<AcceptedGroup> toCompile = takeClaims(assignment, provider, free, answer->said, context, book);
  recordRefusals(answer->said.refusals, context, book);
  CUTAWAY_CHECK(compileGroups(assignment, provider, std::move(toCompile), context));
  if (answer->turned) settleLayout(assignment, context.summary.name);
  return {};
}

}  // namespace cutaway::partition

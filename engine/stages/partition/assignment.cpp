#include "engine/stages/partition/assignment.h"

#include <algorithm>
#include <iterator>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/graph/topology.h"

namespace cutaway {

namespace {

void answer(GraphAssignment& assignment, NodeId id, ProviderAnswer entry) {
  if (assignment.answers.size() <= id.index()) assignment.answers.resize(assignment.graph->nodeSlots());
  assignment.answers[id.index()].push_back(std::move(entry));
}

// Empty when the whole group may be taken.
std::string groupObjection(const GraphAssignment& assignment, const std::vector<NodeId>& nodes, const std::string& providerName) {
  for (const NodeId id : nodes) {
    if (id.index() >= assignment.graph->nodeSlots() || assignment.graph->node(id).removed) return "the claim names a node that does not exist";
    const std::string& owner = assignment.graph->node(id).provider;
    if (!owner.empty()) return fmt::format("'{}' in the group is already taken by {}", assignment.graph->node(id).name, owner == providerName ? "another claim of this provider" : owner);
  }
  if (!assignment.contraction.staysAcyclic(nodes)) return "a path leaves the group and comes back: one node in its place would close a cycle";
  return {};
}

void take(GraphAssignment& assignment, const std::vector<NodeId>& nodes, const std::string& providerName) {
  for (const NodeId id : nodes) assignment.graph->mutableNode(id).provider = providerName;
}

void giveBack(GraphAssignment& assignment, const AcceptedGroup& group, const Error& error) {
  assignment.contraction.release(group.nodes);
  for (const NodeId id : group.nodes) {
    assignment.graph->mutableNode(id).provider.clear();
    auto& answers = assignment.answers[id.index()];
    std::erase_if(answers, [&](const ProviderAnswer& entry) { return entry.provider == group.provider->name() && entry.verdict == Verdict::kClaimed; });
    answers.push_back({group.provider->name(), Verdict::kCompileFailed, RefusalCause::kCompile, fmt::format("claimed, then failed to compile: {}", error.message)});
  }
}

// A group comes with the border its MetaDef names, or with the natural one when the lists are empty.
GroupBorder borderFor(const Graph& graph, const ComputeCapability& claim) {
  const MetaDef& metaDef = *claim.subGraph.metaDef;
  if (!metaDef.inputs.empty() || !metaDef.outputs.empty()) return {metaDef.inputs, metaDef.outputs};
  return borderOf(graph, claim.subGraph.nodes, false);
}

void acceptClaim(GraphAssignment& assignment, ExecutionProvider& provider, ComputeCapability claim, const AssignmentContext& context, std::vector<AcceptedGroup>& toCompile) {
  const std::vector<NodeId>& nodes = claim.subGraph.nodes;
  if (nodes.empty()) return;
  const std::string objection = groupObjection(assignment, nodes, provider.name());
  for (const NodeId id : nodes) {
    if (id.index() >= assignment.graph->nodeSlots()) continue;
    if (objection.empty()) {
      answer(assignment, id, {provider.name(), Verdict::kClaimed, RefusalCause::kOther, {}});
    } else {
      answer(assignment, id, {provider.name(), Verdict::kGroupRejected, RefusalCause::kCycle, objection});
    }
  }
  if (!objection.empty()) return;
  take(assignment, nodes, provider.name());
  if (!claim.subGraph.metaDef) return;
  AcceptedGroup group{.nodes = nodes, .metaDef = *claim.subGraph.metaDef, .provider = &provider};
  const GroupBorder border = borderFor(*assignment.graph, claim);
  group.metaDef.inputs = border.inputs;
  group.metaDef.outputs = border.outputs;
  group.fusedName = fmt::format("{}_{}_{}", provider.name(), group.metaDef.name, context.fusedCounter++);
  assignment.contraction.contract(nodes);
  toCompile.push_back(std::move(group));
}

// One by one, so that a group that fails costs nobody else their place.
Result<void> compileGroup(GraphAssignment& assignment, ExecutionProvider& provider, AcceptedGroup group, const AssignmentContext& context) {
  if (context.options.disableCompile) {
    Error error{ErrorCode::kModelRequiresCompilation, fmt::format("provider {} would have to compile {} nodes, and session.disable_model_compile forbids that; generate a context model first", provider.name(), group.nodes.size()), {}, true};
    return fail(std::move(error));
  }
  Result<Graph> inner = extractGroup(*assignment.graph, group.nodes, {group.metaDef.inputs, group.metaDef.outputs});
  if (!inner) {
    giveBack(assignment, group, inner.error());
    return {};
  }
  const FusedSubGraph fused{group.fusedName, context.model, *std::move(inner)};
  Result<std::vector<CompiledNode>> compiled = provider.compile({&fused, 1}, context.progress);
  if (context.progress.cancelled()) return fail(cancelledError());
  if (!compiled || compiled->size() != 1 || compiled->front().kernel == nullptr) {
    const Error error = compiled ? Error{ErrorCode::kEpFail, "compile() did not give one kernel for one group", {}} : compiled.error();
    log::warn("provider {}: group {} failed to compile and goes to the next provider: {}", provider.name(), group.fusedName, error.message);
    giveBack(assignment, group, error);
    return {};
  }
  group.compiled = std::move(compiled->front());
  assignment.groups.push_back(std::move(group));
  return {};
}

// What is taken or kept for another provider is not offered.
std::vector<NodeId> offeredNodes(GraphAssignment& assignment, const std::vector<NodeId>& order, const AssignmentContext& context) {
  const std::string& providerName = context.summary.name;
  std::vector<NodeId> offered;
  for (const NodeId id : order) {
    const std::string& owner = assignment.graph->node(id).provider;
    const ReservationRule* other = context.kept.keptForAnother(*assignment.graph, id, context.provider);
    if (!owner.empty()) {
      answer(assignment, id, {providerName, Verdict::kAlreadyTaken, RefusalCause::kOther, fmt::format("already taken by {}", owner)});
    } else if (other != nullptr) {
      answer(assignment, id, context.kept.passedOver(*other, context.provider));
    } else {
      offered.push_back(id);
    }
  }
  return offered;
}

// The nodes asked about again, in topological order; what the provider said of them before is void.
std::vector<NodeId> askedAgain(GraphAssignment& assignment, const std::vector<NodeId>& order, std::span<const NodeId> only, const std::string& providerName) {
  std::vector<char> wanted(assignment.graph->nodeSlots(), 0);
  for (const NodeId id : only) {
    wanted[id.index()] = assignment.graph->node(id).provider.empty() ? 1 : 0;
    if (wanted[id.index()]) std::erase_if(assignment.answers[id.index()], [&](const ProviderAnswer& entry) { return entry.provider == providerName; });
  }
  std::vector<NodeId> nodes;
  std::copy_if(order.begin(), order.end(), std::back_inserter(nodes), [&](NodeId id) { return wanted[id.index()] != 0; });
  return nodes;
}

void recordRefusals(GraphAssignment& assignment, ExecutionProvider& provider, const std::vector<NodeId>& free, std::vector<Refusal> refusals) {
  std::vector<char> answered(assignment.graph->nodeSlots(), 0);
  for (Refusal& refusal : refusals) {
    if (refusal.node.index() >= answered.size() || answered[refusal.node.index()]) continue;
    answered[refusal.node.index()] = 1;
    answer(assignment, refusal.node, {provider.name(), Verdict::kRefused, refusal.cause, refusal.reason.empty() ? "the provider gave no reason" : std::move(refusal.reason)});
  }
  for (const NodeId id : free) {
    const auto& answers = assignment.answers[id.index()];
    if (answered[id.index()] || (!answers.empty() && answers.back().provider == provider.name())) continue;
    answer(assignment, id, {provider.name(), Verdict::kRefused, RefusalCause::kOther, "the provider gave no reason"});
  }
}

}  // namespace

Result<void> askProvider(GraphAssignment& assignment, ExecutionProvider& provider, const AssignmentContext& context, std::span<const NodeId> only) {
  if (context.progress.cancelled()) return fail(cancelledError());
  assignment.answers.resize(assignment.graph->nodeSlots());
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(*assignment.graph));
  const std::vector<NodeId> free = only.empty() ? offeredNodes(assignment, order, context) : askedAgain(assignment, order, only, provider.name());
  if (free.empty()) return {};

  Stopwatch watch;
  CUTAWAY_TRY(CapabilityAnswer said, provider.capability({.model = context.model, .graph = *assignment.graph, .free = free, .progress = context.progress}));
  context.summary.askTimeNs += watch.elapsedNs();

  std::vector<AcceptedGroup> toCompile;
  for (ComputeCapability& claim : said.claims) acceptClaim(assignment, provider, std::move(claim), context, toCompile);
  recordRefusals(assignment, provider, free, std::move(said.refusals));

  watch.restart();
  for (AcceptedGroup& group : toCompile) CUTAWAY_CHECK(compileGroup(assignment, provider, std::move(group), context));
  context.summary.compileTimeNs += watch.elapsedNs();
  return {};
}

}  // namespace cutaway

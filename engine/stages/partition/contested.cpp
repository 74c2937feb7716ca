#include "engine/stages/partition/contested.h"

#include <algorithm>

#include "engine/context_binary/context_node.h"

namespace cutaway::partition {

namespace {

// The provider's answer that somebody else has the node; nullptr: it said something else, or nothing.
ProviderAnswer* takenAnswer(GraphAssignment& assignment, NodeId id, const std::string& provider) {
  std::vector<ProviderAnswer>& answers = assignment.answers[id.index()];
  const auto found =
      std::ranges::find_if(answers, [&](const ProviderAnswer& each) { return each.provider == provider; });
  return found == answers.end() || found->verdict != Verdict::kAlreadyTaken ? nullptr : &*found;
}

// Compiled nodes, and nodes in the form of another provider's layout, are no question that it would have got.
std::vector<NodeId> takenNodes(GraphAssignment& assignment, const std::string& provider) {
  std::vector<NodeId> nodes;
  for (const NodeId id : assignment.order) {
    const Node& node = assignment.graph->node(id);
    if (!node.removed && !context_binary::isContextNode(node) && node.domain != kChannelsLastDomain &&
        takenAnswer(assignment, id, provider) != nullptr)
      nodes.push_back(id);
  }
  return nodes;
}

constexpr const char* kAskedAnyway = "asked although taken";

void sayTaken(ProviderAnswer& answer, TextPool& texts) {
  answer.rule = texts.of(kAskedAnyway);
  answer.reason = texts.of(fmt::format("{}; {} would have taken it", answer.reason, answer.provider));
}

void sayRefused(ProviderAnswer& answer, const Refusal& refusal, TextPool& texts) {
  answer.cause = refusal.cause;
  answer.reason = texts.of(fmt::format("{}; {} would have refused it{}{}", answer.reason, answer.provider,
                                       refusal.reason.empty() ? "" : ": ", refusal.reason));
  answer.rule = texts.of(refusal.rule.empty() ? kAskedAnyway : refusal.rule);
  answer.seen = texts.of(refusal.seen);
  answer.remedy = texts.of(refusal.remedy);
}

struct Question {
  std::shared_ptr<const Model> model;
  const Graph* graph;
  std::vector<NodeId> free;
  Progress progress;
  GroupNamer names;
};

Result<void> askOne(const TakenQuestion& asked, ExecutionProvider& provider, GraphAssignment& assignment) {
  std::vector<NodeId> nodes = takenNodes(assignment, provider.name());
  if (nodes.empty()) return {};
  // Shared: a call that is given up still looks at it.
  auto question = std::make_shared<Question>(Question{asked.model, assignment.graph, std::move(nodes),
                                                      Progress(asked.progress.token()), GroupNamer(*asked.model)});
  const Result<CapabilityAnswer> said = asked.calls.call<CapabilityAnswer>(provider, [question, &provider] {
    return provider.capability({.model = *question->model,
                                .graph = *question->graph,
                                .free = question->free,
                                .progress = question->progress,
                                .names = &question->names});
  });
  if (asked.progress.cancelled()) return fail(cancelledError());
  if (!said) return {};
  // Whoever claims nodes that are not there is refused where it counts; here it is passed over.
  const auto answerOf = [&](NodeId id) -> ProviderAnswer* {
    const bool known = id.valid() && id.index() < assignment.answers.size();
    ProviderAnswer* answer = known ? takenAnswer(assignment, id, provider.name()) : nullptr;
    return answer == nullptr || !answer->rule.empty() ? nullptr : answer;
  };
  for (const ComputeCapability& claim : said->claims) {
    for (const NodeId id : claim.subGraph.nodes)
      if (ProviderAnswer* answer = answerOf(id)) sayTaken(*answer, assignment.texts);
  }
  for (const Refusal& refusal : said->refusals)
    if (ProviderAnswer* answer = answerOf(refusal.node)) sayRefused(*answer, refusal, assignment.texts);
  return {};
}

}  // namespace

Result<void> askAboutTaken(const TakenQuestion& question, std::span<GraphAssignment> assignments) {
  for (const size_t index : question.order) {
    ExecutionProvider& provider = *question.providers[index];
    const bool takesTheRest = index + 1 == question.providers.size();
    for (GraphAssignment& assignment : assignments) {
      assignment.answers.resize(assignment.graph->nodeSlots());
      if (!takesTheRest) {
        CUTAWAY_CHECK(askOne(question, provider, assignment));
        continue;
      }
      for (const NodeId id : takenNodes(assignment, provider.name())) {
        const KernelRegistry* kernels = provider.kernels();
        if (kernels != nullptr && kernels->find(*assignment.graph, id).row != nullptr)
          sayTaken(*takenAnswer(assignment, id, provider.name()), assignment.texts);
      }
    }
  }
  return {};
}

}  // namespace cutaway::partition

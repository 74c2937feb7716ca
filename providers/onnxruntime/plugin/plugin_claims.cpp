#include "providers/onnxruntime/plugin/plugin_claims.h"

#include <algorithm>

#include "engine/base/log.h"
#include "engine/base/parallel.h"
#include "engine/graph/node_label.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/group_namer.h"
#include "providers/onnxruntime/plugin/plugin_reasons.h"
#include "providers/onnxruntime/rules.h"

namespace cutaway::onnxruntime {

namespace {

void claim(const CapabilityRequest& request, std::vector<NodeId> nodes, CapabilityAnswer& answer) {
  GroupBorder border = borderOf(request.graph, nodes, false);
  MetaDef metaDef{
      .name = request.names != nullptr ? request.names->next() : fmt::format("group_{}", answer.claims.size()),
      .domain = {},
      .inputs = std::move(border.inputs),
      .outputs = std::move(border.outputs)};
  answer.claims.push_back({.subGraph = {.nodes = std::move(nodes), .metaDef = std::move(metaDef)}});
}

void refuseSmall(std::span<const NodeId> nodes, int64_t minimumNodes, CapabilityAnswer& answer) {
  for (const NodeId id : nodes)
    answer.refusals.push_back(
        {.node = id,
         .cause = RefusalCause::kTooSmall,
         .reason = fmt::format("its group has {} nodes, fewer than the {} that are worth compiling", nodes.size(),
                               minimumNodes),
         .rule = "minimum group size"});
}

void refuseInBody(const PluginLibrary& plugin, std::span<const NodeId> nodes, CapabilityAnswer& answer) {
  for (const NodeId id : nodes)
    answer.refusals.push_back(
        {.node = id,
         .cause = RefusalCause::kOperator,
         .reason =
             fmt::format("{} takes nothing inside the bodies of this model's If, Loop and Scan nodes", plugin.title),
         .rule = "bodies",
         .seen = "a graph inside another one",
         .remedy = "a branch that is inlined, or a loop that is unrolled"});
}

// A provider of kernels takes nodes one by one: sessions are made of the largest groups of them.
void claimSingles(const CapabilityRequest& request, std::span<const NodeId> singles, int64_t minimumNodes,
                  CapabilityAnswer& answer) {
  if (singles.empty()) return;
  GroupingOptions grouping{.supported = std::vector<char>(request.graph.nodeSlots(), 0),
                           .quantizedUnits = false,
                           .minimumNodes = static_cast<size_t>(minimumNodes)};
  for (const NodeId id : singles)
    grouping.supported[id.index()] = 1;
  Groups groups = buildGroups(request, grouping);
  std::ranges::move(groups.claims, std::back_inserter(answer.claims));
  std::ranges::move(groups.refusals, std::back_inserter(answer.refusals));
}

}  // namespace

Result<PluginClaims> claimsOf(const AnswerSources& sources, const PluginLibrary& plugin, const PluginSettings& settings,
                              const CapabilityRequest& request, BodyQuestion& bodies, const std::string& whyNotAsked) {
  PluginClaims claims;
  CapabilityAnswer& answer = claims.answer;
  std::vector<NodeId> toAsk;
  for (const NodeId id : request.free) {
    if (std::optional<Answer> no = refusalByRule(request, id)) {
      answer.refusals.push_back({.node = id,
                                 .cause = no->cause,
                                 .reason = std::move(no->reason),
                                 .rule = std::move(no->rule),
                                 .seen = std::move(no->seen),
                                 .remedy = std::move(no->remedy)});
    } else {
      toAsk.push_back(id);
    }
  }
  if (!whyNotAsked.empty()) {
    for (const NodeId id : toAsk)
      answer.refusals.push_back(
          {.node = id, .cause = RefusalCause::kNotUsable, .reason = whyNotAsked, .rule = "asking"});
    return claims;
  }
  if (toAsk.empty()) return claims;
  if (&request.graph != &request.model.graph) {
    CUTAWAY_TRY(const bool takesNothing, bodies.takesNothing(sources.model, settings, request));
    if (takesNothing) {
      refuseInBody(plugin, toAsk, answer);
      return claims;
    }
  }
  CUTAWAY_TRY(PluginSaid said, askPlugin(sources.graph, plugin, settings, request, std::move(toAsk)));
  claims.wasAsked = true;
  claims.level = said.level;
  claims.shapes = said.answer.shapes;
  for (std::vector<NodeId>& group : said.answer.groups) {
    if (group.size() < static_cast<size_t>(settings.minimumNodes)) {
      refuseSmall(group, settings.minimumNodes, answer);
    } else {
      claim(request, std::move(group), answer);
    }
  }
  claimSingles(request, said.answer.singles, settings.minimumNodes, answer);
  std::ranges::move(said.refusals, std::back_inserter(answer.refusals));
  claims.changes = changeNotes(request.graph, said.answer.changes);
  if (!claims.changes.empty())
    log::info(log::Category::kProviders, "provider {}: ONNX Runtime's layout change for it touches {} nodes",
              plugin.name, claims.changes.size());
  return claims;
}

Result<SessionRequest> groupRequest(const PluginLibrary& plugin, const PluginSettings& settings,
                                    const PluginGroup& group) {
  const std::vector<NodeId> nodes = group.graph.nodeIds();
  CUTAWAY_TRY(GroupModel model,
              writeNumberedModel(group.graph, nodes, group.opsets, InnerTypes::kWritten, group.shapes));
  SessionRequest request{.model = std::move(model.model),
                         .modelBytes = model.modelBytes,
                         .weights = std::move(model.weights),
                         .settings = settings.session};
  request.settings.level = group.level;
  request.settings.assignment = true;
  if (request.settings.intraThreads == 0) request.settings.intraThreads = currentThreads();
  TextPairs& options = request.settings.providers.front().options;
  for (const auto& [key, value] : plugin.groupOptions) {
    const bool isGiven = std::ranges::any_of(options, [&](const auto& given) { return given.first == key; });
    if (!isGiven) options.emplace_back(key, value);
  }
  return request;
}

Result<void> checkAssignment(const PluginLibrary& plugin, const Graph& graph, const GroupOutcome& outcome) {
  for (const AssignedGroup& group : outcome.assignment) {
    if (group.provider != kCpuProvider) continue;
    for (const AssignedNode& node : group.nodes) {
      const std::optional<NodeId> id = numberIn(node.name);
      if (!id || id->index() >= graph.nodeSlots()) continue;
      return fail(ErrorCode::kEpFail, "{} took {} in the model, and leaves it to the CPU in the group alone{}",
                  plugin.title, nodeLabel(graph, *id), wordsAbout(*id, outcome.log));
    }
  }
  return {};
}

tl::unexpected<Error> notCompiled(const PluginLibrary& plugin, const std::string& words) {
  return fail(ErrorCode::kEpFail, "{} does not compile the group: {}", plugin.title, words);
}

}  // namespace cutaway::onnxruntime

// The partition report as JSON.

#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json providerToJson(const ProviderSummary& provider) {
  return {{"name", provider.name},
          {"device", provider.device},
          {"usable", provider.usable},
          {"reason", provider.reason},
          {"simulated", provider.simulated},
          {"claimed_nodes", provider.claimedNodes},
          {"refused_nodes", provider.refusedNodes},
          {"groups", provider.groups},
          {"flops", provider.flops},
          {"weight_bytes", provider.weightBytes},
          {"ask_time_ns", provider.askTimeNs},
          {"compile_time_ns", provider.compileTimeNs}};
}

Json answerToJson(const ProviderAnswer& answer) {
  Json json = {{"provider", answer.provider}, {"verdict", verdictName(answer.verdict)}};
  if (answer.verdict == Verdict::kClaimed) return json;
  json["cause"] = refusalCauseName(answer.cause);
  json["reason"] = answer.reason;
  if (!answer.rule.empty()) json["rule"] = answer.rule;
  if (!answer.seen.empty()) json["seen"] = answer.seen;
  if (!answer.remedy.empty()) json["remedy"] = answer.remedy;
  return json;
}

Json placementToJson(const NodePlacement& node) {
  Json answers = Json::array();
  for (const ProviderAnswer& answer : node.answers)
    answers.push_back(answerToJson(answer));
  return {{"graph", node.graph},
          {"node", node.node},
          {"provider", node.provider},
          {"group", node.group},
          {"answers", std::move(answers)},
          {"flops", node.flops},
          {"moved_bytes", node.movedBytes},
          {"weight_bytes", node.weightBytes}};
}

Json groupToJson(const GroupReport& group) {
  return {{"provider", group.provider},
          {"name", group.name},
          {"graph", group.graph},
          {"compiled", group.compiled},
          {"simulated", group.simulated},
          {"nodes", group.nodes},
          {"inputs", group.inputs},
          {"outputs", group.outputs},
          {"input_bytes", group.inputBytes},
          {"output_bytes", group.outputBytes},
          {"flops", group.flops},
          {"weight_bytes", group.weightBytes}};
}

Json refusalToJson(const RefusalSummary& refusal) {
  return {{"provider", refusal.provider},
          {"verdict", verdictName(refusal.verdict)},
          {"cause", refusalCauseName(refusal.cause)},
          {"rule", refusal.rule},
          {"reason", refusal.reason},
          {"remedy", refusal.remedy},
          {"nodes", refusal.nodes},
          {"flops", refusal.flops}};
}

}  // namespace

Json toJson(const CopyReport& copy) {
  return {{"graph", copy.graph}, {"value", copy.value},          {"from", copy.from},
          {"to", copy.to},       {"size_bytes", copy.sizeBytes}, {"kind", copy.kind},
          {"cause", copy.cause}, {"cause_node", copy.causeNode}, {"remedy", copy.remedy}};
}

Json toJson(const PartitionReport& report) {
  Json providers = Json::array(), nodes = Json::array(), groups = Json::array(), copies = Json::array(),
       refusals = Json::array();
  for (const ProviderSummary& provider : report.providers)
    providers.push_back(providerToJson(provider));
  for (const NodePlacement& node : report.nodes)
    nodes.push_back(placementToJson(node));
  for (const GroupReport& group : report.groups)
    groups.push_back(groupToJson(group));
  for (const CopyReport& copy : report.copies)
    copies.push_back(toJson(copy));
  for (const RefusalSummary& refusal : report.refusals)
    refusals.push_back(refusalToJson(refusal));
  return {{"providers", std::move(providers)}, {"nodes", std::move(nodes)},
          {"groups", std::move(groups)},       {"copies", std::move(copies)},
          {"refusals", std::move(refusals)},   {"provider_rewrites", report.providerRewrites},
          {"warnings", report.warnings},       {"unassigned_nodes", report.unassignedNodes},
          {"time_ns", report.timeNs}};
}

}  // namespace cutaway

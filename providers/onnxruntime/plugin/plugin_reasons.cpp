#include "providers/onnxruntime/plugin/plugin_reasons.h"

#include <set>

#include "providers/onnxruntime/client/log_facts.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/refusals/refusals.h"

namespace cutaway::onnxruntime {

namespace {

RefusalCause causeOf(RefusalCode code) {
  switch (code) {
    case RefusalCode::kOperator:
    case RefusalCode::kKernel:
      return RefusalCause::kOperator;
    case RefusalCode::kOpenShape:
      return RefusalCause::kShape;
    case RefusalCode::kRank:
      return RefusalCause::kRank;
    case RefusalCode::kType:
      return RefusalCause::kType;
    case RefusalCode::kAttribute:
      return RefusalCause::kAttribute;
    case RefusalCode::kConstant:
      return RefusalCause::kInput;
    case RefusalCode::kOption:
      return RefusalCause::kOption;
    case RefusalCode::kFaster:
      return RefusalCause::kPlacement;
    case RefusalCode::kCompiler:
      return RefusalCause::kCompile;
    case RefusalCode::kOther:
      return RefusalCause::kOther;
  }
  return RefusalCause::kOther;
}

std::string remedyOf(RefusalCode code) {
  switch (code) {
    case RefusalCode::kOpenShape:
      return "fix the free dimensions (--dim), so that every shape is known before the run";
    case RefusalCode::kRank:
      return "fewer dimensions: the same values in a shape of lower rank";
    case RefusalCode::kConstant:
      return "make the input a constant of the model";
    default:
      return {};
  }
}

}  // namespace

std::vector<cutaway::Refusal> refusalsOf(const RefusedNodes& refused) {
  const PluginAnswer& answer = refused.answer;
  std::set<NodeId> taken(answer.singles.begin(), answer.singles.end());
  for (const std::vector<NodeId>& group : answer.groups)
    taken.insert(group.begin(), group.end());
  std::map<NodeId, Refusal> said;
  for (Refusal& refusal : readRefusals(refused.log)) {
    // The last question is the one that counts.
    if (const auto id = numberIn(refusal.node)) said[*id] = std::move(refusal);
  }
  std::set<NodeId> faster;
  for (const std::string& name : forcedToCpuIn(refused.log)) {
    if (const auto id = numberIn(name)) faster.insert(*id);
  }
  const std::set<NodeId> withoutKernel(answer.withoutKernel.begin(), answer.withoutKernel.end());
  std::vector<cutaway::Refusal> refusals;
  for (const NodeId id : refused.asked) {
    if (taken.contains(id)) continue;
    cutaway::Refusal refusal{.node = id, .cause = RefusalCause::kOther, .reason = {}};
    const auto own = said.find(id);
    const auto why = answer.whyNot.find(id);
    if (!answer.error.empty()) {
      refusal.cause = RefusalCause::kBadAnswer;
      refusal.reason = fmt::format("{} failed when it was asked: {}", refused.provider, answer.error);
      refusal.rule = "the provider's own words";
    } else if (why != answer.whyNot.end()) {
      refusal.reason = why->second;
      refusal.rule = "the answer about the graph";
    } else if (own != said.end()) {
      refusal.cause = causeOf(own->second.code);
      refusal.reason = fmt::format("{}: {}", refused.provider, own->second.reason);
      refusal.rule = "the provider's own words";
      refusal.seen = own->second.vendorError == 0 ? std::string(refusalCodeName(own->second.code))
                                                  : fmt::format("error {}", own->second.vendorError);
      refusal.remedy = remedyOf(own->second.code);
    } else if (faster.contains(id)) {
      refusal.cause = RefusalCause::kPlacement;
      refusal.reason = "ONNX Runtime itself keeps it on the CPU: shape arithmetic is deemed faster there";
      refusal.rule = "shape arithmetic";
    } else if (withoutKernel.contains(id)) {
      refusal.cause = RefusalCause::kOperator;
      refusal.reason = fmt::format("{} has no kernel for this operator, version and type", refused.provider);
      refusal.rule = "kernel look-up";
    } else {
      refusal.reason = fmt::format("{} did not ask for it, and gives no reason", refused.provider);
      refusal.rule = "the provider's questions";
    }
    refusals.push_back(std::move(refusal));
  }
  return refusals;
}

std::string wordsAbout(NodeId id, std::span<const LogLine> log) {
  std::string words;
  for (const Refusal& refusal : readRefusals(log)) {
    if (numberIn(refusal.node) == id) words = ": " + refusal.reason;
  }
  return words;
}

}  // namespace cutaway::onnxruntime

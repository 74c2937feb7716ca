#include "engine/provider/hand_over.h"

#include <algorithm>
#include <array>

#include "engine/schema/schema.h"

namespace cutaway {

namespace {

std::optional<Refusal> callsFunction(const CapabilityRequest& request, NodeId id) {
  const Node& node = request.graph.node(id);
  if (request.model.findFunction(node.domain, node.opType, node.overload) == nullptr) return std::nullopt;
  return Refusal{
      .node = id,
      .cause = RefusalCause::kOperator,
      .reason = "it calls a function of the model, which is asked about again once its nodes stand in its place",
      .rule = "functions",
      .seen = node.opType};
}

std::optional<Refusal> drawsRandomly(const CapabilityRequest& request, NodeId id, std::string_view library) {
  static constexpr std::array<std::string_view, 6> kDraws{"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                          "RandomUniformLike", "Bernoulli",        "Multinomial"};
  const Node& node = request.graph.node(id);
  const bool dropsOut = node.opType == "Dropout" && node.inputs.size() > 2 && node.inputs[2].valid();
  if (!dropsOut && std::find(kDraws.begin(), kDraws.end(), node.opType) == kDraws.end()) return std::nullopt;
  return Refusal{
      .node = id,
      .cause = RefusalCause::kOperator,
      .reason = fmt::format("it may draw random numbers, and those of {} do not follow the session's seed", library),
      .rule = "random draws",
      .seen = node.opType};
}

// All nodes of a group share one import for each domain.
std::optional<Refusal> meansAnotherVersion(const CapabilityRequest& request, NodeId id, std::string_view library) {
  const Node& node = request.graph.node(id);
  const int64_t imported = importedVersion(request.model.opsets, node.domain);
  if (imported == 0) {
    return Refusal{.node = id,
                   .cause = RefusalCause::kDomain,
                   .reason = fmt::format("the model does not import domain '{}', and {} reads a group as a model",
                                         node.domain, library),
                   .rule = "opset imports",
                   .seen = fmt::format("domain '{}'", node.domain)};
  }
  if (imported == node.opsetVersion) return std::nullopt;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, imported);
  if (schema != nullptr && schema->sinceVersion == node.sinceVersion) return std::nullopt;
  return Refusal{
      .node = id,
      .cause = RefusalCause::kVersion,
      .reason = fmt::format(
          "{} is of opset {} and the model imports {}, where it means something else; a group can import only one",
          node.opType, node.opsetVersion, imported),
      .rule = "opset imports",
      .seen = fmt::format("opset {}", node.opsetVersion),
      .remedy = fmt::format("the same opset {} for functions and graph", imported)};
}

}  // namespace

std::optional<Refusal> cannotHandOver(const CapabilityRequest& request, NodeId id, std::string_view library) {
  if (std::optional<Refusal> no = callsFunction(request, id)) return no;
  if (std::optional<Refusal> no = drawsRandomly(request, id, library)) return no;
  return meansAnotherVersion(request, id, library);
}

}  // namespace cutaway

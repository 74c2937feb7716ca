// Rules, cheapest first. Each names itself, what it saw and what would satisfy it.
#include "providers/openvino/rules.h"

#include <algorithm>
#include <array>

#include "engine/schema/schema.h"
#include "providers/openvino/differences.h"

namespace cutaway::openvino {

namespace {

struct Asked {
  const CapabilityRequest& request;
  const Node& node;
  const OpenvinoOptions& options;
  const Graph& graph() const { return request.graph; }
};

using Rule = std::optional<Answer> (*)(const Asked&);

Answer refuse(RefusalCause cause, std::string rule, std::string seen, std::string reason, std::string remedy = {}) {
  return {.supported = false,
          .cause = cause,
          .reason = std::move(reason),
          .rule = std::move(rule),
          .seen = std::move(seen),
          .remedy = std::move(remedy)};
}

std::optional<Answer> bodies(const Asked& asked) {
  if (!asked.node.hasBodies()) return std::nullopt;
  return refuse(
      RefusalCause::kOperator, "bodies", asked.node.opType,
      fmt::format("{} has bodies, and this provider takes the nodes in them, not the loop or branch around them",
                  asked.node.opType));
}

std::optional<Answer> functions(const Asked& asked) {
  if (asked.request.model.findFunction(asked.node.domain, asked.node.opType, asked.node.overload) == nullptr)
    return std::nullopt;
  return refuse(RefusalCause::kOperator, "functions", asked.node.opType,
                "it calls a function of the model, which is asked about again once its nodes stand in its place");
}

// All nodes of a group share one import for each domain.
std::optional<Answer> opsetImports(const Asked& asked) {
  const Node& node = asked.node;
  const int64_t imported = importedVersion(asked.request.model.opsets, node.domain);
  if (imported == 0) {
    return refuse(
        RefusalCause::kDomain, "opset imports", fmt::format("domain '{}'", node.domain),
        fmt::format("the model does not import domain '{}', and OpenVINO reads a group as a model", node.domain));
  }
  if (imported == node.opsetVersion) return std::nullopt;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, imported);
  if (schema != nullptr && schema->sinceVersion == node.sinceVersion) return std::nullopt;
  return refuse(
      RefusalCause::kVersion, "opset imports", fmt::format("opset {}", node.opsetVersion),
      fmt::format(
          "{} is of opset {} and the model imports {}, where it means something else; a group can import only one",
          node.opType, node.opsetVersion, imported),
      fmt::format("the same opset {} for functions and graph", imported));
}

std::optional<Answer> randomDraws(const Asked& asked) {
  static constexpr std::array<std::string_view, 6> kDraws{"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                          "RandomUniformLike", "Bernoulli",        "Multinomial"};
  const bool dropsOut = asked.node.opType == "Dropout" && asked.node.inputs.size() > 2 && asked.node.inputs[2].valid();
  if (!dropsOut && std::find(kDraws.begin(), kDraws.end(), asked.node.opType) == kDraws.end()) return std::nullopt;
  return refuse(RefusalCause::kOperator, "random draws", asked.node.opType,
                "it may draw random numbers, and those of OpenVINO do not follow the session's seed");
}

// Types that OpenVINO's CPU device has no arithmetic for: it computes in the narrower one without a word.
std::string narrowedTo(ElementType type) {
  switch (type) {
    case ElementType::kDouble:
      return "float";
    case ElementType::kUint32:
    case ElementType::kUint64:
      return "int32";
    default:
      return {};
  }
}

std::optional<Answer> typeOf(const Asked& asked, ValueId id) {
  if (!id.valid()) return std::nullopt;
  const Value& value = asked.graph().value(id);
  const auto seen = fmt::format("{} {}", value.name, toText(value.type));
  if (!value.type.isTensor())
    return refuse(RefusalCause::kType, "tensors only", seen,
                  fmt::format("'{}' is no tensor of a known type, and groups take and give tensors", value.name));
  const ElementType element = value.type.element;
  if (element == ElementType::kString || element == ElementType::kComplex64 || element == ElementType::kComplex128 ||
      element == ElementType::kUndefined) {
    return refuse(RefusalCause::kType, "element types", seen,
                  fmt::format("'{}' has elements of type {}, which this provider does not hand over", value.name,
                              elementTypeName(element)));
  }
  const std::string narrow = asked.options.device == "CPU" ? narrowedTo(element) : std::string();
  if (!narrow.empty()) {
    return refuse(
        RefusalCause::kType, "element types", seen,
        fmt::format("OpenVINO's device CPU computes {} as {}, which loses digits", elementTypeName(element), narrow),
        "float, int32 or int64 elements");
  }
  if (!value.type.shape)
    return refuse(RefusalCause::kRank, "known ranks", seen,
                  fmt::format("the rank of '{}' is not known before the run", value.name), "a declared shape");
  const bool open = !value.type.shape->isStatic();
  if (open && !asked.options.dynamicShapes) {
    return refuse(RefusalCause::kShape, "option dynamic_shapes=0", seen,
                  fmt::format("'{}' has open dimensions, and option dynamic_shapes is 0", value.name),
                  "--dim for its symbols, or dynamic_shapes=1");
  }
  return std::nullopt;
}

std::optional<Answer> differences(const Asked& asked) {
  return knownDifference(asked.graph(), asked.node);
}

std::optional<Answer> types(const Asked& asked) {
  for (const ValueId id : asked.node.inputs) {
    if (std::optional<Answer> no = typeOf(asked, id)) return no;
  }
  for (const ValueId id : asked.node.outputs) {
    if (std::optional<Answer> no = typeOf(asked, id)) return no;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Answer> refusalByRule(const CapabilityRequest& request, NodeId id, const OpenvinoOptions& options) {
  static constexpr std::array<Rule, 6> kRules{bodies, functions, randomDraws, types, opsetImports, differences};
  const Asked asked{request, request.graph.node(id), options};
  for (const Rule rule : kRules) {
    if (std::optional<Answer> no = rule(asked)) return no;
  }
  return std::nullopt;
}

}  // namespace cutaway::openvino

#include "providers/onednn/capability.h"

#include <algorithm>

#include "engine/graph/doing_node.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/operators/traits/operator_traits.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/node_units.h"
#include "providers/onednn/node_rules.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

// Open dimensions get a stand-in: whether the library has the primitive hardly depends on them.
constexpr int64_t kStandIn = 64;

std::vector<int64_t> sampleDims(const ValueType& type) {
  std::vector<int64_t> dims;
  if (type.shape) {
    for (const Dim& dim : type.shape->dims())
      dims.push_back(dim.isKnown() ? dim.value() : kStandIn);
  }
  return dims;
}

void appendAttribute(std::string& key, const Attribute& attribute) {
  key += attribute.name;
  if (const auto* number = std::get_if<int64_t>(&attribute.value)) key += fmt::format("={}", *number);
  if (const auto* number = std::get_if<float>(&attribute.value)) key += fmt::format("={}", *number);
  if (const auto* text = std::get_if<std::string>(&attribute.value)) key += "=" + *text;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&attribute.value)) key += "=" + dimsToText(*list);
  key += ';';
}

// Everything the library's answer depends on, numbers of small constants included.
std::string keyOf(const Graph& graph, const Node& node) {
  std::string key = fmt::format("{}:{}:{};", node.domain, node.opType, node.sinceVersion);
  for (const Attribute& attribute : node.attributes)
    appendAttribute(key, attribute);
  for (const ValueId id : node.inputs) {
    if (!id.valid()) {
      key += "-,";
      continue;
    }
    const Value& value = graph.value(id);
    key += fmt::format("{}{},", toText(value.type), graph.isConstant(id) ? "c" : "");
    if (graph.isConstant(id) && value.initializer->sizeBytes() <= 64 &&
        value.initializer->type() != ElementType::kString) {
      key.append(static_cast<const char*>(value.initializer->data()),
                 static_cast<size_t>(value.initializer->sizeBytes()));
    }
  }
  return key;
}

bool hasOpenShape(const Graph& graph, const Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id.valid() && !graph.isConstant(id) &&
           !(graph.value(id).type.shape && graph.value(id).type.shape->isStatic());
  });
}

std::string askByBuilding(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  std::vector<ValueId> inputs, outputs;
  std::vector<std::vector<int64_t>> dims;
  for (const ValueId input : node.inputs) {
    if (!input.valid() || graph.isConstant(input) || std::find(inputs.begin(), inputs.end(), input) != inputs.end())
      continue;
    inputs.push_back(input);
    dims.push_back(sampleDims(graph.value(input).type));
  }
  for (const ValueId output : node.outputs) {
    if (output.valid()) outputs.push_back(output);
  }
  PlanBuilder builder({.graph = graph, .nodes = {&id, 1}, .inputs = inputs, .outputs = outputs, .inputDims = dims});
  const auto plan = builder.build();
  if (!plan) {
    if (hasOpenShape(graph, node) && plan.error().code != ErrorCode::kNotImplemented) return {};
    return plan.error().message;
  }
  for (size_t slot = 0; slot < outputs.size() && !hasOpenShape(graph, node); ++slot) {
    const auto& declared = graph.value(outputs[slot]).type.shape;
    if (declared && declared->isStatic() && *declared->staticDims() != (*plan)->outputDims[slot]) {
      return fmt::format("the result would have shape {} instead of {}", dimsToText((*plan)->outputDims[slot]),
                         toText(*declared));
    }
  }
  return {};
}

Refusal refusalOf(NodeId node, Objection objection) {
  return {node,
          objection.cause,
          std::move(objection.reason),
          std::move(objection.rule),
          std::move(objection.seen),
          std::move(objection.remedy)};
}

// A group pays when it holds a primitive that computes much: entering and leaving blocked layouts and a step each cost
// more than the rest saves.
std::string tooSmall(const Graph& graph, std::span<const NodeId> nodes) {
  int64_t flops = 0;
  for (const NodeId id : nodes) {
    const OperatorRow* row = findOperator(graph.node(id));
    if (row != nullptr && row->heavy) return {};
    flops += std::max<int64_t>(0, operators::nodeCost(graph, id).flops);
  }
  return fmt::format(
      "{} node{} with {} FLOPs and no convolution or matrix product among them are not worth a group of their own",
      nodes.size(), nodes.size() == 1 ? "" : "s", flops);
}

bool isQuantizer(const Node& node) {
  return node.opType == "QuantizeLinear" || node.opType == "DequantizeLinear";
}

// Quantisers are taken with an operator that computes on integers or keeps its layout between two that do.
std::optional<Objection> checkUnit(const Graph& graph, const NodeUnits& units, NodeId id, const Options& options) {
  constexpr std::string_view kTargets[] = {"Conv", "Add", "MaxPool", "AveragePool", "GlobalAveragePool"};
  if (!options.int8)
    return Objection{RefusalCause::kOption, "quantised operators are switched off", "int8", "int8 = 0",
                     "provider option int8=1"};
  const NodeUnit& unit = units.of(id);
  const std::string& target = graph.node(unit.target).opType;
  if (unit.target == id)
    return Objection{RefusalCause::kInput, "it belongs to no operator", "Q/DQ units", "no operator of its own",
                     "an operator between DequantizeLinear and QuantizeLinear"};
  if (operators::elementFunctionNamed(target) == operators::ElementFunction::kRelu ||
      std::find(std::begin(kTargets), std::end(kTargets), target) != std::end(kTargets))
    return std::nullopt;
  return Objection{RefusalCause::kOperator, fmt::format("{} between quantisers is not compiled", target), "Q/DQ units",
                   target, "Conv, Relu, Add or a pool between them"};
}

}  // namespace

std::optional<Objection> Capability::askLibrary(const Graph& graph, NodeId id, const OperatorRow&) {
  const Node& node = graph.node(id);
  const auto [place, isNew] = m_libraryAnswers.try_emplace(keyOf(graph, node));
  if (isNew) place->second = askByBuilding(graph, id);
  if (place->second.empty()) return std::nullopt;
  std::string seen;
  for (const ValueId input : node.inputs)
    seen += fmt::format("{}{}", seen.empty() ? "" : ", ", input.valid() ? toText(graph.value(input).type) : "none");
  return Objection{RefusalCause::kShape, place->second, fmt::format("{}.primitive", node.opType), std::move(seen),
                   fmt::format("shapes and attributes for which oneDNN {} has a primitive", libraryVersion())};
}

std::optional<Objection> Capability::judge(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const OperatorRow* row = findOperator(node);
  if (row == nullptr) {
    return Objection{RefusalCause::kOperator,
                     fmt::format("oneDNN {} has no primitive for {}", libraryVersion(), node.opType), "operators",
                     node.domain.empty() ? node.opType.string() : node.domain + "." + node.opType,
                     fmt::format("an operator that oneDNN {} computes, or another provider for it", libraryVersion())};
  }
  if (auto no = checkRules(KernelInfo(graph, id), *row)) return no;
  return askLibrary(graph, id, *row);
}

Result<CapabilityAnswer> Capability::answer(const CapabilityRequest& request, const Options& options) {
  CapabilityAnswer answer;
  GroupingOptions grouping{.supported = std::vector<char>(request.graph.nodeSlots(), 0),
                           .minimumNodes = options.minimumNodes};
  std::optional<NodeUnits> units;
  for (const NodeId id : request.free) {
    const DoingNode doing(request.graph, id);
    if (request.progress.cancelled()) return fail(cancelledError());
    const bool quantizer = isQuantizer(request.graph.node(id));
    if (quantizer && !units) units.emplace(request.graph);
    auto objection = quantizer ? checkUnit(request.graph, *units, id, options) : std::nullopt;
    if (!objection) objection = judge(request.graph, id);
    if (objection) {
      answer.refusals.push_back(refusalOf(id, *std::move(objection)));
    } else {
      grouping.supported[id.index()] = 1;
    }
  }
  if (!options.claimAll)
    grouping.accept = [&](std::span<const NodeId> nodes) { return tooSmall(request.graph, nodes); };
  Groups groups = buildGroups(request, grouping);
  answer.claims = std::move(groups.claims);
  answer.refusals.insert(answer.refusals.end(), std::make_move_iterator(groups.refusals.begin()),
                         std::make_move_iterator(groups.refusals.end()));
  return answer;
}

}  // namespace cutaway::onednn

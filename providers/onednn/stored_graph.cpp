#include "providers/onednn/stored_graph.h"

#include "engine/base/checked_math.h"
#include "engine/schema/graph_message.h"
#include "engine/schema/schema.h"
#include "providers/onednn/node_rules.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

// Stands for the numbers of constants that are packed only, while the graph is read: a constant without bytes would
// become an input.
constexpr std::byte kStandIn[1]{};
constexpr int64_t kMostBytes = int64_t{1} << 46;

template <typename... Args>
tl::unexpected<Error> damaged(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kEpFail, "the compiled group is damaged: {}",
              fmt::format(format, std::forward<Args>(args)...));
}

Result<Tensor> constantAt(std::string_view place, ElementType type, std::span<const int64_t> dims,
                          const SectionsByName& sections, const std::shared_ptr<const void>& keepAlive) {
  if (place == kElsewhere) return Tensor::wrapConst(type, dims, kStandIn);
  const auto found = place.starts_with(kRawSectionPrefix) ? sections.find(place) : sections.end();
  if (found == sections.end()) return damaged("there is no section '{}' for a constant", place.substr(0, 64));
  if (type == ElementType::kString) return damaged("a constant of texts stands in a section");
  auto constant = tensorInSection(*found->second, type, dims, keepAlive);
  if (!constant) return damaged("{}", constant.error().message);
  return constant;
}

Result<void> checkValues(Graph& graph) {
  for (const ValueId id : graph.valueIds()) {
    Value& value = graph.mutableValue(id);
    if (value.outerScope) return damaged("'{}' comes from outside", value.name);
    if (value.initializer) {
      const Tensor& tensor = *value.initializer;
      if (value.isInput) return damaged("'{}' is an input and a constant", value.name);
      if (tensor.type() != value.type.element || !value.type.shape || !value.type.shape->isStatic() ||
          !std::ranges::equal(*value.type.shape->staticDims(), tensor.dims()))
        return damaged("constant '{}' is declared as {}", value.name, toText(value.type));
      if (tensor.data() == kStandIn)
        value.initializer =
            Tensor::wrapConst(tensor.type(), std::vector<int64_t>(tensor.dims().begin(), tensor.dims().end()), nullptr);
    }
    int64_t bytes = 8;
    for (size_t axis = 0; value.type.shape && axis < value.type.shape->rank(); ++axis) {
      const Dim& dim = (*value.type.shape)[axis];
      if (!dim.isKnown()) continue;
      const auto product = checkedMultiply(bytes, std::max<int64_t>(dim.value(), 1));
      if (dim.value() < 0 || !product || *product > kMostBytes)
        return damaged("'{}' is declared as {}", value.name, toText(value.type));
      bytes = *product;
    }
  }
  return {};
}

Result<void> checkSchema(const Node& node) {
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  if (schema == nullptr || node.sinceVersion != schema->sinceVersion)
    return damaged("operator {} of domain '{}' is not known in version {}", node.opType, node.domain,
                   node.opsetVersion);
  const auto count = [](const std::vector<ValueId>& slots) { return static_cast<int64_t>(slots.size()); };
  if (count(node.inputs) < schema->minInputs || count(node.inputs) > schema->maxInputs ||
      count(node.outputs) < schema->minOutputs || count(node.outputs) > schema->maxOutputs) {
    return damaged("{} has {} inputs and {} outputs", node.opType, node.inputs.size(), node.outputs.size());
  }
  for (int32_t slot = 0; slot < schema->minInputs; ++slot) {
    if (!node.inputs[static_cast<size_t>(slot)].valid()) return damaged("{} lacks input {}", node.opType, slot);
  }
  // Variadic operands are all there.
  const bool variadic = !schema->inputs.empty() && schema->inputs.back().arity == FormalParameter::Arity::kVariadic;
  for (const ValueId input : node.inputs) {
    if (variadic && !input.valid()) return damaged("{} lacks an operand", node.opType);
  }
  for (const SchemaAttribute& attribute : schema->attributes) {
    const Attribute* given = node.findAttribute(attribute.name);
    if (given == nullptr ? attribute.required : attributeKindName(given->value) != attribute.kind)
      return damaged("{} lacks attribute '{}', or it is of another kind", node.opType, attribute.name);
  }
  return {};
}

Result<void> checkNode(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const OperatorRow* row = findOperator(node);
  if (row == nullptr)
    return damaged("operator {} of domain '{}' is not compiled by this provider", node.opType, node.domain);
  if (node.hasBodies() || !node.implicitInputs.empty()) return damaged("{} has bodies", node.opType);
  CUTAWAY_CHECK(checkSchema(node));
  if (node.outputs.empty() || !node.outputs[0].valid()) return damaged("{} has no result", node.opType);
  for (const ValueId output : node.outputs) {
    if (!output.valid()) continue;
    const Value& value = graph.value(output);
    if (value.producer != id || value.isInput || value.initializer) return damaged("'{}' is made twice", value.name);
  }
  for (const ValueId input : node.inputs) {
    if (!input.valid()) continue;
    const Value& value = graph.value(input);
    if (!value.isInput && !value.initializer && !value.producer.valid())
      return damaged("nothing makes '{}'", value.name);
    if (!value.type.isTensor()) return damaged("'{}' is no tensor", value.name);
  }
  const auto constant = [&](ValueId value) -> const Tensor* {
    return graph.isConstant(value) && hasNumbers(*graph.value(value).initializer) ? &*graph.value(value).initializer
                                                                                  : nullptr;
  };
  if (const auto objection = checkRules(KernelInfo(graph, id, constant), *row))
    return damaged("{}: {} ({})", node.opType, objection->reason, objection->seen);
  return {};
}

Result<void> checkPorts(const Graph& graph, std::span<const ValueId> values,
                        std::span<const context_binary::ContextPort> ports, const char* what) {
  if (values.size() != ports.size())
    return damaged("the graph has {} {}s, and the partition {}", values.size(), what, ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    const Value& value = graph.value(values[i]);
    if (value.name != ports[i].name || !value.type.isTensor() || value.type.element != ports[i].type.element)
      return damaged("{} {} is '{}' in the graph, and '{}' in the partition", what, i, value.name, ports[i].name);
  }
  return {};
}

}  // namespace

Result<Graph> readStoredGraph(const context_binary::ContextPartition& partition, const SectionsByName& sections,
                              const std::shared_ptr<const void>& keepAlive, const Progress& progress) {
  const auto message = sections.find(kGraphSection);
  if (message == sections.end()) return damaged("there is no section '{}'", kGraphSection);
  const auto weight = [&](std::string_view place, ElementType type, std::span<const int64_t> dims) {
    return constantAt(place, type, dims, sections, keepAlive);
  };
  CUTAWAY_TRY(Model model,
              readGraphMessage(message->second->bytes, {.keepAlive = keepAlive, .weight = weight, .cancelled = [&] {
                                                          return progress.cancelled();
                                                        }}));
  Graph& graph = model.graph;
  CUTAWAY_CHECK(checkValues(graph));
  for (const NodeId id : graph.nodeIds())
    CUTAWAY_CHECK(checkNode(graph, id));
  for (const ValueId id : graph.outputs()) {
    if (!graph.value(id).producer.valid() && !graph.value(id).isInput && !graph.value(id).initializer)
      return damaged("nothing makes the output '{}'", graph.value(id).name);
  }
  CUTAWAY_CHECK(checkPorts(graph, graph.inputs(), partition.inputs, "input"));
  CUTAWAY_CHECK(checkPorts(graph, graph.outputs(), partition.outputs, "output"));
  return std::move(model.graph);
}

}  // namespace cutaway::onednn

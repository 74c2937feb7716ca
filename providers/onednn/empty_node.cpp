#include "providers/onednn/empty_node.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/schema/schema.h"
#include "providers/onednn/operator_table.h"
#include "providers/onednn/operators/window.h"

namespace cutaway::onednn {

namespace {

bool isEmpty(std::span<const int64_t> dims) {
  return std::ranges::find(dims, 0) != dims.end();
}

// The node alone, with the sizes of this run: the schema says what comes out.
Result<std::vector<std::vector<int64_t>>> resultDims(const PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  Model alone;
  std::vector<ValueId> inputs;
  for (const ValueId input : node.inputs) {
    if (!input.valid()) {
      inputs.emplace_back();
      continue;
    }
    const Value& value = builder.graph().value(input);
    ValueId own = alone.graph.findValue(value.name);
    if (!own.valid() && builder.constant(input) != nullptr)
      own = alone.graph.addInitializer(value.name, *value.initializer);
    else if (!own.valid())
      own = alone.graph.addInput(value.name, ValueType::tensor(value.type.element, Shape::of(builder.dims(input))));
    inputs.push_back(own);
  }
  const std::vector<std::string> outputs = builder.graph().namesOf(node.outputs);
  alone.opsets = {{node.domain, node.opsetVersion}};
  Node copy = node;
  const NodeId own = alone.graph.addNode(std::move(copy), inputs, outputs);
  PartialData partial;
  std::vector<InferenceWarning> warnings;
  CUTAWAY_CHECK(inferNode(alone, alone.graph, own, {}, partial, warnings));
  std::vector<std::vector<int64_t>> dims;
  for (const ValueId output : alone.graph.node(own).outputs) {
    if (!output.valid()) {
      dims.emplace_back();
      continue;
    }
    const ValueType& type = alone.graph.value(output).type;
    const auto sizes = type.isTensor() && type.shape ? type.shape->staticDims() : std::nullopt;
    if (!sizes)
      return fail(ErrorCode::kNotImplemented, "{} has an input without elements, and what comes out is not known",
                  node.opType);
    dims.push_back(*sizes);
  }
  return dims;
}

// What every element of a result made of nothing is.
std::optional<float> valueOfNothing(const Node& node) {
  struct Row {
    std::string_view opType;
    float value;
  };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static constexpr std::array kRows = {
      Row{"MatMul", 0},
      Row{"ReduceSum", 0},
      Row{"ReduceSumSquare", 0},
      Row{"ReduceL1", 0},
      Row{"ReduceL2", 0},
      Row{"ReduceProd", 1},
      Row{"ReduceMax", -kInfinity},
      Row{"ReduceMin", kInfinity},
      Row{"ReduceMean", std::numeric_limits<float>::quiet_NaN()},
      Row{"GlobalAveragePool", std::numeric_limits<float>::quiet_NaN()},
  };
  if (node.opType == "Gemm" && (node.inputs.size() < 3 || !node.inputs[2].valid())) return 0.0F;
  const auto found = std::ranges::find(kRows, node.opType, &Row::opType);
  return found == kRows.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

// Of data: a list of axes, sizes or a region without elements is one that is not given.
bool hasEmptyInput(const PlanBuilder& builder, NodeId id) {
  const std::span<const ValueId> inputs = builder.node(id).inputs;
  const OperatorRow* row = findOperator(builder.node(id));
  const size_t data = row == nullptr || row->dataInputs < 0
                          ? inputs.size()
                          : std::min(inputs.size(), static_cast<size_t>(row->dataInputs));
  return std::ranges::any_of(inputs.first(data),
                             [&](ValueId input) { return input.valid() && isEmpty(builder.dims(input)); });
}

Result<bool> lowerEmptyNode(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  CUTAWAY_TRY(const auto dims, resultDims(builder, id));
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    const ValueId output = node.outputs[slot];
    if (!output.valid()) continue;
    const ElementType element = builder.graph().value(output).type.element;
    const auto type = dataTypeOf(element);
    if (!type) return fail(ErrorCode::kNotImplemented, "oneDNN has no element type {}", elementTypeName(element));
    if (isEmpty(dims[slot])) {
      builder.define(output, dims[slot], builder.working(plainDescriptor(dims[slot], *type)));
      continue;
    }
    if (node.opType == "Concat") return false;
    const std::optional<float> value = valueOfNothing(node);
    if (!value || *type != DataType::f32)
      return fail(ErrorCode::kNotImplemented, "oneDNN does not compute {} over an input without elements", node.opType);
    const Descriptor plain = plainDescriptor(dims[slot], *type);
    const std::vector<float> filled(static_cast<size_t>(product(dims[slot])), *value);
    CUTAWAY_TRY(const Stored stored, builder.floats(filled, plain.dims()));
    builder.define(output, dims[slot], stored);
  }
  return true;
}

}  // namespace cutaway::onednn

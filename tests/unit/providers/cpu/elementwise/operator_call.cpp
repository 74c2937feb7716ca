#include "tests/unit/providers/cpu/elementwise/operator_call.h"

#include "engine/schema/schema.h"
#include "providers/cpu/kernels/kernel_table.h"

namespace cutaway {

Result<std::vector<Tensor>> tryOperator(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  Model model;
  model.opsets = {{call.domain, call.version}};
  Graph& graph = model.graph;
  std::vector<ValueId> slots;
  std::vector<RuntimeValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) {
      slots.push_back(ValueId{});
      values.emplace_back();
      continue;
    }
    slots.push_back(
        graph.addInput(fmt::format("input{}", i), ValueType::tensor(inputs[i].type(), Shape::of(inputs[i].dims()))));
    values.emplace_back(inputs[i]);
  }
  std::vector<std::string> outputs;
  for (size_t i = 0; i < call.outputs; ++i)
    outputs.push_back(fmt::format("output{}", i));
  Node node{.name = "node",
            .opType = call.opType,
            .domain = call.domain,
            .overload = {},
            .attributes = call.attributes,
            .documentation = {}};
  const OperatorSchema* schema = findSchema(call.opType, call.domain, call.version);
  node.opsetVersion = static_cast<int32_t>(call.version);
  node.sinceVersion = schema != nullptr ? schema->sinceVersion : 1;
  const NodeId id = graph.addNode(std::move(node), slots, outputs);
  std::vector<InferenceWarning> warnings;
  if (schema != nullptr) CUTAWAY_CHECK(inferGraph(model, graph, {}, warnings));
  CUTAWAY_TRY(const std::vector<RuntimeValue> results, evaluateNode(cpu::cpuKernels(), graph, id, values));
  std::vector<Tensor> tensors;
  for (const RuntimeValue& result : results)
    tensors.push_back(result.isTensor() ? result.tensor() : Tensor{});
  return tensors;
}

Tensor callOperator(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  Result<std::vector<Tensor>> results = tryOperator(call, inputs);
  if (results) return results->front();
  fmt::print(stderr, "{}: {}\n", call.opType, describe(results.error()));
  return {};
}

}  // namespace cutaway

// The call alone in a graph of its own, inlined until no call is left, and added up.
#include "engine/plan/function_costs.h"

#include <algorithm>

#include "engine/graph/attribute_text.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/schema/schema.h"

namespace cutaway::plan {
namespace {

constexpr size_t kMostNodes = 2'000;
constexpr int64_t kSmallConstant = 64;  // constants of so many elements may hold shapes

bool isLocal(const Model& model, const Node& node) {
  return model.findFunction(node.domain, node.opType, node.overload) != nullptr;
}

bool hasBody(const Model& model, const Node& node) {
  if (isLocal(model, node)) return true;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  return schema != nullptr && schema->hasFunctionBody;
}

bool shapesKnown(const Graph& graph, const Node& node) {
  return std::ranges::all_of(node.inputs, [&](ValueId id) {
    return !id.valid() || graph.value(id).initializer ||
           (graph.value(id).type.shape && graph.value(id).type.shape->isStatic());
  });
}

std::string keyOf(const Graph& graph, const Node& node) {
  std::string key = fmt::format("{}\n{}\n{}\n{}", node.domain, node.opType, node.overload, node.opsetVersion);
  for (const Attribute& attribute : node.attributes)
    key += fmt::format("\n{}={}", attribute.name, attributeText(attribute));
  for (const ValueId id : node.inputs) {
    key += "\n";
    if (!id.valid()) continue;
    const Value& value = graph.value(id);
    key += toText(value.type);
    if (value.initializer && value.initializer->elementCount() <= kSmallConstant)
      key += " " + tensorPreview(*value.initializer);
  }
  return key;
}

// The call with its inputs as inputs of the graph; small constants keep their bytes, because shapes may depend on them.
Graph callAlone(const Graph& graph, const Node& node) {
  Graph alone("call");
  std::vector<ValueId> inputs;
  for (const ValueId id : node.inputs) {
    if (!id.valid()) {
      inputs.push_back({});
      continue;
    }
    const Value& value = graph.value(id);
    inputs.push_back(value.initializer                     ? alone.addInitializer(value.name, *value.initializer)
                     : alone.findValue(value.name).valid() ? alone.findValue(value.name)
                                                           : alone.addInput(value.name, value.type));
  }
  const std::vector<std::string> outputs = graph.namesOf(node.outputs);
  Node copy = node;
  copy.implicitInputs.clear();
  alone.addNode(std::move(copy), inputs, outputs);
  for (const std::string& name : outputs)
    if (!name.empty()) alone.addOutput(alone.findValue(name));
  return alone;
}

int64_t sumOf(const Graph& graph) {
  int64_t sum = 0;
  for (const NodeId id : graph.nodeIds()) {
    const int64_t flops = operators::nodeCost(graph, id).flops;
    if (flops < 0 || __builtin_add_overflow(sum, flops, &sum)) return -1;
  }
  return sum;
}

}  // namespace

// Local functions first, because that needs no types; then, with types, schema functions whose operators have no rule
// of their own.
int64_t FunctionCosts::inlined(const Graph& graph, NodeId call) {
  Graph alone = callAlone(graph, graph.node(call));
  for (bool types = false;; types = true) {
    for (bool again = true; again;) {
      again = false;
      m_inliner.beginRound();
      for (const NodeId id : alone.nodeIds()) {
        const Node& node = alone.node(id);
        const bool wanted =
            isLocal(m_model, node) || (types && operators::nodeCost(alone, id).flops < 0 && hasBody(m_model, node));
        if (!wanted) continue;
        const Result<bool> done = m_inliner.inlineCall(alone, id);
        if (!done || alone.nodeCount() > kMostNodes) return -1;
        again = again || *done;
      }
    }
    std::vector<InferenceWarning> warnings;
    if (!inferGraph(m_model, alone, {}, warnings)) return -1;
    m_left -= static_cast<int>(alone.nodeCount());
    if (types) return sumOf(alone);
  }
}

int64_t FunctionCosts::flopsOf(const Graph& graph, NodeId call) {
  const Node& node = graph.node(call);
  if (node.hasBodies() || !hasBody(m_model, node) || !shapesKnown(graph, node)) return -1;
  const auto [at, isNew] = m_known.try_emplace(keyOf(graph, node), -1);
  if (!isNew || m_left <= 0) return at->second;
  return at->second = inlined(graph, call);
}

}  // namespace cutaway::plan

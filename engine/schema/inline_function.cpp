// A call becomes the nodes of the function it calls.
//
// Example: y = F(x) with F(a) => (b) { t = Relu(a); b = Neg(t) } becomes _inlfunc_F_y_t = Relu(x); y =
// Neg(_inlfunc_F_y_t). Inner names get a prefix that holds the call's first output, which is unique in its graph.

#include <unordered_set>

#include <onnx/defs/function.h>

#include "engine/base/exception_text.h"
#include "engine/base/input_budget.h"
#include "engine/base/short_name.h"
#include "engine/graph/node_label.h"
#include "engine/schema/function_body.h"
#include "engine/schema/inference_state.h"
#include "engine/schema/onnx_schemas.h"
#include "engine/schema/proto_reader.h"
#include "engine/schema/proto_writer.h"

namespace cutaway {

namespace {

// Every node and value that comes out of the call has the stem again.
constexpr size_t kLongestStem = 96;

// The least number from `from` on that no name begins with behind the stem: looked up in one pass, because a file can
// have taken any number of them.
int freeNumber(const Graph& graph, const Graph& body, const std::string& stem, int from) {
  std::unordered_set<std::string_view> taken;
  for (const Graph* each : {&graph, &body}) {
    for (size_t i = 0; i < each->valueSlots(); ++i) {
      std::string_view name = each->value(ValueId{i}).name;
      if (!name.starts_with(stem) || name.substr(stem.size(), 1) != "_") continue;
      name.remove_prefix(stem.size() + 1);
      taken.insert(name.substr(0, name.find('_')));
    }
  }
  while (taken.contains(std::to_string(from)))
    ++from;
  return from;
}

std::string prefixFor(const Graph& graph, const Graph& body, const Node& call) {
  constexpr int kTries = 8;
  std::string stem = "_inlfunc_" + call.opType;
  for (const ValueId output : call.outputs) {
    if (!output.valid()) continue;
    stem += "_" + graph.value(output).name;
    break;
  }
  stem = shortName(stem, kLongestStem);
  std::string prefix = stem + "_";
  const auto taken = [&] {
    for (size_t i = 0; i < body.valueSlots(); ++i) {
      const Value& value = body.value(ValueId{i});
      if (!value.removed && (value.name.starts_with(prefix) || graph.findValue(prefix + value.name).valid()))
        return true;
    }
    return false;
  };
  for (int number = 1; taken(); ++number) {
    const bool search = number > kTries;
    prefix = fmt::format("{}_{}_", stem, search ? freeNumber(graph, body, stem, number) : number);
    if (search) break;
  }
  return prefix;
}

struct Renamed {
  std::vector<std::pair<std::string, std::string>>
      identities;  // from, to: outputs that no inner node may write under the outer name
};

// Nobody in the body makes it: a graph among the call's attributes takes it from around the call.
bool isCaptured(const Value& value) {
  return !value.producer.valid() && !value.isInput && !value.initializer;
}

// Gives the body's values the names they will have in the caller's graph.
Renamed renameBody(Graph& body, const Graph& graph, const Node& call, const std::string& prefix) {
  for (const ValueId id : body.valueIds()) {
    if (!isCaptured(body.value(id))) body.renameValue(id, prefix + body.value(id).name);
  }
  const std::vector<ValueId> formals(body.inputs().begin(), body.inputs().end());
  const std::vector<ValueId> results(body.outputs().begin(), body.outputs().end());
  Renamed renamed;
  // Outputs that inner nodes make take the outer name; the others are copied by an Identity.
  std::vector<std::pair<ValueId, std::string>> copies;
  std::vector<bool> named(body.valueSlots());
  for (size_t i = 0; i < call.outputs.size() && i < results.size(); ++i) {
    if (!call.outputs[i].valid()) continue;
    const std::string& outer = graph.value(call.outputs[i]).name;
    const Value& inner = body.value(results[i]);
    if (inner.producer.valid() && !inner.isInput && !named[results[i].index()]) {
      named[results[i].index()] = true;
      body.renameValue(results[i], outer);
    } else {
      copies.emplace_back(results[i], outer);
    }
  }
  for (size_t i = 0; i < formals.size() && i < call.inputs.size(); ++i) {
    if (!call.inputs[i].valid()) continue;
    const std::string& outer = graph.value(call.inputs[i]).name;
    const ValueId same = body.findValue(outer);
    if (same.valid()) {
      body.replaceUses(formals[i], same);
      for (auto& [from, to] : copies) {
        if (from == formals[i]) from = same;
      }
    } else {
      body.renameValue(formals[i], outer);
    }
  }
  for (const auto& [from, to] : copies)
    renamed.identities.emplace_back(body.value(from).name, to);
  return renamed;
}

NodeId addIdentity(Graph& graph, const std::string& from, const std::string& to, const Node& call,
                   int32_t opsetVersion) {
  Node identity;
  identity.opType = "Identity";
  identity.name = call.name.empty() ? std::string() : shortName(call.name, kLongestStem) + "/" + to;
  identity.opsetVersion = opsetVersion;
  if (const OperatorSchema* schema = findSchema("Identity", "", opsetVersion))
    identity.sinceVersion = schema->sinceVersion;
  identity.origins = call.origins;
  identity.rewrite = "function inlining";
  return graph.addNode(std::move(identity), {graph.addValue(from)}, {to});
}

// Attributes that the caller leaves out have the schema's defaults inside the body.
void takeSchemaDefaults(const OperatorSchema& schema, Function& function) {
  for (const SchemaAttribute& attribute : schema.attributes) {
    if (attribute.defaultValue) function.attributeDefaults.push_back(*attribute.defaultValue);
  }
}

Result<std::optional<Function>> functionFrom(const onnx::FunctionProto& proto, const OperatorSchema& schema) {
  std::string bytes;
  if (!proto.SerializeToString(&bytes)) return fail(ErrorCode::kFail, "the body of {} cannot be read", schema.opType);
  ProtoReader reader({});
  CUTAWAY_TRY(Function function, reader.readFunction(std::as_bytes(std::span(bytes))));
  takeSchemaDefaults(schema, function);
  return std::optional<Function>(std::move(function));
}

bool buildForTypes(const SchemaEntry& entry, const Graph& graph, const Node& node, int64_t opsetVersion,
                   onnx::FunctionProto& proto) {
  onnx::NodeProto nodeProto;
  writeNode(graph, node, nodeProto, true);
  std::vector<onnx::TypeProto> types(node.inputs.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (node.inputs[i].valid()) writeType(graph.value(node.inputs[i]).type, types[i]);
  }
  const onnx::FunctionBodyBuildContextImpl context(nodeProto, types);
  return entry.onnxSchema->BuildContextDependentFunction(context, proto, static_cast<int>(opsetVersion));
}

}  // namespace

Result<std::optional<Function>> schemaFunction(const Graph& graph, NodeId id, int64_t opsetVersion) {
  const Node& node = graph.node(id);
  const SchemaEntry* entry = findSchemaEntry(node.opType, node.domain, opsetVersion);
  if (entry == nullptr || entry->onnxSchema == nullptr || !entry->hasFunctionBody) return std::optional<Function>();
  try {
    makeOnnxRegistry();
    if (const onnx::FunctionProto* proto = entry->onnxSchema->GetFunction(static_cast<int>(opsetVersion)))
      return functionFrom(*proto, *entry);
    onnx::FunctionProto built;
    if (entry->onnxSchema->HasContextDependentFunction() && buildForTypes(*entry, graph, node, opsetVersion, built))
      return functionFrom(built, *entry);
  } catch (const std::exception& exception) {
    return fail(
        atNode({ErrorCode::kFail,
                fmt::format("the function body of {} cannot be built: {}", node.opType, exceptionText(exception)),
                {}},
               nodeName(graph, id)));
  }
  return std::optional<Function>();
}

Result<std::vector<NodeId>> inlineFunction(Graph& graph, NodeId callId, const Function& function) {
  const Node call = graph.node(callId);
  if (call.inputs.size() > function.body.inputs().size() || call.outputs.size() > function.body.outputs().size()) {
    return fail(atNode({ErrorCode::kInvalidGraph,
                        fmt::format("the call of {} has more inputs or outputs than the function", function.name),
                        {}},
                       nodeName(graph, callId)));
  }
  if (graph.nodeSlots() + function.body.nodeCount() > kInputBudget.inlinedNodes)
    return fail(ErrorCode::kInvalidGraph, "inlining functions makes more than {} nodes", kInputBudget.inlinedNodes);
  Graph body = bodyForCall(function, call);
  const std::string prefix = prefixFor(graph, body, call);
  const Renamed renamed = renameBody(body, graph, call, prefix);

  graph.removeNode(callId);
  for (const ValueId id : body.initializers())
    graph.addInitializer(body.value(id).name, *body.value(id).initializer);
  std::vector<NodeId> added;
  for (const NodeId innerId : body.nodeIds()) {
    Node node = body.node(innerId);
    std::vector<ValueId> inputs;
    for (const ValueId input : node.inputs)
      inputs.push_back(input.valid() ? graph.addValue(body.value(input).name) : ValueId());
    const std::vector<std::string> outputs = body.namesOf(node.outputs);
    node.implicitInputs.clear();
    node.origins = call.origins;
    node.rewrite = "function inlining";
    node.name = prefix + (nodeName(node.name, node.opType, innerId.index()));
    const NodeId made = graph.addNode(std::move(node), inputs, outputs);
    for (const ValueId output : body.node(innerId).outputs) {
      if (!output.valid()) continue;
      const ValueId outer = graph.findValue(body.value(output).name);
      if (outer.valid() && !graph.value(outer).type.known()) graph.mutableValue(outer).type = body.value(output).type;
    }
    if (graph.node(made).hasBodies()) graph.bindCaptures(made);
    added.push_back(made);
  }
  const int64_t version = importedVersion(function.opsets, "");
  for (const auto& [from, to] : renamed.identities)
    added.push_back(addIdentity(graph, from, to, call, static_cast<int32_t>(version > 0 ? version : newestOpset(""))));
  return added;
}

}  // namespace cutaway

#pragma once
// Operator schemas and per-node type and shape inference over our own Graph (on onnx's registry and inference
// functions; weights are never copied into a proto).
//
// Thread rule: pure functions; the onnx registry is initialised once and read-only then.
// Example:
//   const OperatorSchema* schema = findSchema("Conv", "", 17);
//   CUTAWAY_CHECK(inferNode(model, graph, nodeId, options, warnings));

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway {

struct FormalParameter {
  std::string name;
  std::string typeText;  // "T", "tensor(int64)"
  std::string documentation;
  enum class Arity { kSingle, kOptional, kVariadic } arity = Arity::kSingle;
  bool homogeneous = true;
};
struct SchemaAttribute {
  std::string name;
  std::string kind;
  bool required = false;
  std::optional<Attribute> defaultValue;
  std::string documentation;
};
struct TypeConstraint {
  std::string name;                  // "T"
  std::vector<std::string> allowed;  // "tensor(float)" ...
};

// A copy-free view would tie callers to onnx's headers; schemas are converted once, on first use, and kept.
struct OperatorSchema {
  std::string opType;
  std::string domain;
  int32_t sinceVersion = 0;
  bool deprecated = false;
  int32_t minInputs = 0, maxInputs = 0, minOutputs = 0, maxOutputs = 0;  // max: INT32_MAX when variadic
  std::vector<FormalParameter> inputs, outputs;
  std::vector<SchemaAttribute> attributes;
  std::vector<TypeConstraint> typeConstraints;
  std::string documentation;
  bool hasFunctionBody = false;
  bool deterministic = true;
};

// Newest version <= opsetVersion; nullptr when the registry has none. Knows ai.onnx, ai.onnx.ml,
// ai.onnx.preview.training and our com.microsoft rows. Pointers live for the process.
const OperatorSchema* findSchema(std::string_view opType, std::string_view domain, int64_t opsetVersion);
bool isKnownDomain(std::string_view domain);
// Newest released opset of a domain that this build knows (28 for ai.onnx with onnx 1.23.2); 0 for unknown domains.
int64_t newestOpset(std::string_view domain);
// Newest IR version this build knows.
int64_t newestIrVersion();

struct InferenceOptions {
  bool strict = false;  // conflicting shapes fail instead of becoming unknown
};
struct InferenceWarning {
  std::string node;
  std::string value;
  std::string message;
};

// Values of small integer tensors that are computed from shapes ("partial data"), so that Shape -> Gather -> Concat ->
// Reshape chains become concrete. Kept across the nodes of one graph.
class PartialData {
 public:
  const std::vector<Dim>* find(ValueId id) const;
  void set(ValueId id, std::vector<Dim> dims);

 private:
  std::vector<std::optional<std::vector<Dim>>> m_values;
};

// Infers the outputs of one node from its inputs and merges them into the graph's values (declared and inferred shapes
// merge; a conflict warns or, when strict, fails). Bodies are inferred through their node. Unknown operators leave
// their outputs as they are. INVALID_GRAPH / FAIL with node and value named.
Result<void> inferNode(const Model& model, Graph& graph, NodeId node, const InferenceOptions& options,
                       PartialData& partial, std::vector<InferenceWarning>& warnings);
// Every node of the graph in topological order, bodies included. callNodes: gets how many nodes behind calls were
// looked at.
Result<void> inferGraph(const Model& model, Graph& graph, const InferenceOptions& options,
                        std::vector<InferenceWarning>& warnings, const std::function<bool()>& cancelled = {},
                        int64_t* callNodes = nullptr);

// The schema's function body for this node as a Function (context-dependent bodies built for the node's types); nullopt
// when it has none.
Result<std::optional<Function>> schemaFunction(const Graph& graph, NodeId node, int64_t opsetVersion);
// Replaces one call node by the function's nodes; inner values get a unique prefix, attribute references are
// substituted. New nodes carry the call's origins and rewrite "function inlining".
Result<std::vector<NodeId>> inlineFunction(Graph& graph, NodeId call, const Function& function);

}  // namespace cutaway

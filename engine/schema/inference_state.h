#pragma once
// What inference keeps while it walks a graph and its bodies.
//
// Thread rule: one walk, one thread.
// Example: InferenceScope scope{.model = model, .graph = graph, .partial = partial, .shared = shared};
// CUTAWAY_CHECK(inferGraphIn(scope));

#include <memory>
#include <unordered_map>

#include "engine/schema/schema_entry.h"

namespace cutaway {

struct CallOutput {
  ValueType type;
  std::optional<std::vector<Dim>> partial;
};

struct InferenceShared {
  const InferenceOptions& options;
  std::vector<InferenceWarning>& warnings;
  const std::function<bool()>& cancelled;
  std::unordered_map<std::string, std::vector<CallOutput>>
      calls;  // by function, input types and attributes: a function is looked at once for equal calls
  int64_t callNodes = 0;
};

struct InferenceScope {
  const Model& model;
  Graph& graph;
  PartialData& partial;
  InferenceShared& shared;
  const InferenceScope* outer = nullptr;
  int callDepth = 0;

  // The constant bytes of a value, looked up through outer scopes; nullptr when it is not constant.
  const Tensor* constant(ValueId id) const;
  // Its elements as dimensions, when it is a small integer tensor that is known at least in part.
  std::optional<std::vector<Dim>> elements(ValueId id) const;
};

Result<void> inferNodeIn(InferenceScope& scope, NodeId id);
Result<void> inferGraphIn(InferenceScope& scope);
// A body under its node: outer types come in, input types are merged when given, everything inside is inferred.
Result<void> inferBodyIn(const InferenceScope& outer, Graph& body, std::span<const ValueType> inputTypes);
// A call of a model-local function.
Result<void> inferCallIn(InferenceScope& scope, NodeId id, const Function& function);

// Computes the elements of shape-like outputs from those of the inputs.
void propagatePartial(InferenceScope& scope, NodeId id);

// Number of inputs and outputs, required attributes and attribute kinds: INVALID_GRAPH. Unknown attributes are a
// warning.
Result<void> checkSignature(const Graph& graph, NodeId id, const SchemaEntry& entry,
                            std::vector<InferenceWarning>& warnings);
// Numbers that onnx's inference functions take as they are: INVALID_GRAPH when they are out of range.
Result<void> checkAttributeRanges(const Node& node);
// Input types against the schema; gives the element type bound to each type constraint (an unknown type when none).
Result<std::vector<ValueType>> checkInputTypes(const Graph& graph, NodeId id, const SchemaEntry& entry);
// The formal parameter of a slot; nullptr beyond the last.
const FormalParameter* formalOf(const std::vector<FormalParameter>& formals, size_t slot, size_t* index);

// The declared and the inferred type of a value as one. Conflicting element types fail (INVALID_GRAPH); conflicting
// dimensions become unknown, or fail when strict.
struct MergedType {
  ValueType type;
  std::string conflict;  // empty: none
};
Result<MergedType> mergeTypes(const ValueType& declared, const ValueType& inferred, bool strict);
// Merges into a value of the scope's graph and keeps the warning.
Result<void> mergeIntoValue(InferenceScope& scope, ValueId id, const ValueType& inferred, std::string_view nodeName);

// Elements of partial data that are negative numbers (-1 in a target shape) are kept as symbols with the number's text.
Dim elementDim(int64_t value);
std::optional<int64_t> elementValue(const Dim& dim);

// "x float[2,3], w float[4,5], axis=1": inputs and attributes of a node, for messages about a rule it breaks.
std::string seenText(const Graph& graph, const Node& node);

}  // namespace cutaway

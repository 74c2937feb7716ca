// A node against its operator's schema.

#include "engine/base/format.h"
#include "engine/graph/node_label.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

// Trailing absent slots do not count.
size_t givenCount(std::span<const ValueId> slots) {
  size_t count = slots.size();
  while (count > 0 && !slots[count - 1].valid())
    --count;
  return count;
}

// "at least 1 input", "1 to 3 inputs".
std::string range(int32_t least, int32_t most, std::string_view one) {
  if (most == std::numeric_limits<int32_t>::max()) return "at least " + counted(least, one);
  return least == most ? counted(most, one) : fmt::format("{} to {}", least, counted(most, one));
}

Result<void> checkCounts(const Node& node, const SchemaEntry& entry) {
  const auto inputs = static_cast<int64_t>(givenCount(node.inputs));
  const auto outputs = static_cast<int64_t>(givenCount(node.outputs));
  // Optional slots that are written down as absent still count towards the least number: Loop("m", "").
  if (static_cast<int64_t>(node.inputs.size()) < entry.minInputs || inputs > entry.maxInputs) {
    return fail(ErrorCode::kInvalidGraph, "{} takes {}, but the node has {}", node.opType,
                range(entry.minInputs, entry.maxInputs, "input"), inputs);
  }
  if (outputs < entry.minOutputs || outputs > entry.maxOutputs) {
    return fail(ErrorCode::kInvalidGraph, "{} gives {}, but the node has {}", node.opType,
                range(entry.minOutputs, entry.maxOutputs, "output"), outputs);
  }
  for (size_t slot = 0; slot < entry.inputs.size() && slot < node.inputs.size(); ++slot) {
    if (entry.inputs[slot].arity == FormalParameter::Arity::kSingle && !node.inputs[slot].valid() &&
        static_cast<int64_t>(slot) < entry.minInputs) {
      return fail(ErrorCode::kInvalidGraph, "the input '{}' of {} is required, but it is left out",
                  entry.inputs[slot].name, node.opType);
    }
  }
  return {};
}

const SchemaAttribute* findAttribute(const SchemaEntry& entry, std::string_view name) {
  for (const SchemaAttribute& each : entry.attributes) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

// onnx's own inference does not come to an end on some equations that are not well formed, so they are refused before
// it sees them.
Result<void> checkEinsumEquation(const Node& node) {
  const auto equation = node.attributeOr<std::string>("equation", "");
  const auto malformed = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidGraph, "the equation '{}' of Einsum {}", equation, why);
  };
  bool ellipsisInTerm = false;
  bool arrowSeen = false;
  for (size_t at = 0; at < equation.size(); ++at) {
    const char c = equation[at];
    const std::string_view rest = std::string_view(equation).substr(at);
    if (c == ',' && arrowSeen) return malformed("has a comma after its arrow");
    if (c == ',' || rest.starts_with("->")) {
      ellipsisInTerm = false;
      if (c == '-' && arrowSeen) return malformed("has two arrows");
      arrowSeen = arrowSeen || c == '-';
      at += c == '-' ? 1 : 0;
    } else if (rest.starts_with("...")) {
      if (ellipsisInTerm) return malformed("has two ellipses in one term");
      ellipsisInTerm = true;
      at += 2;
    } else if (c != ' ' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) {
      return malformed(fmt::format("has a '{}' where only letters, commas, '...' and '->' may stand", c));
    }
  }
  return {};
}

}  // namespace

const FormalParameter* formalOf(const std::vector<FormalParameter>& formals, size_t slot, size_t* index) {
  if (formals.empty()) return nullptr;
  if (slot >= formals.size() && formals.back().arity != FormalParameter::Arity::kVariadic) return nullptr;
  *index = std::min(slot, formals.size() - 1);
  return &formals[*index];
}

Result<void> checkSignature(const Graph& graph, NodeId id, const SchemaEntry& entry,
                            std::vector<InferenceWarning>& warnings) {
  const Node& node = graph.node(id);
  CUTAWAY_CHECK(checkCounts(node, entry));
  for (const Attribute& attribute : node.attributes) {
    const SchemaAttribute* schema = findAttribute(entry, attribute.name);
    if (schema == nullptr) {
      if (node.opType == "EPContext") continue;  // attributes of the provider's own
      warnings.push_back({nodeName(graph, id), "",
                          fmt::format("{} has no attribute '{}'; it is ignored", node.opType, attribute.name)});
      continue;
    }
    const std::string_view kind = attributeKindName(attribute.value);
    const bool open = std::holds_alternative<AttributeReference>(attribute.value) ||
                      std::holds_alternative<std::monostate>(attribute.value);
    // In memory an embedded context is a tensor of bytes, so that copies of the graph share it.
    if (node.opType == "EPContext" && kind == "TENSOR" && attribute.name == "ep_cache_context") continue;
    if (!open && schema->kind != kind && schema->kind != "UNDEFINED") {
      return fail(ErrorCode::kInvalidGraph, "attribute '{}' of {} should be {}, but it is {}", attribute.name,
                  node.opType, schema->kind, kind);
    }
  }
  for (const SchemaAttribute& schema : entry.attributes) {
    if (schema.required && node.findAttribute(schema.name) == nullptr)
      return fail(ErrorCode::kInvalidGraph, "the attribute '{}' of {} is required, but it is missing", schema.name,
                  node.opType);
  }
  CUTAWAY_CHECK(checkAttributeRanges(node));
  if (node.opType == "Einsum" && node.domain.empty()) return checkEinsumEquation(node);
  return {};
}

Result<std::vector<ValueType>> checkInputTypes(const Graph& graph, NodeId id, const SchemaEntry& entry) {
  const Node& node = graph.node(id);
  std::vector<ValueType> bound(entry.typeConstraints.size());
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    size_t index = 0;
    const FormalParameter* formal = formalOf(entry.inputs, slot, &index);
    if (formal == nullptr || !node.inputs[slot].valid()) continue;
    const Value& value = graph.value(node.inputs[slot]);
    if (!value.type.known() || (value.type.isTensor() && value.type.element == ElementType::kUndefined)) continue;
    const AllowedTypes& allowed = entry.inputTypes[index];
    if (!allowed.accepts(value.type)) {
      return fail(atValue({ErrorCode::kInvalidGraph,
                           fmt::format("input '{}' of {} (version {}) does not take {}", formal->name, node.opType,
                                       entry.sinceVersion, schemaTypeText(value.type)),
                           {}},
                          value.name));
    }
    if (allowed.variable < 0 || (formal->arity == FormalParameter::Arity::kVariadic && !formal->homogeneous)) continue;
    ValueType& variable = bound[allowed.variable];
    if (!variable.known()) {
      variable = value.type;
    } else if (variable.kind != value.type.kind || variable.element != value.type.element) {
      return fail(
          atValue({ErrorCode::kInvalidGraph,
                   fmt::format("the inputs of {} that share the type {} have different types: {} and {}", node.opType,
                               formal->typeText, schemaTypeText(variable), schemaTypeText(value.type)),
                   {}},
                  value.name));
    }
  }
  return bound;
}

}  // namespace cutaway

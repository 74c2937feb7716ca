// Sections out and in. Everything that a kernel would take on trust is checked here.
#include "engine/provider/graph_sections.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include "engine/graph/topology.h"
#include "engine/schema/graph_message.h"
#include "engine/schema/schema.h"

namespace cutaway {

namespace {

std::string sectionName(size_t number) {
  return kWeightSectionPrefix + std::to_string(number);
}

// One section for each piece of memory, however many tensors are it.
class WeightSections {
 public:
  std::optional<std::string> place(const Tensor& tensor) {
    if (tensor.sizeBytes() < kLeastWeightSection) return std::nullopt;
    const auto [entry, isNew] = m_byAddress.try_emplace({tensor.data(), tensor.sizeBytes()}, m_sections.size());
    if (isNew)
      m_sections.push_back({sectionName(m_sections.size()), tensor.bytes(), std::make_shared<const Tensor>(tensor)});
    return m_sections[entry->second].name;
  }
  std::vector<context_binary::ContextSection> take() { return std::move(m_sections); }

 private:
  std::map<std::pair<const void*, int64_t>, size_t> m_byAddress;
  std::vector<context_binary::ContextSection> m_sections;
};

// A value has one origin: a graph input, an initializer, a node or (in bodies) a graph around. connectScopes() has
// found those with none.
Result<void> checkOrigins(const Graph& graph) {
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    for (const ValueId output : node.outputs) {
      if (!output.valid()) continue;
      const Value& value = graph.value(output);
      if (value.producer != id || value.isInput || value.initializer)
        return fail(atNode(atValue({ErrorCode::kInvalidGraph, "this value is made twice", {}}, value.name), node.name));
    }
    if (node.sinceVersion == 0)
      return fail(atNode({ErrorCode::kInvalidGraph,
                          fmt::format("operator {} of domain '{}' is not known in version {}", node.opType, node.domain,
                                      node.opsetVersion),
                          {}},
                         node.name));
  }
  return {};
}

Result<void> checkOriginsBelow(const Graph& root) {
  Result<void> result;
  forEachGraph(root, [&](const Graph& graph) {
    if (result) result = checkOrigins(graph);
  });
  return result;
}

Result<void> checkPorts(const Graph& graph, std::span<const ValueId> values,
                        std::span<const context_binary::ContextPort> ports, const char* what) {
  if (values.size() != ports.size())
    return fail(ErrorCode::kInvalidGraph, "the graph has {} {}s, and the partition {}", values.size(), what,
                ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    const Value& value = graph.value(values[i]);
    const bool agrees = value.name == ports[i].name && value.type.kind == ports[i].type.kind &&
                        value.type.element == ports[i].type.element && value.type.shape == ports[i].type.shape;
    if (!agrees)
      return fail(ErrorCode::kInvalidGraph, "{} {} is '{}' {} in the graph, and '{}' {} in the partition", what, i,
                  value.name, toText(value.type), ports[i].name, toText(ports[i].type));
  }
  return {};
}

// The slot of a formal parameter that this slot is filled into; nullptr: none.
const FormalParameter* formalOf(const std::vector<FormalParameter>& formals, size_t slot) {
  if (slot < formals.size()) return &formals[slot];
  return !formals.empty() && formals.back().arity == FormalParameter::Arity::kVariadic ? &formals.back() : nullptr;
}

// The element type that the schema alone gives an output: that of an input of the same type variable, or the only one
// allowed. kUndefined: it says nothing.
ElementType elementBySchema(const OperatorSchema& schema, const Graph& graph, const Node& node,
                            const FormalParameter& output) {
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const FormalParameter* input = formalOf(schema.inputs, slot);
    if (input != nullptr && input->typeText == output.typeText && node.inputs[slot].valid())
      return graph.value(node.inputs[slot]).type.element;
  }
  const auto constraint = std::ranges::find(schema.typeConstraints, output.typeText, &TypeConstraint::name);
  const std::string_view only = constraint == schema.typeConstraints.end() ? std::string_view(output.typeText)
                                : constraint->allowed.size() == 1          ? std::string_view(constraint->allowed[0])
                                                                           : std::string_view();
  if (!only.starts_with("tensor(") || !only.ends_with(")")) return ElementType::kUndefined;
  return elementTypeFromName(only.substr(7, only.size() - 8)).value_or(ElementType::kUndefined);
}

// For a node whose inference fails: optimization computes constants that onnx's functions refuse and kernels take (a
// Range whose limits have rank 1). What kernels rely on is checked all the same.
Result<void> checkBySchema(const Graph& graph, NodeId id, Error error) {
  const Node& node = graph.node(id);
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  for (size_t slot = 0; slot < node.outputs.size() && schema != nullptr; ++slot) {
    if (!node.outputs[slot].valid()) continue;
    const ValueType& type = graph.value(node.outputs[slot]).type;
    const FormalParameter* formal = formalOf(schema->outputs, slot);
    const ElementType wanted =
        formal == nullptr ? ElementType::kUndefined : elementBySchema(*schema, graph, node, *formal);
    if (wanted == ElementType::kUndefined || !type.isTensor() || type.element != wanted) return fail(std::move(error));
  }
  return {};
}

// The types that follow from the operators may not contradict those that stand in the message. The message's are kept:
// they are what the group was compiled for.
Result<void> checkTypes(const Model& stored, const Progress& progress) {
  Model copy;
  copy.graph = stored.graph;
  copy.opsets = stored.opsets;
  std::vector<InferenceWarning> warnings;
  const InferenceOptions strict{.strict = true};
  const Result<void> inferred =
      inferGraph(copy, copy.graph, strict, warnings, [&progress] { return progress.cancelled(); });
  if (inferred || inferred.error().code != ErrorCode::kInvalidArgument) return inferred;
  // Initializers have their exact types now; node by node, to go on behind the one that cannot be told.
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(copy.graph));
  PartialData partial;
  for (const NodeId id : order) {
    if (progress.cancelled()) return fail(cancelledError());
    Result<void> one = inferNode(copy, copy.graph, id, strict, partial, warnings);
    if (!one && one.error().code != ErrorCode::kInvalidArgument) return one;
    if (!one) CUTAWAY_CHECK(checkBySchema(copy.graph, id, std::move(one).error()));
  }
  return {};
}

Result<Model> readChecked(const context_binary::ContextPartition& partition,
                          const std::shared_ptr<const void>& keepAlive, const Progress& progress) {
  const context_binary::ContextSection* message = partition.find(kGraphSection);
  if (message == nullptr) return fail(ErrorCode::kInvalidGraph, "there is no section '{}'", kGraphSection);
  std::unordered_map<std::string_view, const context_binary::ContextSection*> sections;
  for (const context_binary::ContextSection& section : partition.sections)
    sections.try_emplace(section.name, &section);
  const auto weight = [&](std::string_view place, ElementType type, std::span<const int64_t> dims) -> Result<Tensor> {
    const auto found = place.starts_with(kWeightSectionPrefix) ? sections.find(place) : sections.end();
    if (found == sections.end())
      return fail(ErrorCode::kInvalidGraph, "there is no section '{}' for a weight", place.substr(0, 64));
    return tensorInSection(*found->second, type, dims, keepAlive);
  };
  CUTAWAY_TRY(
      Model model,
      readGraphMessage(message->bytes, {.keepAlive = message->keepAlive != nullptr ? message->keepAlive : keepAlive,
                                        .weight = weight,
                                        .cancelled = [&progress] { return progress.cancelled(); }}));
  CUTAWAY_CHECK(checkOriginsBelow(model.graph));
  CUTAWAY_CHECK(checkPorts(model.graph, model.graph.inputs(), partition.inputs, "input"));
  CUTAWAY_CHECK(checkPorts(model.graph, model.graph.outputs(), partition.outputs, "output"));
  CUTAWAY_CHECK(checkTypes(model, progress));
  return model;
}

}  // namespace

Result<Tensor> tensorInSection(const context_binary::ContextSection& section, ElementType type,
                               std::span<const int64_t> dims, const std::shared_ptr<const void>& keepAlive) {
  constexpr size_t kTensorAlignment = 16;  // of the widest element; sections in files are at multiples of 64
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  if (sizeBytes != static_cast<int64_t>(section.bytes.size())) {
    return fail(ErrorCode::kInvalidGraph, "section '{}' has {} bytes, and {}{} needs {}", section.name,
                section.bytes.size(), elementTypeName(type), dimsToText(dims), sizeBytes);
  }
  if (reinterpret_cast<uintptr_t>(section.bytes.data()) % kTensorAlignment == 0)
    return Tensor::wrapConst(type, dims, section.bytes.data(),
                             section.keepAlive != nullptr ? section.keepAlive : keepAlive);
  CUTAWAY_TRY(Tensor copy, Tensor::create(type, dims));
  if (!section.bytes.empty()) std::memcpy(copy.mutableData(), section.bytes.data(), section.bytes.size());
  return copy;
}

Result<std::vector<context_binary::ContextSection>> writeGraphSections(const Graph& graph, const Model& model) {
  WeightSections weights;
  CUTAWAY_TRY(std::string written,
              writeGraphMessage(graph, model.opsets, [&](const Tensor& tensor) { return weights.place(tensor); }));
  const auto message = std::make_shared<const std::string>(std::move(written));
  std::vector<context_binary::ContextSection> sections;
  sections.push_back({kGraphSection, std::as_bytes(std::span(*message)), message});
  for (context_binary::ContextSection& section : weights.take())
    sections.push_back(std::move(section));
  return sections;
}

Result<Model> readGraphSections(const context_binary::ContextPartition& partition,
                                const std::shared_ptr<const void>& keepAlive, const Progress& progress) {
  Result<Model> read = readChecked(partition, keepAlive, progress);
  if (read || read.error().code == ErrorCode::kModelLoadCanceled) return read;
  Error error = std::move(read).error();
  error.code = ErrorCode::kEpFail;
  error.message = "the stored graph cannot be used: " + error.message;
  return fail(std::move(error));
}

}  // namespace cutaway

// Sections out and in. Everything that a kernel would take on trust is checked here.
#include "engine/provider/graph_sections.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include "engine/schema/graph_message.h"
#include "engine/schema/schema.h"

namespace cutaway {

namespace {

std::string sectionName(size_t number) { return kWeightSectionPrefix + std::to_string(number); }

// One section for each piece of memory, however many tensors are it.
class WeightSections {
 public:
  std::optional<std::string> place(const Tensor& tensor) {
    if (tensor.sizeBytes() < kLeastWeightSection) return std::nullopt;
    const auto [entry, isNew] = m_byAddress.try_emplace({tensor.data(), tensor.sizeBytes()}, m_sections.size());
    if (isNew) m_sections.push_back({sectionName(m_sections.size()), tensor.bytes(), std::make_shared<const Tensor>(tensor)});
    return m_sections[entry->second].name;
  }
  std::vector<ContextSection> take() { return std::move(m_sections); }

 private:
  std::map<std::pair<const void*, int64_t>, size_t> m_byAddress;
  std::vector<ContextSection> m_sections;
};

constexpr size_t kTensorAlignment = 16;  // of the widest element; sections in files are at multiples of 64

Result<Tensor> tensorOver(const ContextSection& section, ElementType type, std::span<const int64_t> dims, const std::shared_ptr<const void>& keepAlive) {
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  if (sizeBytes != static_cast<int64_t>(section.bytes.size())) {
    return fail(ErrorCode::kInvalidGraph, "section '{}' has {} bytes, and {}{} needs {}", section.name, section.bytes.size(), elementTypeName(type), dimsToText(dims), sizeBytes);
  }
  if (reinterpret_cast<uintptr_t>(section.bytes.data()) % kTensorAlignment == 0) return Tensor::wrapConst(type, dims, section.bytes.data(), section.keepAlive != nullptr ? section.keepAlive : keepAlive);
  CUTAWAY_TRY(Tensor copy, Tensor::create(type, dims));
  std::memcpy(copy.mutableData(), section.bytes.data(), section.bytes.size());
  return copy;
}

// A value has one origin: a graph input, an initializer, a node or (in bodies) a graph around. connectScopes() has found those with none.
Result<void> checkOrigins(const Graph& graph) {
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    for (const ValueId output : node.outputs) {
      if (!output.valid()) continue;
      const Value& value = graph.value(output);
      if (value.producer != id || value.isInput || value.initializer) return fail(atNode(atValue({ErrorCode::kInvalidGraph, "this value is made twice", {}}, value.name), node.name));
    }
    if (node.sinceVersion == 0) return fail(atNode({ErrorCode::kInvalidGraph, fmt::format("operator {} of domain '{}' is not known in version {}", node.opType, node.domain, node.opsetVersion), {}}, node.name));
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

Result<void> checkPorts(const Graph& graph, std::span<const ValueId> values, std::span<const ContextPort> ports, const char* what) {
  if (values.size() != ports.size()) return fail(ErrorCode::kInvalidGraph, "the graph has {} {}s, and the partition {}", values.size(), what, ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    const Value& value = graph.value(values[i]);
    const bool agrees = value.name == ports[i].name && value.type.kind == ports[i].type.kind && value.type.element == ports[i].type.element && value.type.shape == ports[i].type.shape;
    if (!agrees) return fail(ErrorCode::kInvalidGraph, "{} {} is '{}' {} in the graph, and '{}' {} in the partition", what, i, value.name, toText(value.type), ports[i].name, toText(ports[i].type));
  }
  return {};
}

// The types that follow from the operators may not contradict those that stand in the message. The message's are kept: they are what the group was compiled for.
Result<void> checkTypes(const Model& stored, const Progress& progress) {
  Model copy;
  copy.graph = stored.graph;
  copy.opsets = stored.opsets;
  std::vector<InferenceWarning> warnings;
  return inferGraph(copy, copy.graph, {.strict = true}, warnings, [&progress] { return progress.cancelled(); });
}

Result<Model> readChecked(const ContextPartition& partition, const std::shared_ptr<const void>& keepAlive, const Progress& progress) {
  const ContextSection* message = partition.find(kGraphSection);
  if (message == nullptr) return fail(ErrorCode::kInvalidGraph, "there is no section '{}'", kGraphSection);
  std::unordered_map<std::string_view, const ContextSection*> sections;
  for (const ContextSection& section : partition.sections) sections.try_emplace(section.name, &section);
  const auto weight = [&](std::string_view place, ElementType type, std::span<const int64_t> dims) -> Result<Tensor> {
    const auto found = place.starts_with(kWeightSectionPrefix) ? sections.find(place) : sections.end();
    if (found == sections.end()) return fail(ErrorCode::kInvalidGraph, "there is no section '{}' for a weight", place.substr(0, 64));
    return tensorOver(*found->second, type, dims, keepAlive);
  };
  CUTAWAY_TRY(Model model, readGraphMessage(message->bytes, {.keepAlive = message->keepAlive != nullptr ? message->keepAlive : keepAlive, .weight = weight, .cancelled = [&progress] { return progress.cancelled(); }}));
  CUTAWAY_CHECK(checkOriginsBelow(model.graph));
  CUTAWAY_CHECK(checkPorts(model.graph, model.graph.inputs(), partition.inputs, "input"));
  CUTAWAY_CHECK(checkPorts(model.graph, model.graph.outputs(), partition.outputs, "output"));
  CUTAWAY_CHECK(checkTypes(model, progress));
  return model;
}

}  // namespace

Result<std::vector<ContextSection>> writeGraphSections(const Graph& graph, const Model& model) {
  WeightSections weights;
  CUTAWAY_TRY(std::string written, writeGraphMessage(graph, model.opsets, [&](const Tensor& tensor) { return weights.place(tensor); }));
  const auto message = std::make_shared<const std::string>(std::move(written));
  std::vector<ContextSection> sections;
  sections.push_back({kGraphSection, std::as_bytes(std::span(*message)), message});
  for (ContextSection& section : weights.take()) sections.push_back(std::move(section));
  return sections;
}

Result<Model> readGraphSections(const ContextPartition& partition, const std::shared_ptr<const void>& keepAlive, const Progress& progress) {
  Result<Model> read = readChecked(partition, keepAlive, progress);
  if (read || read.error().code == ErrorCode::kModelLoadCanceled) return read;
  Error error = std::move(read).error();
  error.code = ErrorCode::kEpFail;
  error.message = "the stored graph cannot be used: " + error.message;
  return fail(std::move(error));
}

}  // namespace cutaway

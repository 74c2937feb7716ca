// A model in the ORT format becomes a Model: header, then graphs from a work list, so that the file does not control
// the depth of our calls.

#include "engine/stages/load/ort_format/ort_model.h"

#include <algorithm>
#include <charconv>

#include "engine/base/input_budget.h"
#include "engine/base/node_name.h"
#include "engine/base/progress.h"
#include "engine/stages/load/ort_format/ort_fields.h"
#include "engine/stages/load/ort_format/ort_values.h"

namespace cutaway::load::ort {

namespace {

constexpr std::string_view kIdentifier = "ORTM";
constexpr size_t kIdentifierPlace = 4;
constexpr int kOldestVersion = 2;
constexpr int kNewestVersion = 6;
constexpr size_t kNodesBetweenChecks = 256;

constexpr std::string_view kMakeAgain =
    "make it again from the ONNX model (`python -m onnxruntime.tools.convert_onnx_models_to_ort model.onnx`), or open "
    "that one";

std::string domainOf(std::string domain) {
  return domain == "ai.onnx" ? std::string() : std::move(domain);
}

Result<int> readVersion(const FlatTable& session) {
  const std::string text = session.text(kSessionVersion);
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::kInvalidProtobuf, "{} is '{}', not a number: {}", kSessionVersion.name, text.substr(0, 40),
                kMakeAgain);
  if (version < kOldestVersion || version > kNewestVersion) {
    return fail(ErrorCode::kNotImplemented, "{} is {}: versions {} to {} of the ORT format are read; {}",
                kSessionVersion.name, version, kOldestVersion, kNewestVersion, kMakeAgain);
  }
  return version;
}

void readHeader(const FlatTable& stored, Model& model) {
  model.irVersion = stored.number<int64_t>(kModelIrVersion);
  for (const FlatTable& each : stored.tables(kModelOpsetImport))
    model.opsets.push_back({domainOf(each.text(kOpsetDomain)), each.number<int64_t>(kOpsetVersion)});
  model.producerName = stored.text(kModelProducerName);
  model.producerVersion = stored.text(kModelProducerVersion);
  model.domain = stored.text(kModelDomain);
  model.modelVersion = stored.number<int64_t>(kModelVersion);
  model.documentation = stored.text(kModelDocumentation);
  if (model.documentation.empty()) model.documentation = stored.text(kModelGraphDocumentation);
  for (const FlatTable& each : stored.tables(kModelMetadata))
    model.metadata.insert_or_assign(each.text(kEntryKey), each.text(kEntryValue));
}

struct PendingGraph {
  Graph* graph = nullptr;
  FlatTable stored;
  std::string name;
  std::string path;
  int depth = 0;
};

// An attribute's graphs, to be read later.
struct StoredBodies {
  size_t attribute = 0;
  std::vector<FlatTable> graphs;
};

class GraphReader {
 public:
  GraphReader(FlatBuffer& buffer, const ReadSettings& settings, int64_t irVersion)
      : m_buffer(buffer), m_settings(settings), m_irVersion(irVersion) {}

  Result<void> read(const FlatTable& stored, Graph& graph) {
    m_pending.push_back({&graph, stored, "main", "", 0});
    while (!m_pending.empty()) {
      const PendingGraph next = std::move(m_pending.back());
      m_pending.pop_back();
      auto done = readGraph(next);
      if (!done) return fail(next.path.empty() ? std::move(done).error() : atNode(std::move(done).error(), next.path));
    }
    return {};
  }
  int64_t copiedBytes() const { return m_copiedBytes; }

 private:
  Result<void> readGraph(const PendingGraph& pending);
  Result<void> addInputs(const PendingGraph& pending, const std::vector<std::pair<std::string, ValueType>>& values);
  Result<void> addWeights(const PendingGraph& pending);
  Result<void> addNode(const PendingGraph& pending, const FlatTable& stored);
  Result<std::vector<std::pair<std::string, ValueType>>> readValues(const FlatTable& graph);
  Result<Attribute> readAttribute(const FlatTable& stored, std::vector<FlatTable>& bodies);
  Result<void> readAttributes(const FlatTable& stored, Node& node, std::vector<StoredBodies>& bodies);
  void tellOptimizations(const FlatTable& graph);
  bool cancelled() const { return m_settings.cancelled && m_settings.cancelled(); }

  FlatBuffer& m_buffer;
  const ReadSettings& m_settings;
  int64_t m_irVersion;
  int64_t m_copiedBytes = 0;
  std::vector<PendingGraph> m_pending;
};

Result<std::vector<std::pair<std::string, ValueType>>> GraphReader::readValues(const FlatTable& graph) {
  std::vector<std::pair<std::string, ValueType>> values;
  for (const FlatTable& each : graph.tables(kGraphValues)) {
    std::string name = each.text(kValueName);
    auto type = readType(each.table(kValueTypeInfo));
    CUTAWAY_CHECK(m_buffer.status());
    if (!type) return fail(atValue(std::move(type).error(), name));
    if (!name.empty()) values.emplace_back(std::move(name), *std::move(type));
  }
  std::ranges::stable_sort(values, {}, &std::pair<std::string, ValueType>::first);
  return values;
}

Result<void> GraphReader::addInputs(const PendingGraph& pending,
                                    const std::vector<std::pair<std::string, ValueType>>& values) {
  Graph& graph = *pending.graph;
  for (std::string& name : pending.stored.texts(kGraphInputs)) {
    if (name.empty()) return fail(ErrorCode::kInvalidGraph, "a graph input has no name");
    const ValueId existing = graph.findValue(name);
    if (existing.valid() && graph.value(existing).isInput)
      return fail(atValue({ErrorCode::kFail, fmt::format("the graph input '{}' is listed twice", name), {}}, name));
    const auto declared = std::ranges::lower_bound(values, name, {}, &std::pair<std::string, ValueType>::first);
    const bool known = declared != values.end() && declared->first == name;
    graph.addInput(std::move(name), known ? declared->second : ValueType());
  }
  return {};
}

Result<void> GraphReader::addWeights(const PendingGraph& pending) {
  const auto add = [&](Result<NamedTensor> read) -> Result<void> {
    CUTAWAY_CHECK(m_buffer.status());
    if (!read) return fail(std::move(read).error());
    if (read->name.empty()) return fail(ErrorCode::kInvalidGraph, "an initializer has no name");
    pending.graph->addInitializer(std::move(read->name), std::move(read->tensor));
    return cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  };
  for (const FlatTable& each : pending.stored.tables(kGraphSparseInitializers))
    CUTAWAY_CHECK(add(readSparseTensor(each, m_settings.keepAlive, m_copiedBytes)));
  for (const FlatTable& each : pending.stored.tables(kGraphInitializers))
    CUTAWAY_CHECK(add(readTensor(each, m_settings.keepAlive, m_copiedBytes)));
  return {};
}

Result<Attribute> GraphReader::readAttribute(const FlatTable& stored, std::vector<FlatTable>& bodies) {
  Attribute attribute;
  attribute.name = stored.text(kAttributeName);
  AttributeValue& value = attribute.value;
  const auto type = stored.number<int32_t>(kAttributeType);
  switch (static_cast<AttributeType>(type)) {
    case AttributeType::kFloat:
      value = stored.number<float>(kAttributeFloat);
      break;
    case AttributeType::kInt:
      value = stored.number<int64_t>(kAttributeInt);
      break;
    case AttributeType::kString:
      value = stored.text(kAttributeString);
      break;
    case AttributeType::kTensor: {
      CUTAWAY_TRY(NamedTensor tensor, readTensor(stored.table(kAttributeTensor), m_settings.keepAlive, m_copiedBytes));
      value = std::move(tensor.tensor);
      break;
    }
    case AttributeType::kGraph:
      value = GraphBox(Graph());
      bodies.push_back(stored.table(kAttributeGraph));
      break;
    case AttributeType::kFloats:
      value = stored.numbers<float>(kAttributeFloats);
      break;
    case AttributeType::kInts:
      value = stored.numbers<int64_t>(kAttributeInts);
      break;
    case AttributeType::kStrings:
      value = stored.texts(kAttributeStrings);
      break;
    case AttributeType::kTensors: {
      std::vector<Tensor> tensors;
      for (const FlatTable& each : stored.tables(kAttributeTensors)) {
        CUTAWAY_TRY(NamedTensor tensor, readTensor(each, m_settings.keepAlive, m_copiedBytes));
        tensors.push_back(std::move(tensor.tensor));
      }
      value = std::move(tensors);
      break;
    }
    case AttributeType::kGraphs:
      bodies = stored.tables(kAttributeGraphs);
      value = std::vector<GraphBox>(bodies.size(), GraphBox(Graph()));
      break;
    default:
      return fail(ErrorCode::kNotImplemented, "attribute '{}' is of kind {}, which the ORT format does not store",
                  attribute.name, type);
  }
  return attribute;
}

Result<void> GraphReader::readAttributes(const FlatTable& stored, Node& node, std::vector<StoredBodies>& bodies) {
  for (const FlatTable& each : stored.tables(kNodeAttributes)) {
    std::vector<FlatTable> graphs;
    auto attribute = readAttribute(each, graphs);
    CUTAWAY_CHECK(m_buffer.status());
    if (!attribute) return fail(std::move(attribute).error());
    if (node.findAttribute(attribute->name) != nullptr)
      return fail(ErrorCode::kInvalidGraph, "attribute '{}' is given twice", attribute->name);
    if (!graphs.empty()) bodies.push_back({node.attributes.size(), std::move(graphs)});
    node.attributes.push_back(*std::move(attribute));
  }
  return m_buffer.status();
}

Result<void> GraphReader::addNode(const PendingGraph& pending, const FlatTable& stored) {
  Graph& graph = *pending.graph;
  Node node;
  node.name = stored.text(kNodeName);
  node.opType = stored.text(kNodeOperator);
  node.domain = domainOf(stored.text(kNodeDomain));
  node.documentation = stored.text(kNodeDocumentation);
  CUTAWAY_CHECK(m_buffer.status());
  if (node.opType.empty()) return fail(atNode({ErrorCode::kInvalidGraph, "a node has no operator", {}}, node.name));
  const std::string place = nodeName(node.name, node.opType, graph.nodeSlots());
  if (stored.number<int32_t>(kNodeType) == kFusedNode) {
    return fail(atNode({ErrorCode::kNotImplemented,
                        fmt::format("{} is {}: an execution provider compiled this node, and its program is not in "
                                    "the file; {}",
                                    kNodeType.name, kFusedNode, kMakeAgain),
                        {}},
                       place));
  }
  std::vector<StoredBodies> bodies;
  if (auto read = readAttributes(stored, node, bodies); !read) return fail(atNode(std::move(read).error(), place));
  if (!bodies.empty() && pending.depth >= kInputBudget.bodyDepth)
    return fail(atNode(
        {ErrorCode::kInvalidGraph, fmt::format("bodies nest more than {} levels", kInputBudget.bodyDepth), {}}, place));
  const std::vector<std::string> outputs = stored.texts(kNodeOutputs);
  std::vector<ValueId> inputs;
  for (std::string& name : stored.texts(kNodeInputs))
    inputs.push_back(name.empty() ? ValueId() : graph.addValue(std::move(name)));
  CUTAWAY_CHECK(m_buffer.status());
  CUTAWAY_CHECK(refuseSecondProducer(graph, outputs, place));
  Node& added = graph.mutableNode(graph.addNode(std::move(node), inputs, outputs));
  const std::string prefix = pending.path.empty() ? place : pending.path + "/" + place;
  for (StoredBodies& each : bodies) {
    Attribute& attribute = added.attributes[each.attribute];
    const std::string path = prefix + "/" + attribute.name;
    if (auto* box = std::get_if<GraphBox>(&attribute.value)) {
      m_pending.push_back({&**box, each.graphs.front(), attribute.name, path, pending.depth + 1});
    } else if (auto* boxes = std::get_if<std::vector<GraphBox>>(&attribute.value)) {
      for (size_t i = 0; i < each.graphs.size(); ++i)
        m_pending.push_back(
            {&*(*boxes)[i], each.graphs[i], attribute.name, fmt::format("{}_{}", path, i), pending.depth + 1});
    }
  }
  return {};
}

Result<void> GraphReader::readGraph(const PendingGraph& pending) {
  Graph& graph = *pending.graph;
  if (!pending.stored) return fail(ErrorCode::kInvalidGraph, "the graph is missing: {}", kMakeAgain);
  graph.setName(pending.name);
  graph.overridableInitializers = m_irVersion >= 4;
  graph.loadedFromFile = true;
  CUTAWAY_TRY(const auto values, readValues(pending.stored));
  CUTAWAY_CHECK(addInputs(pending, values));
  CUTAWAY_CHECK(addWeights(pending));
  size_t count = 0;
  for (const FlatTable& each : pending.stored.tables(kGraphNodes)) {
    if (++count % kNodesBetweenChecks == 0 && cancelled()) return fail(cancelledError());
    CUTAWAY_CHECK(addNode(pending, each));
  }
  for (std::string& name : pending.stored.texts(kGraphOutputs)) {
    if (name.empty()) return fail(ErrorCode::kInvalidGraph, "a graph output has no name");
    graph.addOutput(graph.addValue(std::move(name)));
  }
  CUTAWAY_CHECK(m_buffer.status());
  // The file also lists values that its optimiser took out of the graph.
  for (const auto& [name, type] : values) {
    if (graph.findValue(name).valid()) graph.addValue(name, type);
  }
  tellOptimizations(pending.stored);
  return m_buffer.status();
}

// Optimisations that onnxruntime recorded when it saved the file, to be done where it is run.
void GraphReader::tellOptimizations(const FlatTable& graph) {
  const FlatTable optimizations = graph.table(kGraphOptimizations);
  if (m_settings.warnings == nullptr) return;
  for (const FlatTable& each : optimizations.tables(kOptimizationRecords))
    m_settings.warnings->push_back(
        fmt::format("the file asks onnxruntime to do {} when it is run; it is not done here, the optimiser's own rules "
                    "are",
                    each.text(kRecordsOptimizer)));
}

Result<ReadFigures> readChecked(FlatBuffer& buffer, const ReadSettings& settings, Model& model) {
  const FlatTable session = buffer.root();
  CUTAWAY_CHECK(buffer.status());
  ReadFigures figures;
  CUTAWAY_TRY(figures.version, readVersion(session));
  const FlatTable stored = session.table(kSessionModel);
  readHeader(stored, model);
  const FlatTable graph = stored.table(kModelGraph);
  CUTAWAY_CHECK(buffer.status());
  if (!graph) return fail(ErrorCode::kInvalidArgument, "the model has no graph: {}", kMakeAgain);
  GraphReader reader(buffer, settings, model.irVersion);
  CUTAWAY_CHECK(reader.read(graph, model.graph));
  figures.copiedBytes = reader.copiedBytes();
  return figures;
}

}  // namespace

bool isOrtModel(ByteSpan bytes) {
  const std::string_view text = textOf(bytes);
  return text.size() >= kIdentifierPlace + kIdentifier.size() &&
         text.substr(kIdentifierPlace, kIdentifier.size()) == kIdentifier;
}

Result<ReadFigures> readModel(ByteSpan bytes, const ReadSettings& settings, Model& model) {
  FlatBuffer buffer(bytes);
  auto figures = readChecked(buffer, settings, model);
  // Damage shows in what was read before it is asked for: the damage is the cause then.
  if (buffer.failed()) {
    return fail(ErrorCode::kInvalidProtobuf, "this ORT-format model is damaged or cut short: {}; {}",
                buffer.status().error().message, kMakeAgain);
  }
  return figures;
}

}  // namespace cutaway::load::ort

// GraphProto, NodeProto, AttributeProto and FunctionProto become Graph and Function.
//
// A graph is read in the order that the meaning of its names asks for: Constant nodes become initializers first, then
// sparse initializers, inputs, initializers, outputs, value types, nodes. Bodies found on the way are put on a list and
// read after the graph around them, so that the file does not control the depth of our calls.

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "engine/base/input_budget.h"
#include "engine/base/node_name.h"
#include "engine/base/progress.h"
#include "engine/base/short_name.h"
#include "engine/schema/proto_reader.h"

namespace cutaway {

struct ProtoReader::PendingBody {
  Graph* graph = nullptr;
  ByteSpan bytes;
  std::string path;
  int depth = 0;
};

struct ProtoReader::NodeText {
  Node node;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<PendingBytes> bodies;
  std::string layer;
};

namespace {

constexpr size_t kNodesBetweenChecks = 256;
constexpr std::string_view kLayerKey = "layer_ann";

struct GraphFields {
  std::string name;
  std::vector<ByteSpan> nodes, initializers, sparseInitializers, inputs, outputs, valueInfos;
};

Result<GraphFields> splitGraph(ByteSpan bytes) {
  WireReader reader(bytes);
  GraphFields fields;
  while (reader.next()) {
    if (!reader.isBytes()) continue;
    switch (reader.number()) {
      case 1:
        fields.nodes.push_back(reader.bytes());
        break;
      case 2:
        fields.name = reader.string();
        break;
      case 5:
        fields.initializers.push_back(reader.bytes());
        break;
      case 11:
        fields.inputs.push_back(reader.bytes());
        break;
      case 12:
        fields.outputs.push_back(reader.bytes());
        break;
      case 13:
        fields.valueInfos.push_back(reader.bytes());
        break;
      case 15:
        fields.sparseInitializers.push_back(reader.bytes());
        break;
      default:
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  return fields;
}

// The kind of an attribute without `type` (IR below 3) is told by the field that is set.
AttributeValue emptyValueOfKind(uint64_t kind) {
  switch (kind) {
    case 1:
      return 0.0f;
    case 2:
      return int64_t{0};
    case 3:
      return std::string();
    case 6:
      return std::vector<float>();
    case 7:
      return std::vector<int64_t>();
    case 8:
      return std::vector<std::string>();
    case 9:
      return std::vector<Tensor>();
    case 10:
      return std::vector<GraphBox>();
    case 12:
      return std::vector<SparseTensor>();
    case 14:
      return std::vector<ValueType>();
    default:
      return std::monostate();
  }
}

template <typename T>
T& ensure(AttributeValue& value) {
  if (auto* held = heldAs<T>(value)) return *held;
  return value.emplace<T>();
}

bool isGraphKind(uint64_t kind) {
  return kind == 5 || kind == 10;
}

Result<void> readNumbers(WireReader& reader, AttributeValue& value) {
  if (reader.number() == 7) {
    auto& floats = ensure<std::vector<float>>(value);
    if (reader.isFixed32()) floats.push_back(reader.asFloat());
    if (reader.isBytes()) {
      if (reader.bytes().size() % sizeof(float) != 0)
        return fail(ErrorCode::kInvalidProtobuf, "a list of floats is cut short");
      const size_t count = reader.bytes().size() / sizeof(float);
      const size_t old = floats.size();
      floats.resize(old + count);
      if (count > 0) std::memcpy(floats.data() + old, reader.bytes().data(), reader.bytes().size());
    }
    return {};
  }
  auto& integers = ensure<std::vector<int64_t>>(value);
  if (reader.isVarint()) integers.push_back(reader.signedInteger());
  if (reader.isBytes()) {
    ByteSpan rest = reader.bytes();
    uint64_t each = 0;
    while (!rest.empty()) {
      if (!WireReader::takeVarint(rest, each))
        return fail(ErrorCode::kInvalidProtobuf, "a list of integers is malformed");
      integers.push_back(static_cast<int64_t>(each));
    }
  }
  return {};
}

// The shapes of what the nodes make of it would be as long.
Result<void> checkRank(const Tensor& tensor, const std::string& name) {
  if (tensor.rank() <= kInputBudget.rank) return {};
  return fail(atValue(
      {ErrorCode::kInvalidGraph,
       fmt::format("the initializer '{}' has {} dimensions; {} are the most", name, tensor.rank(), kInputBudget.rank),
       {}},
      name));
}

// The name under which a body is found: its node's name, or operator and position when it has none.
std::string nodePlace(const Node& node, size_t index) {
  return nodeName(node.name, node.opType, index);
}

}  // namespace

void ProtoReader::warn(std::string message) {
  if (m_settings.warnings != nullptr) m_settings.warnings->push_back(std::move(message));
}

// -1 is what many programs write for an open dimension; other negative sizes are somebody's mistake.
Result<ValueInfo> ProtoReader::readDeclared(ByteSpan bytes) {
  CUTAWAY_TRY(ValueInfo info, readValueInfo(bytes));
  if (info.leastSize < -1)
    warn(fmt::format("the value '{}' has a dimension of {}; it is taken as open", info.name, info.leastSize));
  return info;
}

// The parts of an attribute that are messages of their own: tensors, graphs, types.
Result<void> ProtoReader::readAttributeMessage(WireReader& reader, uint64_t kind, AttributeValue& value,
                                               std::vector<ByteSpan>& bodies) {
  switch (reader.number()) {
    case 5:
      if (kind == 0 || kind == 4) {
        CUTAWAY_TRY(NamedTensor tensor, readTensor(reader.bytes()));
        value = std::move(tensor.tensor);
      }
      break;
    case 6:
      if (kind == 0 || kind == 5) {
        value = GraphBox(Graph());
        bodies.assign({reader.bytes()});
      }
      break;
    case 10:
      if (kind == 0 || kind == 9) {
        CUTAWAY_TRY(NamedTensor tensor, readTensor(reader.bytes()));
        ensure<std::vector<Tensor>>(value).push_back(std::move(tensor.tensor));
      }
      break;
    case 11:
      if (kind == 0 || kind == 10) {
        ensure<std::vector<GraphBox>>(value).emplace_back(Graph());
        bodies.push_back(reader.bytes());
      }
      break;
    case 14:
      if (kind == 0 || kind == 13) {
        CUTAWAY_TRY(value, readType(reader.bytes()));
      }
      break;
    case 15:
      if (kind == 0 || kind == 14) {
        CUTAWAY_TRY(ValueType type, readType(reader.bytes()));
        ensure<std::vector<ValueType>>(value).push_back(std::move(type));
      }
      break;
    case 22:
      if (kind == 0 || kind == 11) {
        CUTAWAY_TRY(value, readSparseTensor(reader.bytes()));
      }
      break;
    case 23:
      if (kind == 0 || kind == 12) {
        CUTAWAY_TRY(SparseTensor sparse, readSparseTensor(reader.bytes()));
        ensure<std::vector<SparseTensor>>(value).push_back(std::move(sparse));
      }
      break;
    default:
      break;
  }
  return {};
}

Result<Attribute> ProtoReader::readAttribute(ByteSpan bytes, std::vector<ByteSpan>& bodies) {
  WireReader kinds(bytes);
  uint64_t kind = 0;
  Attribute attribute;
  while (kinds.next()) {
    if (kinds.number() == 20 && kinds.isVarint()) kind = kinds.integer();
    if (kinds.number() == 1 && kinds.isBytes()) attribute.name = kinds.string();
    if (kinds.number() == 21 && kinds.isBytes() && !kinds.bytes().empty())
      attribute.value = AttributeReference{kinds.string()};
  }
  CUTAWAY_CHECK(kinds.status());
  if (std::holds_alternative<AttributeReference>(attribute.value)) return attribute;
  attribute.value = emptyValueOfKind(kind);
  AttributeValue& value = attribute.value;
  WireReader reader(bytes);
  while (reader.next()) {
    const bool message = reader.isBytes();
    switch (reader.number()) {
      case 2:
        if (reader.isFixed32() && (kind == 0 || kind == 1)) value = reader.asFloat();
        break;
      case 3:
        if (reader.isVarint() && (kind == 0 || kind == 2)) value = reader.signedInteger();
        break;
      case 4:
        if (message && (kind == 0 || kind == 3)) value = reader.string();
        break;
      case 7:
        if (kind == 0 || kind == 6) CUTAWAY_CHECK(readNumbers(reader, value));
        break;
      case 8:
        if (kind == 0 || kind == 7) CUTAWAY_CHECK(readNumbers(reader, value));
        break;
      case 9:
        if (message && (kind == 0 || kind == 8)) ensure<std::vector<std::string>>(value).push_back(reader.string());
        break;
      default:
        if (message) CUTAWAY_CHECK(readAttributeMessage(reader, kind, value, bodies));
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (isGraphKind(kind) && bodies.empty() && kind == 5)
    return fail(ErrorCode::kInvalidGraph, "attribute '{}' has no graph", attribute.name);
  return attribute;
}

Result<ProtoReader::NodeText> ProtoReader::readNode(ByteSpan bytes) {
  WireReader reader(bytes);
  NodeText text;
  std::vector<ByteSpan> attributes;
  while (reader.next()) {
    if (!reader.isBytes()) continue;
    switch (reader.number()) {
      case 1:
        text.inputs.push_back(reader.string());
        break;
      case 2:
        text.outputs.push_back(reader.string());
        break;
      case 3:
        text.node.name = reader.string();
        break;
      case 4:
        text.node.opType = reader.string();
        break;
      case 5:
        attributes.push_back(reader.bytes());
        break;
      case 6:
        text.node.documentation = reader.string();
        break;
      case 7:
        text.node.domain = reader.string();
        break;
      case 8:
        text.node.overload = reader.string();
        break;
      case 9: {
        CUTAWAY_TRY(auto entry, readStringEntry(reader.bytes()));
        if (entry.first == kLayerKey) text.layer = entry.second;
        text.node.metadata.push_back(std::move(entry));
        break;
      }
      default:
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (text.node.domain == "ai.onnx") text.node.domain.clear();
  const std::string& place = text.node.name.empty() ? text.node.opType : text.node.name;
  if (text.node.opType.empty()) return fail(atNode({ErrorCode::kInvalidGraph, "a node has no operator", {}}, place));
  text.node.attributes.reserve(attributes.size());
  std::unordered_set<std::string> names;
  for (ByteSpan each : attributes) {
    std::vector<ByteSpan> bodies;
    auto attribute = readAttribute(each, bodies);
    if (!attribute) return fail(atNode(std::move(attribute).error(), place));
    if (attributes.size() > 1 && !names.insert(attribute->name).second)
      return fail(
          atNode({ErrorCode::kInvalidGraph, fmt::format("attribute '{}' is given twice", attribute->name), {}}, place));
    text.node.attributes.push_back(*std::move(attribute));
    if (!bodies.empty()) text.bodies.push_back({text.node.attributes.size() - 1, std::move(bodies)});
  }
  return text;
}

Result<void> refuseSecondProducer(const Graph& graph, const std::vector<std::string>& outputs,
                                  const std::string& place) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : outputs) {
    if (name.empty()) continue;
    const ValueId existing = graph.findValue(name);
    const bool twice = outputs.size() > 1 && !seen.insert(name).second;
    if (twice || (existing.valid() && graph.value(existing).producer.valid())) {
      return fail(atNode(
          atValue({ErrorCode::kInvalidGraph, fmt::format("value '{}' is made by more than one node", name), {}}, name),
          place));
    }
  }
  return {};
}

Result<void> ProtoReader::addNode(Graph& graph, NodeText text, const std::string& path, int depth,
                                  std::vector<PendingBody>& pending) {
  const size_t index = graph.nodeSlots();
  const std::string place = nodePlace(text.node, index);
  CUTAWAY_CHECK(refuseSecondProducer(graph, text.outputs, place));
  std::vector<ValueId> inputs;
  inputs.reserve(text.inputs.size());
  for (const std::string& name : text.inputs) {
    const ValueId known = name.empty() ? ValueId() : graph.findValue(name);
    inputs.push_back(known.valid() || name.empty() ? known : graph.addValue(name));
  }
  const NodeId id = graph.addNode(std::move(text.node), inputs, text.outputs);
  if (!text.layer.empty() && m_settings.layers != nullptr && !m_inFunction)
    m_settings.layers->push_back({&graph, id, std::move(text.layer)});
  if (text.bodies.empty()) return {};
  if (depth >= kInputBudget.bodyDepth)
    return fail(atNode(
        {ErrorCode::kInvalidGraph, fmt::format("bodies nest more than {} levels", kInputBudget.bodyDepth), {}}, place));
  Node& node = graph.mutableNode(id);
  const std::string prefix = path.empty() ? place : path + "/" + place;
  for (const PendingBytes& bodies : text.bodies) {
    Attribute& attribute = node.attributes[bodies.attribute];
    const std::string bodyPath = shortName(prefix + "/" + attribute.name, kInputBudget.pathBytes);
    if (auto* box = std::get_if<GraphBox>(&attribute.value)) {
      pending.push_back({&**box, bodies.bodies.front(), bodyPath, depth + 1});
    } else if (auto* boxes = std::get_if<std::vector<GraphBox>>(&attribute.value)) {
      for (size_t i = 0; i < boxes->size() && i < bodies.bodies.size(); ++i)
        pending.push_back({&*(*boxes)[i], bodies.bodies[i], fmt::format("{}_{}", bodyPath, i), depth + 1});
    }
  }
  return {};
}

Result<void> ProtoReader::finishBodies(std::vector<PendingBody>& pending) {
  while (!pending.empty()) {
    PendingBody body = std::move(pending.back());
    pending.pop_back();
    auto read = readOneGraph(body.bytes, body.path, body.depth, *body.graph, pending);
    if (!read) return fail(atNode(std::move(read).error(), body.path));
  }
  return {};
}

Result<void> ProtoReader::readGraph(ByteSpan bytes, const std::string& path, Graph& graph) {
  m_inFunction = false;
  std::vector<PendingBody> pending;
  CUTAWAY_CHECK(readOneGraph(bytes, path, 0, graph, pending));
  return finishBodies(pending);
}

Result<void> ProtoReader::readOneGraph(ByteSpan bytes, const std::string& path, int depth, Graph& graph,
                                       std::vector<PendingBody>& pending) {
  CUTAWAY_TRY(const GraphFields fields, splitGraph(bytes));
  graph.setName(fields.name);
  graph.overridableInitializers = m_settings.irVersion >= 4;
  graph.loadedFromFile = !fields.nodes.empty() || !fields.outputs.empty();
  for (ByteSpan each : fields.inputs) {
    CUTAWAY_TRY(ValueInfo input, readDeclared(each));
    if (input.name.empty()) return fail(ErrorCode::kInvalidGraph, "a graph input has no name");
    const ValueId existing = graph.findValue(input.name);
    if (existing.valid() && graph.value(existing).isInput)
      return fail(
          atValue({ErrorCode::kFail, fmt::format("the graph input '{}' is listed twice", input.name), {}}, input.name));
    graph.addInput(std::move(input.name), std::move(input.type));
  }
  for (ByteSpan each : fields.sparseInitializers)
    CUTAWAY_CHECK(addSparseInitializer(graph, each));
  for (ByteSpan each : fields.initializers) {
    CUTAWAY_CHECK(addInitializer(graph, each));
    if (m_settings.cancelled && m_settings.cancelled()) return fail(cancelledError());
  }
  std::vector<std::string> outputs;
  for (ByteSpan each : fields.outputs) {
    CUTAWAY_TRY(ValueInfo output, readDeclared(each));
    if (output.name.empty()) return fail(ErrorCode::kInvalidGraph, "a graph output has no name");
    graph.addValue(output.name, std::move(output.type));
    outputs.push_back(std::move(output.name));
  }
  for (ByteSpan each : fields.valueInfos) {
    CUTAWAY_TRY(ValueInfo info, readDeclared(each));
    if (!info.name.empty()) graph.addValue(std::move(info.name), std::move(info.type));
  }
  CUTAWAY_CHECK(addNodes(fields.nodes, path, depth, graph, pending));
  for (const std::string& name : outputs)
    graph.addOutput(graph.findValue(name));
  return {};
}

Result<void> ProtoReader::addNodes(const std::vector<ByteSpan>& nodes, const std::string& path, int depth, Graph& graph,
                                   std::vector<PendingBody>& pending) {
  size_t count = 0;
  for (ByteSpan each : nodes) {
    if (++count % kNodesBetweenChecks == 0 && m_settings.cancelled && m_settings.cancelled())
      return fail(cancelledError());
    CUTAWAY_TRY(NodeText text, readNode(each));
    CUTAWAY_TRY(const bool constant, addConstant(graph, text));
    if (!constant) CUTAWAY_CHECK(addNode(graph, std::move(text), path, depth, pending));
  }
  return {};
}

Result<void> ProtoReader::addInitializer(Graph& graph, ByteSpan bytes) {
  CUTAWAY_TRY(NamedTensor named, readTensor(bytes));
  if (named.name.empty()) return fail(ErrorCode::kInvalidGraph, "an initializer has no name");
  CUTAWAY_CHECK(checkRank(named.tensor, named.name));
  const bool missing = named.tensor.data() == nullptr && named.tensor.elementCount() > 0;
  if (missing) {
    // Structure only: the value stands among the inputs, because somebody would have to give it.
    warn(fmt::format("the data of '{}' is missing; it became a graph input", named.name));
    const auto dims = named.tensor.dims();
    const ValueId existing = graph.findValue(named.name);
    if (!existing.valid() || !graph.value(existing).isInput)
      graph.addInput(named.name, ValueType::tensor(named.tensor.type(), Shape::of(dims)));
    return {};
  }
  const ValueId existing = graph.findValue(named.name);
  if (existing.valid() && graph.value(existing).initializer)
    warn(fmt::format("initializer '{}' is given more than once; the last one counts", named.name));
  graph.addInitializer(std::move(named.name), std::move(named.tensor));
  return {};
}

Result<void> ProtoReader::addSparseInitializer(Graph& graph, ByteSpan bytes) {
  std::string name;
  CUTAWAY_TRY(const SparseTensor sparse, readSparseTensor(bytes, &name));
  if (name.empty()) return fail(ErrorCode::kInvalidGraph, "a sparse initializer has no name");
  auto dense = denseTensor(sparse);
  if (!dense) return fail(atValue(std::move(dense).error(), name));
  CUTAWAY_CHECK(checkRank(*dense, name));
  graph.addInitializer(std::move(name), *std::move(dense));
  return {};
}

namespace {

// The value of a Constant node's attribute; an invalid tensor when the attribute is none of the known forms.
Result<Tensor> constantTensor(const Attribute& attribute) {
  const AttributeValue& value = attribute.value;
  if (const auto* tensor = heldAs<Tensor>(value); tensor != nullptr && attribute.name == "value") return *tensor;
  // The standard has sparse_value for it; onnxruntime goes by what the attribute holds, and there are such files.
  if (const auto* sparse = heldAs<SparseTensor>(value);
      sparse != nullptr && (attribute.name == "sparse_value" || attribute.name == "value"))
    return denseTensor(*sparse);
  if (const auto* number = std::get_if<float>(&value); number != nullptr && attribute.name == "value_float")
    return Tensor::scalar(*number);
  if (const auto* number = std::get_if<int64_t>(&value); number != nullptr && attribute.name == "value_int")
    return Tensor::scalar(*number);
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && attribute.name == "value_string")
    return Tensor::scalar(*text);
  if (const auto* list = std::get_if<std::vector<float>>(&value); list != nullptr && attribute.name == "value_floats")
    return Tensor::of(std::span<const float>(*list));
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value); list != nullptr && attribute.name == "value_ints")
    return Tensor::of(std::span<const int64_t>(*list));
  if (const auto* list = std::get_if<std::vector<std::string>>(&value);
      list != nullptr && attribute.name == "value_strings")
    return Tensor::of(std::span<const std::string>(*list));
  return Tensor();
}

}  // namespace

Result<bool> ProtoReader::addConstant(Graph& graph, NodeText& text) {
  const Node& node = text.node;
  if (node.opType != "Constant" || !node.domain.empty() || text.outputs.size() != 1 || text.outputs[0].empty() ||
      !text.inputs.empty() || node.attributes.size() != 1)
    return false;
  const std::string& name = text.outputs[0];
  auto tensor = constantTensor(node.attributes[0]);
  if (!tensor) return fail(atNode(std::move(tensor).error(), node.name));
  if (!tensor->valid() || (tensor->data() == nullptr && tensor->elementCount() > 0)) return false;
  CUTAWAY_CHECK(checkRank(*tensor, name));
  const ValueId existing = graph.findValue(name);
  if (existing.valid() && (graph.value(existing).isInput || graph.value(existing).producer.valid())) {
    return fail(atNode(atValue({ErrorCode::kInvalidGraph,
                                fmt::format("value '{}' is made by more than one node, or is an input too", name),
                                {}},
                               name),
                       node.name));
  }
  if (existing.valid() && graph.value(existing).initializer)
    warn(fmt::format("the constant '{}' is given more than once; the last one counts", name));
  graph.addInitializer(name, *std::move(tensor));
  return true;
}

Result<Function> ProtoReader::readFunction(ByteSpan bytes) {
  m_inFunction = true;
  CUTAWAY_TRY(StoredFunction stored, readStoredFunction(bytes));
  Function function = std::move(stored.function);
  const std::string place = fmt::format("function {}:{}", function.domain, function.name);
  Graph& body = function.body;
  body.setName(function.name);
  body.loadedFromFile = true;
  body.overridableInitializers = m_settings.irVersion >= 4;
  for (std::string& name : stored.inputs) {
    if (name.empty() || body.findValue(name).valid())
      return fail(atNode(
          {ErrorCode::kInvalidGraph, fmt::format("the input '{}' of a function is empty or listed twice", name), {}},
          place));
    body.addInput(std::move(name), {});
  }
  for (ByteSpan each : stored.defaults) {
    std::vector<ByteSpan> bodies;
    CUTAWAY_TRY(Attribute attribute, readAttribute(each, bodies));
    if (!bodies.empty())
      return fail(atNode(
          {ErrorCode::kNotImplemented, fmt::format("the default of attribute '{}' is a graph", attribute.name), {}},
          place));
    function.attributeDefaults.push_back(std::move(attribute));
  }
  for (ByteSpan each : stored.valueInfos) {
    CUTAWAY_TRY(ValueInfo info, readDeclared(each));
    if (!info.name.empty()) body.addValue(std::move(info.name), std::move(info.type));
  }
  std::vector<PendingBody> pending;
  if (auto added = addNodes(stored.nodes, place, 0, body, pending); !added)
    return fail(atNode(std::move(added).error(), place));
  for (const std::string& name : stored.outputs) {
    if (name.empty()) return fail(atNode({ErrorCode::kInvalidGraph, "an output of a function has no name", {}}, place));
    body.addOutput(body.addValue(name));
  }
  CUTAWAY_CHECK(finishBodies(pending));
  return function;
}

}  // namespace cutaway

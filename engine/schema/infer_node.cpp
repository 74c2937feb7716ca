// Type and shape inference of one node: onnx's inference functions over our Graph.
//
// onnx asks for the types and small constant values of inputs, and fills in output types. NodeContext answers from the
// graph, converting what is asked for and nothing else, so that weights never become messages. What onnx says is merged
// with what the model declares.

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

#include <onnx/defs/shape_inference.h>

#include "engine/base/checked_math.h"
#include "engine/base/input_budget.h"
#include "engine/base/progress.h"
#include "engine/base/short_memory.h"
#include "engine/graph/doing_node.h"
#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/schema/inference_state.h"
#include "engine/schema/proto_writer.h"

namespace cutaway {

namespace {

constexpr size_t kNodesBetweenChecks = 64;
constexpr int64_t kMostAxes = 64;  // that a list of sizes is believed to be of

// Hands a body's types to onnx; failures inside are kept and thrown as a plain exception, because onnx's functions sit
// between us.
class BodyInferencer : public onnx::GraphInferencer {
 public:
  BodyInferencer(const InferenceScope& scope, Graph& body, std::optional<Error>& error)
      : m_scope(scope), m_body(body), m_error(error) {}

  std::vector<const onnx::TypeProto*> doInferencing(const std::vector<const onnx::TypeProto*>& inputTypes,
                                                    const std::vector<const onnx::TensorProto*>&) override {
    std::vector<ValueType> types;
    for (const onnx::TypeProto* type : inputTypes)
      types.push_back(type == nullptr ? ValueType() : typeOf(*type));
    if (auto inferred = inferBodyIn(m_scope, m_body, types); !inferred) {
      m_error = std::move(inferred).error();
      throw std::runtime_error("body inference failed");
    }
    m_outputs.clear();
    m_outputs.reserve(m_body.outputs().size());
    std::vector<const onnx::TypeProto*> results;
    for (const ValueId output : m_body.outputs()) {
      writeType(m_body.value(output).type, m_outputs.emplace_back());
      results.push_back(&m_outputs.back());
    }
    return results;
  }

 private:
  const InferenceScope& m_scope;
  Graph& m_body;
  std::optional<Error>& m_error;
  std::vector<onnx::TypeProto> m_outputs;
};

bool leaveOutLarge(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto) {
  if (tensor.elementCount() <= kInputBudget.shownElements) return false;
  proto.set_name(name);
  proto.set_data_type(static_cast<int32_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    proto.add_dims(dim);
  return true;
}

class NodeContext : public onnx::InferenceContext {
 public:
  NodeContext(InferenceScope& scope, NodeId id) : m_scope(scope), m_node(scope.graph.mutableNode(id)) {
    m_inputTypes.resize(m_node.inputs.size());
    m_inputData.resize(m_node.inputs.size());
    m_symbolic.resize(m_node.inputs.size());
    m_outputTypes.resize(m_node.outputs.size());
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    if (const auto known = m_attributes.find(name); known != m_attributes.end()) return known->second.get();
    const Attribute* attribute = m_node.findAttribute(name);
    auto& slot = m_attributes[name];
    if (attribute != nullptr && !std::holds_alternative<AttributeReference>(attribute->value)) {
      slot = std::make_unique<onnx::AttributeProto>();
      // Some operators look into their bodies; the large weights there are no use to them.
      writeAttribute(*attribute, *slot, true, leaveOutLarge);
    } else if (attribute == nullptr && name == "onesided" && m_node.opType == "STFT" && m_node.domain.empty()) {
      // onnx's function takes what is not there for 0; the schema says 1.
      slot = std::make_unique<onnx::AttributeProto>();
      slot->set_name(name);
      slot->set_type(onnx::AttributeProto::INT);
      slot->set_i(1);
    }
    return slot.get();
  }
  size_t getNumInputs() const override { return m_inputTypes.size(); }
  bool hasInput(size_t index) const override { return index < m_node.inputs.size() && m_node.inputs[index].valid(); }
  const onnx::TypeProto* getInputType(size_t index) const override {
    if (!hasInput(index)) return nullptr;
    const ValueType& type = m_scope.graph.value(m_node.inputs[index]).type;
    // A type that nobody knows is an empty message: many of onnx's functions look into it without asking.
    auto& slot = m_inputTypes[index];
    if (!slot) writeType(type, slot.emplace());
    return &*slot;
  }
  const onnx::TensorProto* getInputData(size_t index) const override {
    if (!hasInput(index)) return nullptr;
    auto& slot = m_inputData[index];
    if (!slot) slot = makeInputData(m_node.inputs[index]);
    return slot->get();
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(size_t index) const override {
    if (!hasInput(index)) return nullptr;
    auto& slot = m_symbolic[index];
    if (!slot) slot = makeSymbolic(m_node.inputs[index]);
    return slot->get();
  }
  size_t getNumOutputs() const override { return m_outputTypes.size(); }
  bool hasOutput(size_t index) override { return index < m_node.outputs.size() && m_node.outputs[index].valid(); }
  onnx::TypeProto* getOutputType(size_t index) override {
    if (index >= m_outputTypes.size()) throw std::out_of_range("output index");
    return &m_outputTypes[index];
  }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    for (Attribute& attribute : m_node.attributes) {
      auto* box = std::get_if<GraphBox>(&attribute.value);
      if (attribute.name != name || box == nullptr) continue;
      auto& inferencer = m_bodies[name];
      if (!inferencer) inferencer = std::make_unique<BodyInferencer>(m_scope, **box, m_bodyError);
      return inferencer.get();
    }
    throw std::runtime_error(fmt::format("the attribute '{}' should be a graph", name));
  }
  std::string getDisplayName() const override { return m_node.name; }

  bool visitedBody(const std::string& name) const { return m_bodies.contains(name); }
  std::optional<Error>& bodyError() { return m_bodyError; }
  const onnx::TypeProto& outputType(size_t slot) const { return m_outputTypes[slot]; }
  void takeOutputTypes(std::span<const ValueType> types) {
    for (size_t slot = 0; slot < std::min(types.size(), m_outputTypes.size()); ++slot) {
      if (types[slot].known()) writeType(types[slot], m_outputTypes[slot]);
    }
  }

 private:
  using Data = std::unique_ptr<onnx::TensorProto>;
  using Symbolic = std::unique_ptr<onnx::TensorShapeProto>;

  Data makeInputData(ValueId id) const {
    if (const Tensor* tensor = m_scope.constant(id)) {
      if (tensor->elementCount() > kInputBudget.shownElements ||
          (tensor->data() == nullptr && tensor->elementCount() > 0))
        return nullptr;
      auto data = std::make_unique<onnx::TensorProto>();
      writeTensor(*tensor, "", *data);
      return data;
    }
    return dataFromElements(id);
  }

  // Values computed from shapes are as good as constants once every element is a number.
  Data dataFromElements(ValueId id) const {
    const ValueType& type = m_scope.graph.value(id).type;
    const bool narrow = type.element == ElementType::kInt32;
    if (!type.isTensor() || !type.shape || type.shape->rank() > 1 || (!narrow && type.element != ElementType::kInt64))
      return nullptr;
    const auto elements = m_scope.elements(id);
    if (!elements) return nullptr;
    auto data = std::make_unique<onnx::TensorProto>();
    data->set_data_type(static_cast<int32_t>(type.element));
    if (type.shape->rank() == 1) data->add_dims(static_cast<int64_t>(elements->size()));
    for (const Dim& each : *elements) {
      const auto value = elementValue(each);
      if (!value) return nullptr;
      if (narrow)
        data->add_int32_data(static_cast<int32_t>(*value));
      else
        data->add_int64_data(*value);
    }
    return data;
  }

  Symbolic makeSymbolic(ValueId id) const {
    const auto elements = m_scope.elements(id);
    if (!elements) return nullptr;
    auto shape = std::make_unique<onnx::TensorShapeProto>();
    for (const Dim& each : *elements) {
      auto* dim = shape->add_dim();
      if (const auto value = elementValue(each))
        dim->set_dim_value(*value);
      else if (each.isSymbol())
        dim->set_dim_param(each.symbol());
    }
    return shape;
  }

  InferenceScope& m_scope;
  Node& m_node;
  mutable std::unordered_map<std::string, std::unique_ptr<onnx::AttributeProto>> m_attributes;
  mutable std::vector<std::optional<onnx::TypeProto>> m_inputTypes;
  mutable std::vector<std::optional<Data>> m_inputData;
  mutable std::vector<std::optional<Symbolic>> m_symbolic;
  std::vector<onnx::TypeProto> m_outputTypes;
  std::unordered_map<std::string, std::unique_ptr<BodyInferencer>> m_bodies;
  std::optional<Error> m_bodyError;
};

std::string cleanMessage(std::string_view message) {
  // onnx appends its own context after a blank line.
  message = message.substr(0, message.find("\n\n==>"));
  while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
    message.remove_suffix(1);
  return std::string(message);
}

// Behind an operator that nobody knows, types are missing; that is no fault of this node.
bool anyInputUnknown(const Graph& graph, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](ValueId id) { return id.valid() && !graph.value(id).type.known(); });
}

Result<void> runInference(const SchemaEntry& entry, NodeContext& context, const Graph& graph, const Node& node) {
  if (!entry.infer) return {};
  try {
    entry.infer(context);
  } catch (const std::bad_alloc& refused) {
    return fail(
        outOfMemory(refused, fmt::format("at the shapes of {} (seen: {})", node.opType, seenText(graph, node))));
  } catch (const std::length_error&) {
    return fail(ErrorCode::kInvalidGraph, "the sizes of {} are beyond what memory can hold (seen: {})", node.opType,
                seenText(graph, node));
  } catch (const std::exception& exception) {
    if (context.bodyError()) return fail(*std::move(context.bodyError()));
    if (anyInputUnknown(graph, node)) return {};
    return fail(ErrorCode::kInvalidArgument, "the shapes, types or attributes of {} do not fit: {} (seen: {})",
                node.opType, cleanMessage(exception.what()), seenText(graph, node));
  }
  return {};
}

// A pooling that rounds its output up leaves out a last window that would start in the padding at the end; onnx's
// function counts it. Where a file declares that number, it may have it from there: then it stays, and the run decides.
void leaveOutLastWindow(NodeContext& context, const Graph& graph, const Node& node, size_t slot, size_t axis) {
  using Ints = std::vector<int64_t>;
  onnx::TypeProto& type = *context.getOutputType(slot);
  const std::optional<Shape>& input = graph.value(node.inputs[0]).type.shape;
  const std::optional<Shape>& declared = graph.value(node.outputs[slot]).type.shape;
  const Ints strides = node.attributeOr<Ints>("strides", {}), pads = node.attributeOr<Ints>("pads", {});
  const int64_t stride = axis - 2 < strides.size() ? strides[axis - 2] : 1;
  const int64_t padding = axis - 2 < pads.size() ? pads[axis - 2] : 0;
  onnx::TensorShapeProto::Dimension& dim =
      *type.mutable_tensor_type()->mutable_shape()->mutable_dim(static_cast<int>(axis));
  if (!dim.has_dim_value() || stride < 1 || !input || axis >= input->rank() || !(*input)[axis].isKnown()) return;
  if (declared && axis < declared->rank() && (*declared)[axis].isKnown()) return;
  const Result<int64_t> room = checkedAdd((*input)[axis].value(), padding);
  if (room && *room > 0 && dim.dim_value() - 1 > (*room - 1) / stride) dim.set_dim_value(dim.dim_value() - 1);
}

void leaveOutLastWindows(NodeContext& context, const Graph& graph, const Node& node) {
  static constexpr std::array<std::string_view, 3> kPoolings{"AveragePool", "LpPool", "MaxPool"};
  if (!node.domain.empty() || std::ranges::find(kPoolings, node.opType) == kPoolings.end() ||
      node.attributeOr<int64_t>("ceil_mode", 0) == 0)
    return;
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    const onnx::TypeProto& type = context.outputType(slot);
    const int rank = type.has_tensor_type() ? type.tensor_type().shape().dim_size() : 0;
    for (size_t axis = 2; node.outputs[slot].valid() && axis < static_cast<size_t>(rank); ++axis)
      leaveOutLastWindow(context, graph, node, slot, axis);
  }
}

// auto_pad SAME of a transposed convolution makes its output input x stride; onnx's function adds output_padding, and
// forgets what a stride leaves between windows. What a file declares stays, as above.
void takeSizesOfSamePadding(NodeContext& context, const Graph& graph, const Node& node) {
  const auto strides = node.attributeOr<std::vector<int64_t>>("strides", {});
  if (node.opType != "ConvTranspose" || !node.domain.empty() || node.findAttribute("output_shape") != nullptr ||
      !node.attributeOr<std::string>("auto_pad", "NOTSET").starts_with("SAME") || node.outputs.empty() ||
      !node.outputs[0].valid())
    return;
  const std::optional<Shape>& input = graph.value(node.inputs[0]).type.shape;
  const std::optional<Shape>& declared = graph.value(node.outputs[0]).type.shape;
  onnx::TypeProto& type = *context.getOutputType(0);
  const int rank = type.has_tensor_type() ? type.tensor_type().shape().dim_size() : 0;
  for (int axis = 2; input && axis < std::min(rank, static_cast<int>(input->rank())); ++axis) {
    const auto place = static_cast<size_t>(axis);
    onnx::TensorShapeProto::Dimension& dim = *type.mutable_tensor_type()->mutable_shape()->mutable_dim(axis);
    if (!dim.has_dim_value() || !(*input)[place].isKnown()) continue;
    if (declared && place < declared->rank() && (*declared)[place].isKnown()) continue;
    const Result<int64_t> size =
        checkedMultiply((*input)[place].value(), place - 2 < strides.size() ? strides[place - 2] : 1);
    if (size && *size > 0) dim.set_dim_value(*size);
  }
}

// The rank, where only the run knows the sizes: as many axes as the list of sizes has numbers.
void takeRankOfSizes(NodeContext& context, const Graph& graph, const Node& node) {
  if (!node.domain.empty() || node.outputs.size() != 1) return;
  const size_t slot = node.opType == "Reshape" ? 1 : 0;
  if ((slot == 0 && node.opType != "ConstantOfShape") || slot >= node.inputs.size() || !node.inputs[slot].valid())
    return;
  const ValueType& sizes = graph.value(node.inputs[slot]).type;
  onnx::TypeProto& type = *context.getOutputType(0);
  if (!type.has_tensor_type() || type.tensor_type().has_shape() || !sizes.isTensor() || !sizes.shape ||
      sizes.shape->rank() != 1 || !(*sizes.shape)[0].isKnown() || (*sizes.shape)[0].value() > kMostAxes)
    return;
  onnx::TensorShapeProto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (int64_t axis = 0; axis < (*sizes.shape)[0].value(); ++axis)
    shape.add_dim();
}

// What the schema says when inference says nothing: the type bound to the output's variable, or the only type allowed.
ValueType typeFromSchema(const SchemaEntry& entry, size_t slot, const std::vector<ValueType>& bound) {
  size_t index = 0;
  const FormalParameter* formal = formalOf(entry.outputs, slot, &index);
  if (formal == nullptr || (formal->arity == FormalParameter::Arity::kVariadic && !formal->homogeneous)) return {};
  const AllowedTypes& allowed = entry.outputTypes[index];
  if (allowed.variable >= 0 && bound[allowed.variable].isTensor())
    return ValueType::tensor(bound[allowed.variable].element, std::nullopt);
  if (allowed.others.empty() && allowed.tensors != 0 && (allowed.tensors & (allowed.tensors - 1)) == 0) {
    return ValueType::tensor(static_cast<ElementType>(__builtin_ctzll(allowed.tensors)), std::nullopt);
  }
  return {};
}

Result<void> mergeOutputs(InferenceScope& scope, NodeId id, const SchemaEntry& entry, const NodeContext& context,
                          const std::vector<ValueType>& bound) {
  const std::vector<ValueId> outputs = scope.graph.node(id).outputs;
  for (size_t slot = 0; slot < outputs.size(); ++slot) {
    if (!outputs[slot].valid()) continue;
    ValueType type = typeOf(context.outputType(slot));
    if (type.isTensor() && type.element == ElementType::kUndefined) {
      const ValueType fallback = typeFromSchema(entry, slot, bound);
      type.element = fallback.element;
    } else if (!type.known()) {
      type = typeFromSchema(entry, slot, bound);
    }
    if (type.isTensor() && type.element == ElementType::kUndefined && !type.shape) continue;
    CUTAWAY_CHECK(mergeIntoValue(scope, outputs[slot], type, nodeName(scope.graph, id)));
  }
  return {};
}

Result<void> inferUnvisitedBodies(InferenceScope& scope, Node& node, const NodeContext* context) {
  Result<void> result;
  forEachBody(node, [&](const std::string& name, Graph& body) {
    if (result && (context == nullptr || !context->visitedBody(name))) result = inferBodyIn(scope, body, {});
  });
  return result;
}

Result<void> inferKnown(InferenceScope& scope, NodeId id, const SchemaEntry& entry) {
  Node& node = scope.graph.mutableNode(id);
  node.sinceVersion = entry.sinceVersion;
  CUTAWAY_CHECK(checkSignature(scope.graph, id, entry, scope.shared.warnings));
  CUTAWAY_TRY(const std::vector<ValueType> bound, checkInputTypes(scope.graph, id, entry));
  NodeContext context(scope, id);
  CUTAWAY_CHECK(runInference(entry, context, scope.graph, node));
  leaveOutLastWindows(context, scope.graph, node);
  takeSizesOfSamePadding(context, scope.graph, node);
  takeRankOfSizes(context, scope.graph, node);
  if (entry.added != nullptr && entry.added->outputTypes)
    context.takeOutputTypes(entry.added->outputTypes(scope.model, scope.graph, id));
  CUTAWAY_CHECK(inferUnvisitedBodies(scope, node, &context));
  CUTAWAY_CHECK(mergeOutputs(scope, id, entry, context, bound));
  propagatePartial(scope, id);
  return {};
}

}  // namespace

const Tensor* InferenceScope::constant(ValueId id) const {
  const InferenceScope* scope = this;
  while (scope != nullptr && id.valid()) {
    if (scope->graph.isConstant(id)) return &*scope->graph.value(id).initializer;
    const Value& value = scope->graph.value(id);
    if (!value.outerScope || scope->outer == nullptr) return nullptr;
    scope = scope->outer;
    id = scope->graph.findValue(value.name);
  }
  return nullptr;
}

Result<void> inferNodeIn(InferenceScope& scope, NodeId id) {
  const DoingNode doing(scope.graph, id);
  Node& node = scope.graph.mutableNode(id);
  if (node.opsetVersion == 0)
    node.opsetVersion = static_cast<int32_t>(importedVersion(scope.model.opsets, node.domain));
  const SchemaEntry* entry = findSchemaEntry(node.opType, node.domain, node.opsetVersion);
  if (entry != nullptr && !entry->deprecated) return inferKnown(scope, id, *entry);
  if (const Function* function = scope.model.findFunction(node.domain, node.opType, node.overload))
    return inferCallIn(scope, id, *function);
  return inferUnvisitedBodies(scope, node, nullptr);
}

Result<void> inferGraphIn(InferenceScope& scope) {
  for (const ValueId id : scope.graph.initializers()) {
    Value& value = scope.graph.mutableValue(id);
    const ValueType exact = ValueType::tensor(value.initializer->type(), Shape::of(value.initializer->dims()));
    if (value.type.known() && (!value.type.isTensor() || (value.type.element != exact.element &&
                                                          value.type.element != ElementType::kUndefined))) {
      return fail(atValue({ErrorCode::kInvalidGraph,
                           fmt::format("the initializer '{}' is {}, but it is declared as {}", value.name,
                                       toText(exact), toText(value.type)),
                           {}},
                          value.name));
    }
    if (scope.graph.isConstant(id) || !value.type.known()) {
      const Layout layout = value.type.layout;
      value.type = exact;
      value.type.layout = layout;
    }
  }
  CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(scope.graph));
  size_t count = 0;
  for (const NodeId id : order) {
    if (++count % kNodesBetweenChecks == 0 && scope.shared.cancelled && scope.shared.cancelled())
      return fail(cancelledError());
    if (auto inferred = inferNodeIn(scope, id); !inferred)
      return fail(atNode(std::move(inferred).error(), nodeName(scope.graph, id)));
  }
  return {};
}

Result<void> inferNode(const Model& model, Graph& graph, NodeId node, const InferenceOptions& options,
                       PartialData& partial, std::vector<InferenceWarning>& warnings) {
  const std::function<bool()> never;
  InferenceShared shared{options, warnings, never, {}, 0};
  InferenceScope scope{model, graph, partial, shared};
  if (auto inferred = inferNodeIn(scope, node); !inferred)
    return fail(atNode(std::move(inferred).error(), nodeName(graph, node)));
  return {};
}

Result<void> inferGraph(const Model& model, Graph& graph, const InferenceOptions& options,
                        std::vector<InferenceWarning>& warnings, const std::function<bool()>& cancelled,
                        int64_t* callNodes) {
  PartialData partial;
  InferenceShared shared{options, warnings, cancelled, {}, 0};
  InferenceScope scope{model, graph, partial, shared};
  Result<void> inferred = inferGraphIn(scope);
  if (callNodes != nullptr) *callNodes = shared.callNodes;
  return inferred;
}

}  // namespace cutaway
